package import Link

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
