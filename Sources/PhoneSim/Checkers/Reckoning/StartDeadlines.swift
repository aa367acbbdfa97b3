import Link

/// What the phone must do about a start that nobody answers, as its lines tell: ask once more after exactly 10 s, and
/// report after 10 s more that it failed.
///
/// A phone that was away at one of these moments does it as soon as it is back; where 20 s have passed since it first
/// asked, it asks no more. Test traffic that asks for a run counts no attempts, and is not waited for.
struct StartDeadlines: Sendable {
  /// The lines that ``observe(_:line:)`` understands.
  static let interests: [TraceEvent.Name] =
    NodeLines.interests + ["start.asked", "start.acked", "start.declined", "start.failed", "start.cancelled"]

  /// What is wrong.
  struct Objection {
    let detail: String
    let time: VirtualTime
    let lines: [Int]
  }

  private struct Asking: Sendable {
    let run: Identifier
    let first: VirtualTime
    var last: VirtualTime
    var attempt: Int64
    var line: Int
  }

  private static let patience = VirtualTime.Span.seconds(10)

  private var asking: Asking?
  private var isPhoneUp = true
  private var upSince = VirtualTime.start

  /// When something must be done; nil where nothing is waited for, or the phone is away.
  private var due: VirtualTime? {
    guard isPhoneUp, let asking else { return nil }
    return max(asking.last + Self.patience, upSince)
  }

  /// Whether it is too late to ask again at a moment.
  private func isLate(_ time: VirtualTime, _ asking: Asking) -> Bool {
    time >= asking.first + Self.patience + Self.patience
  }

  /// Notes that a moment has come: all that was due before it should have been done.
  mutating func pass(to time: VirtualTime) -> Objection? {
    guard let asking, let due, time > due else { return nil }
    self.asking = nil
    let what = asking.attempt == 1 && !isLate(due, asking) ? "asked for again" : "reported as failed"
    return Objection(
      detail: "a start that nobody answered was not \(what) at \(due.nanoseconds) ns", time: due, lines: [asking.line])
  }

  /// Takes a line of interest.
  mutating func observe(_ event: TraceEvent, line: Int) -> Objection? {
    if let isUp = NodeLines.isPhoneUp(after: event) {
      isPhoneUp = isUp
      if isUp { upSince = event.time }
      return nil
    }
    guard event.place == .phone else { return nil }
    var fields = FieldCursor(event)
    guard let run = fields.identifier("runId") else { return nil }
    switch event.name.code {
    case Self.askedCode:
      guard let attempt = event["attempt"]?.integer else { return nil }
      return take(attempt: attempt, of: run, event, line)
    case TraceEvent.Name.Code.startFailed: return takeFailed(run, event, line)
    case Self.ackedCode, Self.cancelledCode, TraceEvent.Name.Code.startDeclined:
      if asking?.run == run { asking = nil }
      return nil
    default: return nil
    }
  }

  private mutating func take(attempt: Int64, of run: Identifier, _ event: TraceEvent, _ line: Int) -> Objection? {
    guard attempt > 1 else {
      asking = Asking(run: run, first: event.time, last: event.time, attempt: 1, line: line)
      return nil
    }
    guard let before = asking, before.run == run else { return nil }
    asking?.last = event.time
    asking?.attempt = attempt
    asking?.line = line
    let lines = [before.line, line]
    if before.attempt > 1 {
      return Objection(detail: "a start was asked for a third time", time: event.time, lines: lines)
    }
    if isLate(event.time, before) {
      return Objection(
        detail: "a start was asked for again \((event.time - before.first).seconds) s after the first time",
        time: event.time, lines: lines)
    }
    return early(event, before, lines)
  }

  private mutating func takeFailed(_ run: Identifier, _ event: TraceEvent, _ line: Int) -> Objection? {
    guard let before = asking, before.run == run else { return nil }
    asking = nil
    let lines = [before.line, line]
    if before.attempt == 1, !isLate(event.time, before) {
      return Objection(
        detail: "a start was given up that had been asked for but once", time: event.time, lines: lines)
    }
    return early(event, before, lines)
  }

  private func early(_ event: TraceEvent, _ before: Asking, _ lines: [Int]) -> Objection? {
    guard event.time < before.last + Self.patience else { return nil }
    return Objection(
      detail: "an answer was waited for \((event.time - before.last).seconds) s, not 10 s", time: event.time,
      lines: lines)
  }

  private static let askedCode = TraceEvent.Name("start.asked").code
  private static let ackedCode = TraceEvent.Name("start.acked").code
  private static let cancelledCode = TraceEvent.Name("start.cancelled").code
}
