/// The types that an app's files use and that are nowhere, as a device's `Stubs.swift`.
struct AppStubs {
  enum Kind { case type, superclass, requirement }

  private(set) var kinds: [String: Kind] = [:]
  /// A member that a type of Wristwire's modules lacks.
  struct Member: Hashable {
    var type: String
    var name: String
    var isStatic: Bool
  }

  /// The members that types lack, with the modules in which these may be.
  private(set) var members: [Member: Set<String>] = [:]
  /// Members of stubs of which the app asks whether they are there.
  private(set) var optionalMembers: Set<String> = []
  /// Types that cannot be stubbed, and why.
  private(set) var impossible: [String: String] = [:]

  /// Adds a stub.
  ///
  /// - Returns: Whether it is new.
  mutating func add(_ name: String, for plan: AppPlan) -> Bool {
    guard kinds[name] == nil, impossible[name] == nil, name.first?.isUppercase == true else { return false }
    let sources = plan.chosen.compactMap { plan.sources[$0] }
    if sources.contains(where: { $0.parser.isGenericUse(of: name) }) {
      impossible[name] = "it has generic arguments"
      return false
    }
    let heirs = sources.flatMap(\.parser.declarations).filter { $0.inherits.contains(name) }
    if heirs.isEmpty {
      kinds[name] = .type
    } else {
      let isSuperclass = heirs.contains { $0.kind == "class" && $0.inherits.first == name }
      let isProtocol = ["Delegate", "Protocol", "DataSource", "able", "ing", "Providing", "Type"].contains {
        name.hasSuffix($0)
      }
      kinds[name] = isSuperclass && !isProtocol ? .superclass : .requirement
    }
    return true
  }

  /// Adds a stub of a member of a type that is not the app's.
  ///
  /// - Returns: Whether it is new.
  mutating func add(
    _ name: String, ofType type: String, isStatic: Bool, imports: Set<String>, for plan: AppPlan
  ) -> Bool {
    let type = type.last == "?" ? String(type.dropLast()) : type
    let isName = type.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
    guard isName, type.first?.isUppercase == true, name.first?.isLowercase == true, !name.contains("("),
      !["Any", "Self", "StubMember"].contains(type), kinds[type] == nil, plan.types[type] == nil
    else { return false }
    let member = Member(type: type, name: name, isStatic: isStatic)
    guard members[member] == nil else { return false }
    members[member] = imports.intersection(DeviceTruth.products)
    return true
  }

  /// Makes what a line binds a member that may be missing: `if let plan = Store.shared.plan {`.
  ///
  /// - Returns: Whether it is new.
  mutating func addOptional(boundBy line: String) -> Bool {
    let names = line.matches(of: /=\s*[A-Za-z_][A-Za-z0-9_]*(?:\??\.[A-Za-z_][A-Za-z0-9_]*)*\.([A-Za-z_][A-Za-z0-9_]*)/)
      .map { String($0.output.1) }
    let new = Set(names).subtracting(optionalMembers)
    optionalMembers.formUnion(new)
    return !new.isEmpty
  }

  /// The members that what is compiled uses, by their types.
  func orderedMembers(_ plan: AppPlan) -> [(member: Member, uses: Int)] {
    members.keys.map { (member: $0, uses: plan.uses(of: $0.name)) }.filter { $0.uses > 0 }.sorted {
      ($0.member.type, $0.member.name) < ($1.member.type, $1.member.name)
    }
  }

  /// In the order of their use, the most used first.
  func ordered(_ plan: AppPlan) -> [(name: String, uses: Int)] {
    kinds.keys.map { (name: $0, uses: plan.uses(of: $0)) }.filter { $0.uses > 0 }.sorted {
      ($1.uses, $0.name) < ($0.uses, $1.name)
    }
  }

