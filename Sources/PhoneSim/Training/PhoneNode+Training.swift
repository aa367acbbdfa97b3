import CoachProtocol
import Link

/// Training sessions in the unified form.
extension PhoneNode {
  /// Lets the part act, stores the changes, records the events, and gives the rows that changed to the cloud.
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
    orders.clock = clock.reading(at: now)
    body(&part, orders.clock, &orders)
    training = part
    cloud?.push(orders.outgoing, from: 1, at: now, into: &orders)
    for change in orders.changes { persist(.training(change), into: &output) }
    record(orders, at: now, into: &output)
    return !orders.changes.isEmpty
  }

  private func record(_ orders: TrainingBook.Orders, at now: VirtualTime, into output: inout NodeOutput) {
    guard output.isRecording else { return }
    for event in orders.events { output.record(TraceEvent(event, at: now, on: .phone)) }
    for (act, why) in orders.refusals { refuse(act, why: why, at: now, into: &output) }
  }

  /// Stores athlete, horse and competition at the first start.
  mutating func beginTraining(at now: VirtualTime, into output: inout NodeOutput) {
    guard cloud == nil else {
      return updateCloud(at: now, into: &output) { cloud, book, truth, orders, other in
        book.begin(clock: orders.clock, into: &orders)
        cloud.begin(clock: truth, at: now, first: book, into: &orders, other: &other)
        orders.outgoing = []
      }
    }
    if updateTraining(at: now, into: &output, { $0.begin(clock: $1, into: &$2) }) { output.items.append(.commit) }
  }

  /// Carries out what is due on the second phone and in the cloud.
  mutating func fireCloud(at now: VirtualTime, into output: inout NodeOutput) {
    updateCloud(at: now, into: &output) { cloud, book, truth, orders, other in
      cloud.fire(clock: orders.clock, truth: truth, at: now, first: &book, into: &orders, other: &other)
    }
  }

  /// Lets cloud and both phones act, and stores all changes in one transaction.
  private mutating func updateCloud(
    at now: VirtualTime, into output: inout NodeOutput,
    _ body: (
      inout TrainingCloud, inout TrainingBook, _ truth: Int64, inout TrainingBook.Orders, inout TrainingBook.Orders
    ) -> Void
  ) {
    guard var part = training, var sync = cloud else { return }
    (training, cloud) = (nil, nil)
    var (orders, other) = (TrainingBook.Orders(), TrainingBook.Orders())
    let truth = setup.startedAt &+ now.nanoseconds
    (orders.clock, other.clock) = (clock.reading(at: now), truth)
    body(&sync, &part, truth, &orders, &other)
    sync.reportIfSettled(part, into: &orders, other: &other)
    (training, cloud) = (part, sync)
    for change in orders.changes { persist(.training(change), into: &output) }
    for change in other.changes { persist(.secondTraining(change), into: &output) }
    if !orders.changes.isEmpty || !other.changes.isEmpty { output.items.append(.commit) }
    record(orders, at: now, into: &output)
    record(other, at: now, into: &output)
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
