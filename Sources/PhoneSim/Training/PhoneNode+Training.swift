import CoachProtocol
import Link

/// Training sessions in the unified form.
extension PhoneNode {
  /// Lets the part act, stores the changes, and records the events.
  ///
  /// - Returns: Whether there is something to commit.
  @discardableResult
  mutating func updateTraining(
    at now: VirtualTime, into output: inout NodeOutput,
    _ body: (inout TrainingBook, _ clock: Int64, inout TrainingBook.Orders) -> Void
  ) -> Bool {
    guard var part = training else { return false }
    // One owner, so that no table is copied.
    training = nil
    var orders = TrainingBook.Orders()
    body(&part, clock.reading(at: now), &orders)
    training = part
    for change in orders.changes { persist(.training(change), into: &output) }
    if output.isRecording {
      for event in orders.events { output.record(TraceEvent(type(of: event).name, at: now, on: .phone, event.fields)) }
    }
    return !orders.changes.isEmpty
  }

  /// Stores athlete, horse and competition at the first start.
  mutating func beginTraining(at now: VirtualTime, into output: inout NodeOutput) {
    if updateTraining(at: now, into: &output, { $0.begin(clock: $1, into: &$2) }) { output.items.append(.commit) }
  }

  /// Carries out an act of the user.
  mutating func carryOutTraining(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    guard let act = TrainingCommand(command), training != nil else {
      return refuse(command.name, why: "the app stores no training sessions", at: now, into: &output)
    }
    guard !isDiskFull else {
      return refuse(command.name, why: SessionError.insufficientSpace.rawValue, at: now, into: &output)
    }
    var reason: String?
    let hasChanged = updateTraining(at: now, into: &output) { reason = $0.carryOut(act, clock: $1, into: &$2) }
    if hasChanged { output.items.append(.commit) }
    if let reason { refuse(command.name, why: reason, at: now, into: &output) }
  }
}
