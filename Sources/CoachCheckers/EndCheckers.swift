import CoachReference
package import Link

/// `end-finishes-run`: no summary of a run is lost.
package struct EndFinishesRunChecker: Checker {
  package static let invariant = "end-finishes-run"
  package static let about =
    "A delivered `workoutEnded` that names a saved workout finishes the phone's run of that workout at the same instant, unless it is finished already."

  /// Workouts that are remembered; older ones are not judged.
  private static let workoutsMax = 256

  private var opened: [Identifier] = []
  private var finished: [Identifier] = []
  /// An end that was delivered, and has not finished its run yet.
  private var pending: (workoutId: Identifier, time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func runOpened(_ run: RunOpened, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    guard event.place == .phone else { return }
    Self.remember(run.workoutId, in: &opened)
  }

  package mutating func runFinished(_ run: RunFinished, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    guard event.place == .phone else { return }
    Self.remember(run.workoutId, in: &finished)
    if pending?.workoutId == run.workoutId { pending = nil }
  }

  package mutating func transferDelivered(
    _ transfer: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    pass(to: event, &report)
    guard event.place == .phone, transfer.details.kind == "workoutEnded", let workoutId = transfer.details.workoutId
    else { return }
    if pending != nil { judge(&report) }
    // Without a name the watch discarded the workout.
    guard transfer.details.healthKitWorkoutUUID != nil, opened.contains(workoutId),
      !finished.contains(workoutId)
    else { return }
    pending = (workoutId, event.time, event.line)
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let pending, event.time > pending.time { judge(&report) }
  }

  private static func remember(_ workoutId: Identifier, in list: inout [Identifier]) {
    guard !list.contains(workoutId) else { return }
    if list.count == workoutsMax { list.removeFirst() }
    list.append(workoutId)
  }

  private mutating func judge(_ report: inout Report) {
    guard let pending else { return }
    self.pending = nil
    report.add(
      "the end of workout \(pending.workoutId.text) was delivered, and did not finish its run", at: pending.time,
      lines: [pending.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    if ending.isComplete { judge(&report) }
  }
}

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

/// `ended-is-final`: a run that ended stays ended.
package struct EndedIsFinalChecker: Checker {
  package static let invariant = "ended-is-final"
  package static let about =
    "After a workout has ended, no message changes the phone's belief about it, nothing is dispatched for it, and its watch publishes nothing more, unless its app died before it had stored the end."

  private var ended: [Identifier: Int] = [:]
  private var finished: [Identifier: Int] = [:]
  private var belief = ReferenceBelief()
  /// The workout whose last snapshot reported its end, and whether the change of its state followed.
  ///
  /// A watch that wakes late publishes one snapshot for a start and an end, before it stores either.
  private var endedOnWatch: (workout: Identifier, line: Int, hasChanged: Bool)?
  /// The workout that changed its state to ended last.
  private var changed: Identifier?

  package init(header: TraceHeader) {}

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    guard state.to == WorkoutState.ended.text else { return }
    changed = state.workoutId
    if endedOnWatch?.workout == changed { endedOnWatch?.hasChanged = true }
  }

  package mutating func snapshot(_ snapshot: SnapshotPublished, at event: Occurrence, into report: inout Report) {
    observeSnapshot(snapshot.metrics, event, &report)
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    guard !dispatch.rank.isReply, let workout = belief.workout, let end = ended[workout] else { return }
    report.add(
      "\"\(dispatch.rank.message)\" was dispatched after the run ended", at: event.time, lines: [end, event.line])
  }

  package mutating func runFinished(_ run: RunFinished, at event: Occurrence, into report: inout Report) {
    // The only message allowed after the end, once; it may come just before or just after the end itself.
    if let before = finished[run.workoutId] {
      report.add("workout \(run.workoutId.text) was finished again", at: event.time, lines: [before, event.line])
    }
    finished[run.workoutId] = event.line
  }

  package mutating func runOpened(_ run: RunOpened, at event: Occurrence, into report: inout Report) {
    objectIfEnded(run.workoutId, event, &report)
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    objectIfEnded(run.workoutId, event, &report)
    _ = belief.observe(run)
    if belief.hasEnded { ended[run.workoutId] = event.line }
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    if endedOnWatch?.hasChanged == false, change.isUp(.watch) == false { endedOnWatch = nil }
  }

  private func objectIfEnded(
    _ workout: Identifier, _ event: Occurrence, _ report: inout Report
  ) {
    if let end = ended[workout] {
      report.add(
        "the \(event.place.text) changed what it knew about workout \(workout.text), which had ended",
        at: event.time, lines: [end, event.line])
    }
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ event: Occurrence, _ report: inout Report
  ) {
    let workout = metrics.workoutId
    if let end = endedOnWatch, end.workout == workout {
      report.add(
        "the watch published another snapshot of a workout that had ended", at: event.time,
        lines: [end.line, event.line])
    }
    if metrics.hasEnded { endedOnWatch = (workout, event.line, changed == workout) }
  }
}

/// `order-ends-its-run`: an order to end a workout does not reach the next one.
package struct OrderEndsItsRunChecker: Checker {
  package static let invariant = "order-ends-its-run"
  package static let about =
    "A workout that ends at the instant at which an `endWorkout` of the phone arrives was on when that was sent."

  /// Messages of the phone whose sending is remembered; older ones are not judged.
  private static let messagesMax = 1_024

  private struct Message {
    let epoch: Int64
    let seq: Int64
    let time: VirtualTime
    let line: Int
  }

  /// An order that has arrived.
  private struct Order {
    let sent: Message
    let time: VirtualTime
    let line: Int
  }

  private var messages: [Message] = []
  private var order: Order?
  /// When a `cancelStart` last arrived, which may end a workout that began after it was sent.
  private var cancelledAt: VirtualTime?
  /// The workout that began last.
  private var begun: (workoutId: Identifier, time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func frameSent(_: FrameSent, at event: Occurrence, into report: inout Report) {
    guard event.place == .phone, let frame = event.frame, frame.channel == .message, frame.kind == .data else {
      return
    }
    if messages.count == Self.messagesMax { messages.removeFirst(Self.messagesMax / 2) }
    messages.append(Message(epoch: frame.epoch, seq: frame.seq, time: event.time, line: event.line))
  }

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    guard event.place == .watch else { return }
    if message.kind == "cancelStart" { cancelledAt = event.time }
    guard message.kind == "endWorkout",
      let sent = messages.last(where: { $0.epoch == message.epoch && $0.seq == message.seq })
    else { return }
    order = Order(sent: sent, time: event.time, line: event.line)
  }

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    if state.from == nil { begun = (state.workoutId, event.time, event.line) }
    guard state.to == "ended", state.cause == "command", let order, order.time == event.time,
      cancelledAt != event.time, let begun, begun.workoutId == state.workoutId, begun.time > order.sent.time
    else { return }
    report.add(
      "workout \(state.workoutId.text) ended by an order that was sent before the workout began", at: event.time,
      lines: [order.sent.line, begun.line, order.line, event.line])
  }
}

/// The greatest age of a phone's command that the watch may obey, according to the trace.
///
/// The watch computes the age from the clock difference in a hello. The hello's travel time makes a command seem
/// younger than it is, by that much.
struct CommandAge: Sendable {
  private var hellos: [(frame: Int64, sent: VirtualTime)] = []
  /// The highest id among these frames; below 0 without any.
  private var newest: Int64 = -1
  private var longest = VirtualTime.Span.zero
  /// Whether a clock was ever wrong; then the age that the watch computes is unknown.
  private(set) var isUnknown = false

  mutating func observe(_ frame: FrameSent, at event: Occurrence) {
    guard frame.kind == .hello, event.place == .phone else { return }
    if hellos.count == 64 { hellos.removeFirst() }
    hellos.append((frame.id, event.time))
    newest = max(newest, frame.id)
  }

  mutating func observe(_ frame: FrameDelivered, at event: Occurrence) {
    // Fast path: nearly all frames are sent after the last hello.
    guard frame.id <= newest, newest >= 0, let hello = hellos.first(where: { $0.frame == frame.id }) else { return }
    longest = max(longest, event.time - hello.sent)
  }

  mutating func observe(_ fault: FaultBegan) { isUnknown = isUnknown || fault.kind == "clockSkew" }

  /// The greatest true age of an obeyed command with this lifetime.
  func limit(for life: VirtualTime.Span) -> VirtualTime.Span { life + longest }
}
