/// The stretches of a run that begin with an `after` event, and end with an `until` event or when `for` is over.
///
/// Without `after` there is one, from the start. Events that agree in the fields of `same` have stretches of their own.
struct EventScope: Sendable {
  static let keys = ["after", "until", "for"]

  /// The limit of stretches that are open at the same time; later ones are not judged.
  static let openMax = 1_000_000

  private let after: RelatedEvent?
  private let until: RelatedEvent?
  private let length: VirtualTime.Span?
  // When and where each stretch began, by the values of `same`. Used for lookup only, never iterated.
  private var open: [String: (time: VirtualTime, line: Int)] = [:]
  private(set) var isFull = false
  /// The lines of the first `after` events, which show that a pass is not vacuous.
  private(set) var begins: [Int] = []

  /// Reads the three keys beside an expectation of events with a name; nil after reporting an error.
  init?(_ reader: JSONObjectReader, of name: TraceEvent.Name?) {
    let after = reader.object("after") { RelatedEvent($0, of: name) }
    let until = reader.object("until") { RelatedEvent($0, of: name) }
    let length = reader.duration("for")
    guard (after != nil) == reader.has("after"), (until != nil) == reader.has("until"),
      (length != nil) == reader.has("for")
    else { return nil }
    if length != nil, after == nil {
      reader.error("\"for\" needs \"after\"")
      return nil
    }
    if let until, !until.same.isEmpty, until.same != after?.same {
      reader.error("the fields in \"same\" of \"until\" must be those of \"after\"")
      return nil
    }
    self.after = after
    self.until = until
    self.length = length
    if after == nil { open[""] = (.start, 1) }
  }

  /// Whether its stretches end after a time.
  var hasLength: Bool { length != nil }

  /// Whether one of the three keys is given.
  var isGiven: Bool { after != nil || until != nil }

  var interests: [TraceEvent.Name] { [after, until].compactMap { $0?.pattern.name } }

  /// Whether no stretch can begin any more.
  var isOver: Bool { after == nil && open.isEmpty }

  /// Ends stretches at an `until` event; call it before ``beginning(of:)``.
  mutating func close(_ event: TraceEvent) {
    guard let until, until.pattern.matches(event) else { return }
    if until.same.isEmpty {
      open.removeAll(keepingCapacity: true)
    } else {
      open[until.values(of: event)] = nil
    }
  }

  /// Where the stretch began that has this event in it; nil if none has.
  func beginning(of event: TraceEvent) -> Int? {
    guard let begin = open[after?.expectedValues(of: event) ?? ""] else { return nil }
    if let length, event.time > begin.time + length { return nil }
    return begin.line
  }

  /// Begins a stretch at an `after` event; call it last, as an event is not after itself.
  mutating func open(_ event: TraceEvent, line: Int) {
    guard let after, after.pattern.matches(event) else { return }
    if begins.count < ExpectationResult.linesMax { begins.append(line) }
    let values = after.values(of: event)
    if open.count >= Self.openMax, open[values] == nil {
      isFull = true
    } else {
      open[values] = (event.time, line)
    }
  }

  /// What an event lacks that is in no stretch.
  var missing: String {
    guard let after else { return until.map { "after \($0.pattern.name.text)" } ?? "" }
    let limit = length.map { " in the \(DurationText.text($0))" } ?? ""
    let same = after.same.isEmpty ? "" : " with the same \(after.same.joined(separator: ", "))"
    let end = until.map { ", or \($0.pattern.name.text) since" } ?? ""
    return "no \(after.pattern.name.text)\(same)\(limit) before it\(end)"
  }
}

/// Another event that an expectation refers to: `{ event, where, same }`.
///
/// `same` lists fields that both must agree in; as an object it has the name in the expected event, then in this one.
struct RelatedEvent: Sendable {
  let pattern: EventPattern
  /// The fields of the expected event.
  let same: [String]
  private let theirs: [String]

