import Foundation

/// Which of an app's files one device's program is made of.
struct AppPlan {
  /// A file that is not compiled, and why.
  struct LeftOut {
    var path: String
    var why: String
  }

  /// The parts that one file may be without: of one with more, too little is left.
  private static let withoutMax = 40

  let role: DeviceRole
  /// Every file of the device's targets, by its path.
  private(set) var sources: [String: AppSource]
  /// What is compiled.
  private(set) var chosen: Set<String> = []
  private(set) var leftOut: [LeftOut] = []
  /// What of a file that is compiled is left out, and why.
  private(set) var without: [String: [(name: String, why: String)]] = [:]
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

  /// Whether an extension that is compiled has a member.
  func extends(_ type: String, with member: String) -> Bool {
    chosen.contains { sources[$0]?.extends(type, with: member) == true }
  }

  mutating func leaveOut(_ path: String, why: String) {
    guard chosen.remove(path) != nil else { return }
    leftOut.append(LeftOut(path: path, why: why))
  }

  /// Leaves out what of a file does not compile: the least around each place, or else the file.
  mutating func leaveOut(_ path: String, for problems: [AdoptRounds.Problem]) {
    guard let first = problems.first, var source = sources[path] else { return }
    var parts: [(name: String, why: String)] = []
    for problem in problems {
      let why = "line \(problem.line): \(problem.text)"
      guard let name = source.part(atLine: problem.line, column: problem.column) else {
        return leaveOut(path, why: why)
      }
      // Most statements that do not compile have several errors.
      if !parts.contains(where: { $0.name == name }) { parts.append((name: name, why: why)) }
    }
    // One within another is gone with it.
    let new = parts.filter { source.leaveOut($0.name) }
    guard !new.isEmpty, (without[path]?.count ?? 0) + new.count <= Self.withoutMax else {
      return leaveOut(path, why: "line \(first.line): \(first.text)")
    }
    sources[path] = source
    without[path, default: []] += new
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
    return AppObjects(
      types: types, users: users, inner: inner, models: chosen.flatMap { $0.models.map(\.name) },
      calls: AppCalls(Array(sources.values), chosen: self.chosen))
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