  func text(for plan: AppPlan) -> String {
    var text = """
      // Types that the app's files use, and that neither those that compile here nor Wristwire's modules have; the most
      // used first. A call of a stub is a finding of the run. adopt overwrites this file; a type that another file of
      // this folder has, one of yours, is not stubbed.
      import Foundation
      import WristwireSupport

      """
    let sources = plan.chosen.sorted().compactMap { plan.sources[$0] }
    for (name, uses) in ordered(plan) {
      text += "\n/// Uses: \(uses).\n"
      guard kinds[name] != .requirement else {
        text += "nonisolated public protocol \(name) {}\n"
        continue
      }
      text += "nonisolated open class \(name): Stub {\n"
      let used = sources.reduce(into: Set<String>()) { $0.formUnion($1.parser.members(of: name)) }
      for one in used.sorted() where one.first?.isLowercase == true && !["self", "init"].contains(one) {
        let isShared = ["shared", "default", "standard", "main", "current", "instance"].contains(one)
        text += "  public static \(isShared ? "let" : "var") `\(one)`"
        text += isShared ? " = \(name)()\n" : ": StubMember { StubMember(path: \"\(name).\(one)\") }\n"
      }
      let calls = Set(sources.flatMap { $0.parser.calls(of: name) }.filter { !$0.isEmpty && $0.count < 12 })
      for labels in calls.sorted(by: { "\($0)" < "\($1)" }) {
        let list = labels.enumerated().map { "\($1 ?? "_") value\($0): Any?" }.joined(separator: ", ")
        text += "  public convenience init(\(list)) { self.init() }\n"
      }
      text += "}\n"
    }
    for (type, path) in [("Stub", "\\(type(of: self))"), ("StubMember", "\\(path)")] where !optionalMembers.isEmpty {
      text += "\nnonisolated extension \(type) {\n"
      for name in optionalMembers.sorted() {
        text += "  var `\(name)`: StubMember? { stubValue(\"\(path).\(name)\") }\n"
      }
      text += "}\n"
    }
    return text + memberText(for: plan, sources)
  }

  private func memberText(for plan: AppPlan, _ sources: [AppSource]) -> String {
    let used = orderedMembers(plan).map(\.member)
    let modules = used.reduce(into: Set<String>()) { $0.formUnion(members[$1] ?? []) }
    var text = modules.sorted().map { "import \($0)\n" }.joined()
    for one in used {
      let path = "\"\(one.type).\(one.name)\""
      text += "\nnonisolated extension \(one.type) {\n  \(one.isStatic ? "static " : "")var `\(one.name)`: "
      let isOnlySet = sources.allSatisfy { $0.parser.isOnlySet(one.name) }
      text +=
        isOnlySet
        ? "Any? {\n    get { nil }\n    set { Simulation.reportStub(\(path)) }\n  }\n}\n"
        : "StubMember { StubMember(path: \(path)) }\n}\n"
    }
    return text
  }

  /// The types that every stub is made of.
  static let support = """
    import Foundation
    import WristwireSupport

    /// What stands for a type that is not here: every member can be named, and a call of one is a finding of the run.
    @dynamicMemberLookup
    nonisolated open class Stub: NSObject, Codable, @unchecked Sendable {
      public override init() { super.init() }
      public required init(from decoder: any Decoder) throws { super.init() }
      public func encode(to encoder: any Encoder) throws {}
      public subscript(dynamicMember name: String) -> StubMember { StubMember(path: "\\(type(of: self)).\\(name)") }
      @_disfavoredOverload
      public subscript<Value>(dynamicMember name: String) -> Value {
        get { stubValue("\\(type(of: self)).\\(name)") }
        set { Simulation.reportStub("\\(type(of: self)).\\(name)") }
      }
    }

    /// A member of a stub, or one of such a member.
    @dynamicMemberLookup
    @dynamicCallable
    nonisolated public struct StubMember {
      let path: String

      public subscript(dynamicMember name: String) -> StubMember { StubMember(path: "\\(path).\\(name)") }
      @_disfavoredOverload
      public subscript<Value>(dynamicMember name: String) -> Value {
        get { stubValue("\\(path).\\(name)") }
        nonmutating set { Simulation.reportStub("\\(path).\\(name)") }
      }
      @discardableResult
      public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any?>) -> StubMember {
        Simulation.reportStub(path)
        return self
      }
      @_disfavoredOverload
      public func dynamicallyCall<Value>(withKeywordArguments arguments: KeyValuePairs<String, Any?>) -> Value {
        stubValue(path)
      }
    }

    /// The empty value of a type, as what a stub has; a type that has none ends the program.
    nonisolated func stubValue<Value>(_ path: String) -> Value {
      Simulation.reportStub(path)
      if let nothing = () as? Value { return nothing }
      guard let type = Value.self as? any EmptyValue.Type, let value = type.empty as? Value else {
        fatalError("the app uses the value of \\(path), which is a stub, as a \\(Value.self)")
      }
      return value
    }

    /// Reports a statement that is left out, as it does not compile here.
    nonisolated func reportMissing(_ statement: String) { Simulation.reportStub(statement) }

    /// A type whose values may be empty.
    nonisolated protocol EmptyValue { static var empty: Self { get } }
    nonisolated extension Bool: EmptyValue { static var empty: Bool { false } }
    nonisolated extension Int: EmptyValue { static var empty: Int { 0 } }
    nonisolated extension Double: EmptyValue { static var empty: Double { 0 } }
    nonisolated extension String: EmptyValue { static var empty: String { "" } }
    nonisolated extension Optional: EmptyValue { static var empty: Self { nil } }
    nonisolated extension Array: EmptyValue { static var empty: Self { [] } }
    nonisolated extension Dictionary: EmptyValue { static var empty: Self { [:] } }

    """