  /// Reads the object; nil after reporting an error.
  ///
  /// - Parameter name: The name of the expected events.
  init?(_ reader: JSONObjectReader, of name: TraceEvent.Name?) {
    let pattern = EventPattern(reader, key: "event")
    var pairs: [(ours: String?, theirs: String?)] = []
    if let value = reader.value("same") {
      if case .object = value.node.value, let object = value.object() {
        for member in object.members {
          guard let other = object.value(member.key) else { continue }
          let isOurs = EventPattern.isField(member.key, of: name, at: other)
          pairs.append((isOurs ? member.key : nil, EventPattern.field(other, of: pattern?.name)))
        }
      } else {
        for element in value.array(count: 0...16) ?? [] {
          pairs.append((EventPattern.field(element, of: name), EventPattern.field(element, of: pattern?.name)))
        }
      }
      if pairs.isEmpty { value.error("found no field, expected at least one") }
    }
    guard let pattern, pairs.isEmpty != reader.has("same") else { return nil }
    same = pairs.compactMap(\.ours)
    theirs = pairs.compactMap(\.theirs)
    guard same.count == pairs.count, theirs.count == pairs.count else { return nil }
    self.pattern = pattern
  }

  /// The values of this event, to be compared.
  func values(of event: TraceEvent) -> String { Self.values(theirs, event) }

  /// The values of an expected event, to be compared.
  func expectedValues(of event: TraceEvent) -> String { Self.values(same, event) }

  private static func values(_ keys: [String], _ event: TraceEvent) -> String {
    keys.isEmpty ? "" : keys.map { EventPattern.text(of: $0, event) }.joined(separator: ",")
  }
}

/// The faults under which an expectation is judged.
///
/// It follows from the expectation's form, unless its key `scope` says otherwise.
public enum VerdictScope: String, CaseIterable, Sendable {
  /// Holds at every instant, under any faults: nothing bad happens.
  case safety
  /// Holds at the end of a run that has settled, under any faults: something good happens in the end.
  case eventual
  /// Holds with the faults of the scenario as it is written.
  case timed

  /// The key that overrides the derived scope.
  public static let key = "scope"

  /// When it is judged, for `validate --explain` and the reference page.
  public var about: String {
    switch self {
    case .safety: "under any faults"
    case .eventual: "under any faults, at the end of a run that has settled"
    case .timed: "only with the faults of the scenario as written"
    }
  }

  /// The scope of an expectation about events of a name.
  ///
  /// What links, faults and belief do is a matter of the faults, and a best-effort message may be lost: such events are
  /// expected of a scenario's own faults. Facts of apps, and what devices store and deliver for good, are not.
  static func derived(_ scope: Self, of name: TraceEvent.Name) -> Self {
    name.text.hasPrefix(AppFact.family) || lasting.contains(name.text) ? scope : .timed
  }

  /// Events of this package that happen in the end under any faults, where they are to happen at all.
  private static let lasting: Set<String> = [TransferDelivered.name.text]
}

/// Whether a run has settled: its faults have ended, both apps run, and all that its users did had an effect: every act
/// was taken, no command met a device that was down or refused it.
package struct RunSettling: Sendable {
  /// The events that it must receive.
  static let interests: [TraceEvent.Name] = [
    NodeKilled.name, NodeStarted.name, NodeSuspended.name, NodeResumed.name, AppActTaken.name, CommandDropped.name,
    CommandRefused.name,
  ]

  /// How many acts the scenario has.
  let acts: Int
  private var taken = 0
  /// The devices whose app is dead or suspended.
  private var down: [NodeRole] = []
  /// How many commands had no effect.
  private var missed = 0

  /// Creates one for a run with so many acts.
  package init(acts: Int) { self.acts = acts }

  /// Observes the next event.
  package mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .nodeKilled(let killed): set(killed.target, isDown: true)
    case .nodeSuspended(let suspended): set(suspended.target, isDown: true)
    case .nodeStarted(let started): set(started.target, isDown: false)
    case .nodeResumed(let resumed): set(resumed.target, isDown: false)
    default:
      switch event.name {
      case AppActTaken.name: taken += 1
      case CommandDropped.name, CommandRefused.name: missed += 1
      default: break
      }
    }
  }

  private mutating func set(_ role: NodeRole, isDown: Bool) {
    down.removeAll { $0 == role }
    if isDown { down.append(role) }
  }

  /// Why the run has not settled at its end; nil if it has.
  package var obstacle: String? {
    if let role = down.first { return "the \(role.text)'s app does not run at the end" }
    if taken < acts { return "\(acts - taken) of \(acts) acts \(acts - taken == 1 ? "was" : "were") not taken" }
    return missed > 0 ? "\(missed) command\(missed == 1 ? "" : "s") had no effect" : nil
  }
}
