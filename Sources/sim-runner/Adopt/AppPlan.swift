import Foundation

/// Which of an app's files one device's program is made of.
struct AppPlan {
  /// A file that is not compiled, and why.
  struct LeftOut {
    var path: String
    var why: String
  }

  let role: DeviceRole
  /// Every file of the device's targets, by its path.
  let sources: [String: AppSource]
  /// What is compiled.
  private(set) var chosen: Set<String> = []
  private(set) var leftOut: [LeftOut] = []
  /// The files that declare a name.
  private var index: [String: [String]] = [:]
  private var extensions: [String: [String]] = [:]

  init(role: DeviceRole, sources: [AppSource]) {
    self.role = role
    self.sources = Dictionary(sources.map { ($0.path, $0) }) { first, _ in first }
    for (path, source) in self.sources.sorted(by: { $0.key < $1.key }) {
      guard !source.isEmpty, !path.hasSuffix("/main.swift"), path != "main.swift" else { continue }
      for name in source.declared { index[name, default: []].append(path) }
      for name in source.extended { extensions[name, default: []].append(path) }
    }
    let seeds = self.sources.values.filter { $0.imports.contains("WatchConnectivity") && isUsable($0.path) }
    for seed in seeds.map(\.path).sorted() { add(seed) }
    addUsers()
  }

  private func isUsable(_ path: String) -> Bool {
    guard let source = sources[path], !source.isEmpty else { return false }
    return !path.hasSuffix("/main.swift") && path != "main.swift" && !leftOut.contains { $0.path == path }
  }

  /// Adds a file, and what it needs.
  mutating func add(_ path: String) {
    var queue = [path]
    while let next = queue.popLast() {
      guard isUsable(next), let source = sources[next], chosen.insert(next).inserted else { continue }
      for word in source.parser.words.keys.sorted() { queue += index[word] ?? [] }
      for name in source.declared.sorted() { queue += extensions[name] ?? [] }
    }
  }

  /// Adds the models above the session: files without a view that use what is there, as the app's logic is in these.
  private mutating func addUsers() {
    var isNew = true
    while isNew {
      isNew = false
      let names = Set(
        chosen.flatMap {
          sources[$0]?.parser.declarations.filter { ["class", "actor"].contains($0.kind) }.map(\.name) ?? []
        })
      for (path, source) in sources.sorted(by: { $0.key < $1.key }) where !chosen.contains(path) && isUsable(path) {
        let isModel = source.parser.declarations.contains {
          ["class", "actor"].contains($0.kind) || $0.inherits.contains("App")
        }
        guard isModel, source.parser.words.keys.contains(where: names.contains) else { continue }
        add(path)
        isNew = true
      }
    }
  }

  /// The file that declares a name and is not compiled yet; nil for none.
  func declarer(of name: String) -> String? { index[name]?.first { !chosen.contains($0) && isUsable($0) } }

  /// The file whose extension of a type has a member, and is not compiled yet.
  func extender(of type: String, member: String) -> String? {
    (extensions[type] ?? []).first { path in
      !chosen.contains(path) && isUsable(path) && sources[path]?.extends(type, with: member) == true
    }
  }

  mutating func leaveOut(_ path: String, why: String) {
    guard chosen.remove(path) != nil else { return }
    leftOut.append(LeftOut(path: path, why: why))
  }

  /// How often a name is used in what is compiled.
  func uses(of name: String) -> Int { chosen.reduce(0) { $0 + (sources[$1]?.parser.words[name] ?? 0) } }

  /// What a program makes and offers of what is compiled.
  var objects: AppObjects {
    let chosen = chosen.sorted().compactMap { sources[$0] }
    var (users, inner): (Set<String>, Set<String>) = ([], [])
    for source in chosen {
      let classes = source.parser.declarations.filter { ["class", "actor"].contains($0.kind) }.map(\.name)
      if source.imports.contains("WatchConnectivity") { users.formUnion(classes) }
      for name in classes
      where chosen.contains(where: {
        $0.path != source.path && !$0.isOfApp && !$0.parser.calls(of: name).isEmpty
      }) {
        inner.insert(name)
      }
    }
    return AppObjects(types: types, users: users, inner: inner)
  }

  /// The declarations of what is compiled, with those of extensions beside the type's own.
  var types: [String: SwiftDeclaration] {
    var types: [String: SwiftDeclaration] = [:]
    let all = chosen.sorted().flatMap { sources[$0]?.parser.declarations ?? [] }
    for one in all where one.isType { types[one.name] = one }
    for one in all where one.kind == "extension" {
      types[one.name]?.members += one.members
      types[one.name]?.inherits += one.inherits
    }
    return types
  }
}
