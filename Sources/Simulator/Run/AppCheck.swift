import Console
import Link

/// A check of apps that a scenario enables.
///
/// Some compare the facts that the apps record with those of a run of the same scenario without certain faults, which
/// must not change them. The others judge the run alone.
package struct AppCheck: Sendable, Equatable {
  /// Which check.
  package enum Kind: String, CaseIterable, Sendable {
    /// A second copy of an item has no effect.
    case idempotent
    /// An item that arrives late or out of order changes nothing.
    case lateCopy
    /// A crash loses and repeats nothing.
    case restartKeeps
    /// A run that has settled ends as one without faults.
    case sameAsIdeal
    /// Every sent item is delivered, or the app reports that it was not.
    case owedIsSaid
    /// No callback holds the session's queue or the main queue.
    case noMainThreadStall
    /// No handler traps because of its isolation.
    case delegateIsolation

    /// Whether it compares the facts with those of a second run.
    var comparesRuns: Bool { self == .sameAsIdeal || !spared.isEmpty }

    /// Whether the reference run omits a fault.
    func spares(_ fault: PlannedFault) -> Bool { self == .sameAsIdeal || spared.contains(fault.kind) }

    /// What the reference run omits, in words.
    var without: String {
      switch self {
      case .sameAsIdeal: "faults"
      case .lateCopy: (spared + ["backgroundDelay"]).joined(separator: ", ")
      default: spared.joined(separator: ", ")
      }
    }

    /// Whether the reference run omits the delay of what is queued, which makes it late without any fault.
    var sparesBackgroundDelay: Bool { self == .lateCopy }

    /// The kinds of faults that the reference run omits.
    private var spared: [String] {
      switch self {
      case .idempotent: [DuplicateFault.kind, DeliveredTwiceFault.kind]
      case .lateCopy: [DuplicateFault.kind, DelayFault.kind, ReorderFault.kind]
      case .restartKeeps: [KillFault.kind, RebootFault.kind]
      case .sameAsIdeal, .owedIsSaid, .noMainThreadStall, .delegateIsolation: []
      }
    }

    /// What it checks, for the reference.
    var about: String {
      switch self {
      case .idempotent:
        "facts are those of a run without the faults \(Markdown.code(spared[0])) and \(Markdown.code(spared[1]))"
      case .lateCopy:
        "facts are those of a run without `duplicate`, `delay` and `reorder`, and without the link's `backgroundDelay`"
      case .restartKeeps: "facts are those of a run without `kill` and `reboot`"
      case .sameAsIdeal:
        "a run that has settled ends as one with the same acts and without faults: with the same facts of each name in"
          + " `lasting`, or else with the same last fact of each name"
      case .owedIsSaid:
        "a failed message's error handler is called; with `{ sent: \"asked\", said: [\"answered\", \"gaveUp\"], by: \"id\" }`,"
          + " each fact `sent` is followed by one of `said` with an equal field `by` (`id`)"
      case .noMainThreadStall:
        "no callback and no act holds the session's queue or the main queue for longer than `longerThan` (duration, 1ms to"
          + " 1h; 250ms)"
      case .delegateIsolation: "no handler traps because it is isolated to another actor than its queue's"
      }
    }

    /// The `kind` of the lines `app.finding` that break it, if any.
    var finding: String? {
      switch self {
      case .owedIsSaid: "owed"
      case .noMainThreadStall: "stall"
      case .idempotent, .lateCopy, .restartKeeps, .sameAsIdeal, .delegateIsolation: nil
      }
    }

    /// The name of its violations.
    package var invariant: String { "app-\(rawValue)" }
  }

  /// The name of the violations of what a sweep compares by itself.
  package static let sameAsIdealInvariant = Kind.sameAsIdeal.invariant
  /// The names of the checks that compare two runs: what breaks an expectation mostly breaks these, too.
  package static let comparingInvariants = Set(Kind.allCases.filter(\.comparesRuns).map(\.invariant))

  var kind: Kind
  /// The facts that are compared; all for nil.
  var facts: [String]?
  /// Names of facts, or `name.field`, that ``Kind/sameAsIdeal`` ignores.
  var except: [String] = []
  /// Whether the scenario switches off a check that a sweep would make by itself.
  var isOff = false
  /// Whether a sweep makes it although the scenario says nothing of it: then no trace names it.
  var isImplied = false
  /// How long a queue may be held; nil for ``stallDefault``.
  var stallMax: VirtualTime.Span?
  /// The facts about what was sent, if any.
  var owed: OwedFacts?

  /// How long a queue may be held by default.
  static let stallDefault = VirtualTime.Span.milliseconds(250)

  /// How a check is read, written and described.
  static func schema(_ kind: Kind) -> ObjectSchema<Self> {
    let facts = Field<Self>(
      "facts", \.facts, .array(of: .factName, count: 1...1_000), "the names of the facts that are compared",
      .otherwise("all"))
    let longerThan = Field<Self>(
      "longerThan", \.stallMax, .duration(.milliseconds(1)...(.hours(1))), "how long a queue may be held",
      .otherwise(DurationText.text(stallDefault)))
    let owed = OwedFacts.fields.map { $0.within(\Self.owed, standard: OwedFacts()) }
    let lasting = Field<Self>(
      "lasting", \.facts, .array(of: .factName, count: 1...1_000),
      "the names of the facts that must all be the same, in any order", .otherwise("the last fact of each name"))
    let except = Field<Self>(
      "except", \.except, .array(of: .factOrField, count: 1...1_000),
      "what may differ: names of facts, or `name.field`", .otherwise("nothing"))
    let fields: [Field<Self>] =
      switch kind {
      case .idempotent, .lateCopy, .restartKeeps: [facts]
      case .sameAsIdeal: [lasting, except]
      case .noMainThreadStall: [longerThan]
      case .owedIsSaid: owed
      case .delegateIsolation: []
      }
    let name = "checks.\(kind.rawValue)"
    return ObjectSchema(name, "The keys of this check.", Self(kind: kind), fields) { check, reader in
      guard let owed = check.owed, owed.sent.isEmpty || owed.said.isEmpty else { return true }
      reader.error("found one of `sent`, `said` and `by`, expected `sent` and at least one name in `said`")
      return false
    }
  }

  /// What a scenario has for a check: its object, and for one that a sweep makes by itself also `false`.
  static func value(_ kind: Kind) -> ValueSchema<Self> {
    let object = ValueSchema.object(schema(kind))
    guard kind == .sameAsIdeal else { return object }
    return ValueSchema(
      .named("object, or false", .either([object.description, .bool])),
      read: { value in
        guard case .bool(let isOn) = value.node.value else { return object.read(value) }
        guard !isOn else {
          value.refuse(expected: "an object, or false")
          return nil
        }
        return Self(kind: kind, isOff: true)
      },
      write: { check, style in check.isOff ? .bool(false) : object.write(check, style) })
  }

  /// What is so without the key.
  static func standard(_ kind: Kind) -> String {
    kind == .sameAsIdeal ? "off; in a sweep `{}`" : "off"
  }

  /// The member for the app's process, if any.
  var appMember: JSONMember? {
    switch kind {
    case .owedIsSaid: return JSONMember(kind.rawValue, .object([]))
    case .noMainThreadStall:
      let span = stallMax ?? Self.stallDefault
      return JSONMember(kind.rawValue, .fields(["longerThan": .string("\(span.nanoseconds)ns")]))
    case .idempotent, .lateCopy, .restartKeeps, .sameAsIdeal, .delegateIsolation: return nil
    }
  }
}

