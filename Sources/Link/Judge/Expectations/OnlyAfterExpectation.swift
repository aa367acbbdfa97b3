/// `{ onlyAfter: event, act, after: { event }, until: { event }, once }`: the event happens only where a user or another
/// event has permitted it.
public struct OnlyAfterExpectation: Expectation {
  public static let key = "onlyAfter"
  public static let keys = ["onlyAfter", "act", "after", "until", "once", "where"]
  public static let about =
    "A matching event happens only after an act of a user, which `act` names, or after an event that `after` gives. With"
    + " `until`, a permission ends at such an event. With `once: true` each act or event permits one matching event on"
    + " each device."

  private let pattern: EventPattern
  private let cause: Cause
  private let until: RelatedEvent?
  private let isOnce: Bool
  /// How many permissions were given since the last `until`, by the values of `same`.
  private var given: [String: Int] = [:]
  /// How many of them each device has used, by the values of `same`; counted with `once` only.
  private var used: [String: [TraceEvent.Place: Int]] = [:]
  private var first: VirtualTime?
  private var lines: [Int] = []
  /// The lines of the first permissions, which show that a pass is not vacuous.
  private var permissions: [Int] = []
  private var isFull = false

  /// The limit of different values of `same`; events with further ones are not judged.
  private static let valuesMax = 100_000

  /// What permits an event.
  private enum Cause: Sendable {
    case act(EventPattern, name: String)
    case event(RelatedEvent)

    var pattern: EventPattern {
      switch self {
      case .act(let pattern, _): pattern
      case .event(let related): related.pattern
      }
    }

    var text: String {
      switch self {
      case .act(_, let name): "no act \(quoted(name))"
      case .event(let related):
        "no \(related.pattern.name.text)"
          + (related.same.isEmpty ? "" : " with the same \(related.same.joined(separator: ", "))")
      }
    }
  }

  public init?(_ reader: JSONObjectReader) {
    let pattern = EventPattern(reader, key: Self.key)
    let act = reader.string("act")
    let after = reader.object("after") { RelatedEvent($0, of: pattern?.name) }
    let until = reader.object("until") { RelatedEvent($0, of: pattern?.name) }
    let isOnce = reader.bool("once")
    guard let pattern, (act != nil) == reader.has("act"), (after != nil) == reader.has("after"),
      (until != nil) == reader.has("until"), (isOnce != nil) == reader.has("once")
    else { return nil }
    switch (act, after) {
    case (let act?, nil):
      cause = .act(EventPattern(name: AppActTaken.name, equal: [("do", .string(act))]), name: act)
    case (nil, let after?): cause = .event(after)
    case (nil, nil), (.some, .some):
      reader.error("found \(act == nil ? "neither" : "both"), expected one of the keys \"act\" and \"after\"")
      return nil
    }
    if let until, !until.same.isEmpty, until.same != after?.same {
      reader.error("the fields in \"same\" of \"until\" must be those of \"after\"")
      return nil
    }
    self.pattern = pattern
    self.until = until
    self.isOnce = isOnce ?? false
  }

  public var derivedScope: VerdictScope { .derived(.safety, of: pattern.name) }

  public var interests: [TraceEvent.Name] {
    [pattern.name, cause.pattern.name] + (until.map { [$0.pattern.name] } ?? [])
  }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    if let until, until.pattern.matches(event) { close(until, event) }
    if pattern.matches(event), !isPermitted(event) {
      if first == nil { first = event.time }
      if lines.count < ExpectationResult.linesMax { lines.append(line) }
    }
    // An event is not after itself.
    guard cause.pattern.matches(event) else { return }
    let values = if case .event(let related) = cause { related.values(of: event) } else { "" }
    guard given[values] != nil || given.count < Self.valuesMax else { return isFull = true }
    given[values, default: 0] += 1
    if permissions.count < ExpectationResult.linesMax { permissions.append(line) }
  }

  private mutating func close(_ until: RelatedEvent, _ event: TraceEvent) {
    if until.same.isEmpty {
      given = [:]
      used = [:]
    } else {
      let values = until.values(of: event)
      given[values] = nil
      used[values] = nil
    }
  }

  private mutating func isPermitted(_ event: TraceEvent) -> Bool {
    let values = if case .event(let related) = cause { related.expectedValues(of: event) } else { "" }
    guard let permitted = given[values] else { return isFull }
    guard isOnce else { return true }
    // It has no more values than `given`, which is bounded.
    let count = (used[values]?[event.place] ?? 0) + 1
    used[values, default: [:]][event.place] = count
    return count <= permitted
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    if let first {
      let why = isOnce ? "\(cause.text) before it that no other has used" : "\(cause.text) before it"
      let end = until.map { ", or \($0.pattern.name.text) since" } ?? ""
      return ExpectationResult(
        .fail, why: "\(pattern.name.text) at \(first.durationText), with \(why)\(end)", lines: lines)
    }
    if isFull { return ExpectationResult(.unknown, why: "more than \(Self.valuesMax) different values of \"same\"") }
    guard ending.isComplete else {
      return ExpectationResult(.unknown, why: "no \(pattern.name.text) without one so far (the trace is truncated)")
    }
    return ExpectationResult(.pass, lines: permissions)
  }
}
