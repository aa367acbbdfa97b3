package import Link

/// `end-was-wanted`: the phone orders the end of a run only if the athlete ended it there or its start was taken back.
package struct EndWasWantedChecker: Checker {
  package static let invariant = "end-was-wanted"
  package static let about =
    "Every `endWorkout` that reaches the watch names a run that the athlete ended on the phone, or one whose start the phone had taken back."

  /// Runs that are remembered of each kind; older ones count as unwanted.
  private static let runsMax = 256

  private var cancelled: [Identifier] = []
  private var wanted: [Identifier] = []
  /// Whether the phone writes what it believes; another program's does not, and is not judged.
  private var speaks = false

  package init(header: TraceHeader) {}

  package mutating func startCancelled(_ start: StartCancelled, at event: Occurrence, into report: inout Report) {
    Self.remember(start.runId, in: &cancelled)
  }

  package mutating func endAsked(_ end: EndAsked, at event: Occurrence, into report: inout Report) {
    speaks = true
    if end.by == .cancelledStart, !cancelled.contains(end.runId) {
      report.add(
        "the phone ordered the end of run \(end.runId.text) because of a cancelled start, but had not cancelled it",
        at: event.time, lines: [event.line])
    }
    Self.remember(end.runId, in: &wanted)
  }

  package mutating func runOpened(_: RunOpened, at event: Occurrence, into report: inout Report) {
    if event.place == .phone { speaks = true }
  }

  package mutating func runState(_: RunStateChanged, at event: Occurrence, into report: inout Report) {
    if event.place == .phone { speaks = true }
  }

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    guard speaks, event.place == .watch, message.kind == "endWorkout" else { return }
    if let runId = message.workoutId, wanted.contains(runId) { return }
    let what =
      message.workoutId.map {
        "the watch was ordered to end run \($0.text), but neither did the athlete end it nor was its start taken back"
      } ?? "the watch was ordered to end a run, but the order names none"
    report.add(what, at: event.time, lines: [event.line])
  }

  private static func remember(_ runId: Identifier, in list: inout [Identifier]) {
    guard !list.contains(runId) else { return }
    if list.count == runsMax { list.removeFirst() }
    list.append(runId)
  }
}