extension ValueSchema where Value == String {
  /// The name of a fact.
  static var factName: Self {
    string.satisfying("the name of a fact") { AppFact.isName($0) && !AppFact.reserved.contains($0) }
  }
}

extension ValueSchema where Value == String {
  /// The name of a fact, or of one of its fields: `lap`, `lap.at`.
  static var factOrField: Self {
    string.satisfying("the name of a fact, or `name.field`") { text in
      let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard AppFact.isName(parts[0]), !AppFact.reserved.contains(parts[0]) else { return false }
      return parts.count == 1 || !parts[1].isEmpty
    }
  }
}

extension Scenario {
  /// The checks that are made.
  var madeChecks: [AppCheck] { checks.filter { !$0.isOff } }

  /// Compares an app's runs with those without faults, unless the scenario says how, or that it does not.
  ///
  /// - Parameter isImplied: Whether the scenario's traces stay as they are without the check.
  /// - Returns: Whether that is new.
  @discardableResult
  package mutating func addSameAsIdeal(isImplied: Bool) -> Bool {
    guard !appRoles.isEmpty, self[.sameAsIdeal] == nil else { return false }
    self[.sameAsIdeal] = AppCheck(kind: .sameAsIdeal, isImplied: isImplied)
    return true
  }

  /// A check that the scenario has or switches off; nil for neither.
  subscript(kind: AppCheck.Kind) -> AppCheck? {
    get { checks.first { $0.kind == kind } }
    set { checks = checks.filter { $0.kind != kind } + [newValue].compactMap(\.self) }
  }
}

