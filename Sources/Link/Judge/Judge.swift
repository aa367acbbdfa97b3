/// Passes each event of a trace to the checkers, and collects their violations.
public struct Judge: Sendable {
  /// The most violations kept for each invariant; further ones are only counted.
  public static let violationsMax = 20

  private var parts: [any JudgingPart]
  private var frames = FrameLog()
  private var found: [Violation] = []
  /// The number of violations of each broken invariant.
  private var counts: [String: Int] = [:]
  /// The latest time so far, and its last line.
  private var latest = (time: VirtualTime.start, line: 1)
  /// How the trace ended, as far as it was observed.
  public private(set) var ending = TraceEnding(isComplete: false, time: .start, line: 1)
  private var isFinished = false

  /// Creates a judge for the trace that begins with `header`.
  ///
  /// - Parameters:
  ///   - header: The header of the trace.
  ///   - parts: The checkers: `LinkCheckers` of the module `LinkCheckers`, and those of the app.
  public init(header: TraceHeader, parts: [any JudgingPart.Type]) {
    self.parts = parts.map { $0.init(header: header) }
  }

  /// Creates a judge with single checkers.
  public init(header: TraceHeader, checkers: [any Checker.Type]) {
    self.init(header: header, parts: checkers.map { $0.part })
  }

  /// Observes the next event; `line` is its number in the trace, whose header is line 1.
  ///
  /// Ignores the verdict in the `end` event, which a runner may not know yet.
  public mutating func observe(_ event: TraceEvent, line: Int) {
    ending.time = event.time
    ending.line = line
    if event.time < latest.time { observeStepBack(event, line) } else { latest = (event.time, line) }
    guard let kind = event.catalogIndex else { return }
    guard Self.believed[kind].contains(event.place) else { return refuse(event, line) }
    if case .end = event.body { ending.isComplete = true }
    // Not from the whole event: an initialiser takes a copy of it.
    var place = Occurrence(time: event.time, place: event.place, line: line, kind: kind)
    frames.complete(event.body, &place)
    for index in parts.indices where parts[index].observe(event.body, at: place) { keepViolations(of: index) }
  }

  /// As ``observe(_:line:)``, of an event that comes as a value.
  @_specialize(where Kind == FrameSent)
  @_specialize(where Kind == FrameDelivered)
  @_specialize(where Kind == MessageReceived)
  @_specialize(where Kind == SnapshotPublished)
  @_specialize(where Kind == SnapshotFresh)
  public mutating func observe<Kind: FrequentKind>(
    value event: Kind, at time: VirtualTime, on source: TraceEvent.Place, line: Int
  ) {
    guard time >= latest.time, !Kind.isReserved || Kind.places.contains(source) else {
      return observe(TraceEvent(event, at: time, on: source), line: line)
    }
    ending.time = time
    ending.line = line
    latest = (time, line)
    var place = Occurrence(time: time, place: source, line: line, kind: Kind.kind)
    frames.complete(event, &place)
    for index in parts.indices where parts[index].observe(value: event, at: place) { keepViolations(of: index) }
  }

  /// The places whose lines are believed, by kind of event.
  private static let believed: [TraceEvent.Writers] = EventCatalog.all.map(\.name.writers)

  /// Reports a line from a place that may not write it.
  @inline(never)
  private mutating func refuse(_ event: TraceEvent, _ line: Int) {
    keep(ReservedEvents.violation(by: event, line: line))
  }

  @inline(never)
  private mutating func observeStepBack(_ event: TraceEvent, _ line: Int) {
    for index in parts.indices {
      parts[index].observeStepBack(event, line: line, from: latest.time, on: latest.line)
      keepViolations(of: index)
    }
  }

  /// Ends the judging and returns its result; call it once.
  public mutating func finish() -> Judgement {
    precondition(!isFinished, "a judge finishes once")
    isFinished = true
    for index in parts.indices {
      parts[index].finish(ending)
      keepViolations(of: index)
    }
    // In the order of the trace; violations of one instant keep the order in which they were found.
    let sorted = found.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    let omitted = parts.flatMap { type(of: $0).all }.map { ($0.invariant, counts[$0.invariant] ?? 0) }
      .filter { $0.1 > Self.violationsMax }
    return Judgement(
      verdict: found.isEmpty ? (ending.isComplete ? .pass : .unknown) : .fail, violations: sorted.map(\.element),
      omitted: omitted.map { Judgement.Omitted(invariant: $0.0, count: $0.1 - Self.violationsMax) })
  }

  private mutating func keepViolations(of part: Int) {
    for violation in parts[part].takeViolations() { keep(violation) }
  }

  private mutating func keep(_ violation: Violation) {
    let count = counts[violation.invariant, default: 0] + 1
    counts[violation.invariant] = count
    if count <= Self.violationsMax { found.append(violation) }
  }
}

/// The result of judging a trace.
public struct Judgement: Sendable, Equatable {
  /// Whether all held.
  ///
  /// A truncated trace without violations is not a pass.
  public enum Verdict: String, Sendable { case pass, fail, unknown }

  /// Whether all held.
  public var verdict: Verdict
  /// The violations, by time.
  public var violations: [Violation]
  /// The violations that were counted and not kept, by invariant.
  public var omitted: [Omitted]

  /// Violations that were counted and not kept.
  public struct Omitted: Sendable, Equatable {
    /// The invariant.
    public var invariant: String
    /// Their number.
    public var count: Int
  }
}

/// The invariants that a program judges runs with.
public struct Invariants: Sendable {
  /// The link's, in the order of evaluation.
  public let ofLink: any JudgingPart.Type
  /// The coach's, which are evaluated after them.
  public let ofCoach: any JudgingPart.Type

  public init(ofLink: any JudgingPart.Type, ofCoach: any JudgingPart.Type) {
    self.ofLink = ofLink
    self.ofCoach = ofCoach
  }

  public var all: [any Checker.Type] { ofLink.all + ofCoach.all }
}

/// Lines that only the runner and the medium may write.
public enum ReservedEvents {
  /// The invariant that a node breaks by writing one.
  public static let invariant = "reserved-events"

  /// The violation of a line from a place that may not write it.
  static func violation(by event: TraceEvent, line: Int) -> Violation {
    Violation(
      invariant: invariant, time: event.time,
      detail:
        "the \(event.place.text) wrote \(event.name.text), which is not its to write; no checker believes the line",
      lines: [line])
  }
}