  /// Makes facts of what screens show, and takes samples of what the app has.
  static let recorder = """
    import Combine
    import Foundation
    import Observation
    import WristwireSupport

    /// What an act gives the app of the app's own.
    nonisolated enum Sample {
      /// One of a list; the first without an index, and nil of none.
      static func of<Value>(_ list: [Value], _ index: Int?) -> Value? {
        list.isEmpty ? nil : list[abs(index ?? 0) % list.count]
      }
    }

    /// Records each change of what a screen shows: a fact `TYPE-PROPERTY` with the `value`, once a turn of the main
    /// queue. Instants and ids are written as such: they differ between two runs that show the same. What changes all
    /// the time is `a live value` until it rests: two runs that show the same are at another tick of it.
    nonisolated enum ScreenRecorder {
      nonisolated private final class Screen: @unchecked Sendable {
        let name: String
        let values: @MainActor () -> [String: Any?]
        private var known: [String: String] = [:]
        /// When each property changed last, at most ``changesMax`` times.
        private var changes: [String: [Date]] = [:]
        private var live: Set<String> = []
        private var isDue = false
        private let lock = NSLock()
        var subscription: AnyCancellable?
        /// What changes so often in so many seconds changes by itself, and rests after so many.
        private static let (changesMax, within, rest) = (5, 10.0, 3.0)

        init(_ name: String, _ values: @escaping @MainActor () -> [String: Any?]) {
          (self.name, self.values) = (name, values)
        }

        /// The values before the first change, which are no facts.
        @MainActor func begin() { known = values().mapValues(Self.text) }

        func change() {
          let isFirst = lock.withLock {
            defer { isDue = true }
            return !isDue
          }
          guard isFirst else { return }
          DispatchQueue.main.async { MainActor.assumeIsolated { self.record() } }
        }

        @MainActor func record() {
          lock.withLock { isDue = false }
          for (property, value) in values().sorted(by: { $0.key < $1.key }) {
            let text = Self.text(value)
            guard known.updateValue(text, forKey: property) != text else { continue }
            if isLive(property) {
              guard live.insert(property).inserted else { continue }
              Simulation.record("\\(name)-\\(property)", ["value": "a live value"])
              awaitRest(of: property)
            } else {
              Simulation.recordShown("\\(name)-\\(property)", value)
            }
          }
        }

        @MainActor private func isLive(_ property: String) -> Bool {
          let times = (changes[property] ?? []).suffix(Self.changesMax - 1) + [Date()]
          changes[property] = Array(times)
          return live.contains(property)
            || times.count == Self.changesMax && times.last!.timeIntervalSince(times.first!) < Self.within
        }

        @MainActor private func awaitRest(of property: String) {
          DispatchQueue.main.asyncAfter(deadline: .now() + Self.rest) {
            MainActor.assumeIsolated {
              guard let last = self.changes[property]?.last, Date().timeIntervalSince(last) >= Self.rest * 0.99 else {
                return self.awaitRest(of: property)
              }
              (self.changes[property], _) = (nil, self.live.remove(property))
              Simulation.recordShown("\\(self.name)-\\(property)", self.values()[property] ?? nil)
            }
          }
        }

        private static func text(_ value: Any?) -> String { value.map { String(describing: $0) } ?? "nil" }
      }

      nonisolated(unsafe) private static var screens: [Screen] = []

      @MainActor static func follow<Object: Combine.ObservableObject>(
        _ object: Object, _ name: String, _ values: @escaping @MainActor () -> [String: Any?]
      ) {
        let screen = Screen(name, values)
        screen.begin()
        screen.subscription = object.objectWillChange.sink { _ in screen.change() }
        screens.append(screen)
      }

      @MainActor static func followObservable(_ name: String, _ values: @escaping @MainActor () -> [String: Any?]) {
        let screen = Screen(name, values)
        screen.begin()
        screens.append(screen)
        observe(screen)
      }

      @MainActor private static func observe(_ screen: Screen) {
        withObservationTracking { _ = screen.values() } onChange: {
          DispatchQueue.main.async {
            MainActor.assumeIsolated {
              screen.record()
              observe(screen)
            }
          }
        }
      }
    }

    """
}