/// The facts of a run that a check compares: how often each was recorded.
struct FactCount: Sendable, Equatable {
  /// One fact with its fields, on one device.
  struct Fact: Hashable, Sendable {
    var node: TraceEvent.Place
    var text: String
  }

  private let names: [String]?
  private let except: Set<String>
  /// Whether only the last fact of each name counts.
  private let onlyLast: Bool
  /// The last fact of each name on each device, with ``onlyLast``.
  private var last: [String: Fact] = [:]
  private(set) var counts: [Fact: Int] = [:]
  /// The latest line of each, and its time.
  private(set) var lines: [Fact: (line: Int, time: VirtualTime)] = [:]
  /// Actions of the apps that virtual time does not control, because of which a second run may differ.
  private(set) var uncontrolled: Set<String> = []

  /// The kinds of `app.finding` about such actions.
  private static let uncontrolledKinds: Set = ["child", "network", "signal-timer", "system-call"]

  init(_ check: AppCheck) {
    names = check.facts
    except = Set(check.except)
    onlyLast = check.kind == .sameAsIdeal && names == nil
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.counts == rhs.counts }

  mutating func observe(_ event: TraceEvent, line: Int) {
    guard event.place == .watch || event.place == .phone, event.name.text.hasPrefix(AppFact.family) else { return }
    let name = String(event.name.text.dropFirst(AppFact.family.utf8.count))
    if case .appFinding(let finding) = event.body, Self.uncontrolledKinds.contains(finding.kind) {
      uncontrolled.insert(finding.kind)
    }
    guard !AppFact.reserved.contains(name), names?.contains(name) ?? true, !except.contains(name) else { return }
    var text = name
    for field in event.fields where except.isEmpty || !except.contains("\(name).\(field.key)") {
      text += " \(field.key)="
      field.value.append(to: &text)
    }
    let fact = Fact(node: event.place, text: text)
    if onlyLast, let earlier = last.updateValue(fact, forKey: "\(event.place.text) \(name)") { counts[earlier] = nil }
    counts[fact, default: 0] += 1
    lines[fact] = (line, event.time)
  }

  /// The differences from the expected facts, in a fixed order.
  func differences(from expected: FactCount) -> [(fact: Fact, found: Int, expected: Int)] {
    Set(counts.keys).union(expected.counts.keys)
      .map { ($0, counts[$0] ?? 0, expected.counts[$0] ?? 0) }
      .filter { $0.1 != $0.2 }
      .sorted { ($0.0.node.rawValue, $0.0.text) < ($1.0.node.rawValue, $1.0.text) }
  }
}

/// Judges one check during the run.
struct AppCheckJudge: Sendable {
  let check: AppCheck
  /// The facts without the faults; nil, with the reason, if that run broke off.
  let expected: FactCount?
  let obstacle: String?
  private var found: FactCount
  private var owed: OwedCount?
  private var settling: RunSettling
  /// Why the run for comparison had not settled at its end; nil if it had.
  private let unsettled: String?
  /// Lines of the app's session that break the check.
  private var findings: [Violation] = []

  /// The limit of differences reported for a check.
  private static let differencesMax = 5

  /// Creates a judge.
  ///
  /// - Parameters:
  ///   - expected: The facts of the run for comparison; nil if there is none, or if it broke off.
  ///   - obstacle: Why it broke off.
  ///   - unsettled: Why it had not settled at its end; nil if it had.
  ///   - acts: How many acts of users the run has.
  init(
    _ check: AppCheck, expected: FactCount? = nil, obstacle: String? = nil, unsettled: String? = nil, acts: Int = 0
  ) {
    self.check = check
    settling = RunSettling(acts: acts)
    self.unsettled = unsettled
    self.expected = expected
    self.obstacle = obstacle
    found = FactCount(check)
    owed = check.owed.map { OwedCount($0) }
  }

  mutating func observe(_ event: TraceEvent, line: Int) {
    if check.kind.comparesRuns {
      if event.isBelieved { settling.observe(event) }
      return found.observe(event, line: line)
    }
    owed?.observe(event, line: line)
    guard let kind = check.kind.finding, case .appFinding(let finding) = event.body, finding.kind == kind,
      findings.count < Self.differencesMax
    else { return }
    findings.append(
      Violation(
        invariant: check.kind.invariant, time: event.time,
        detail: "the \(event.place.text): \(finding.text)", lines: [line]))
  }

  /// The violation of the check in a run that its app has ended, if any.
  func violation(of end: ProgramEnd, line: Int) -> Violation? {
    guard check.kind == .delegateIsolation, end.isIsolationTrap else { return nil }
    return Violation(
      invariant: check.kind.invariant, time: end.time,
      detail:
        "the \(end.role.text)'s app trapped: code that is isolated to an actor was called on another queue, as the "
        + "session calls delegates and handlers on a queue of its own", lines: [line])
  }

  /// The violations of the check.
  func violations(at end: VirtualTime, line: Int) -> [Violation] {
    guard check.kind.comparesRuns else {
      let left = owed.map { owed in
        owed.left.prefix(Self.differencesMax).map { text, line, time in
          Violation(
            invariant: check.kind.invariant, time: time,
            detail: "\(text), expected \(owed.expected) with it afterwards",
            lines: [line])
        }
      }
      return findings + (left ?? [])
    }
    let without = check.kind.without
    guard let expected else {
      return [
        Violation(
          invariant: check.kind.invariant, time: end,
          detail: "the run without \(without), which it needs for comparison, broke off: \(obstacle ?? "unknown")",
          lines: [line])
      ]
    }
    let left = settling.obstacle
    // RunWarnings says that it was not judged.
    guard check.kind != .sameAsIdeal || left == nil else { return [] }
    let kinds = found.uncontrolled.union(expected.uncontrolled).sorted().joined(separator: ", ")
    var doubt =
      kinds.isEmpty
      ? "" : "; the app does what virtual time does not control (\(kinds)), so two runs may differ by themselves"
    if left != unsettled {
      doubt += (left.map { "; in this run \($0)" } ?? "") + (unsettled.map { "; in that run \($0)" } ?? "")
    }
    return found.differences(from: expected).prefix(Self.differencesMax).map { fact, count, wanted in
      // A missing fact has no line.
      let place = found.lines[fact]
      return Violation(
        invariant: check.kind.invariant, time: place?.time ?? end,
        detail: "the \(fact.node.text) recorded \(fact.text) \(StoryText.count(count, "time")), expected "
          + "\(StoryText.count(wanted, "time")) as in the run without \(without)\(doubt)",
        lines: place.map { [$0.line] } ?? [])
    }
  }
}
