import CoachProtocol
import Link

/// Training sessions in the unified form.
extension PhoneNode {
  /// Lets the part act, stores the changes, records the events, and gives the rows that changed to the cloud.
  ///
  /// - Returns: Whether there is something to commit.
  @discardableResult
  mutating func updateTraining(
    in turn: inout Turn,
    _ body: (inout TrainingBook, _ clock: Int64, inout TrainingBook.Orders) -> Void
  ) -> Bool {
    let now = turn.now
    guard var part = training else { return false }
    // One owner, so that no table is copied.
    training = nil
    var orders = TrainingBook.Orders()
    orders.clock = clock.reading(at: now)
    body(&part, orders.clock, &orders)
    training = part
    cloud?.push(orders.outgoing, from: 1, at: now, into: &orders)
    for change in orders.changes { persist(.training(change), in: &turn) }
    record(orders, in: &turn)
    return !orders.changes.isEmpty
  }

  private func record(_ orders: TrainingBook.Orders, in turn: inout Turn) {
    let now = turn.now
    guard turn.isRecording else { return }
    for event in orders.events { turn.record(TraceEvent(event, at: now, on: .phone)) }
    for (act, why) in orders.refusals { refuse(act, why: why, in: &turn) }
  }

  /// Stores athlete, horse and competition at the first start.
  mutating func beginTraining(in turn: inout Turn) {
    let now = turn.now
    guard cloud == nil else {
      return updateCloud(in: &turn) { cloud, book, truth, orders, other in
        book.begin(clock: orders.clock, into: &orders)
        cloud.begin(clock: truth, at: now, first: book, into: &orders, other: &other)
        orders.outgoing = []
      }
    }
    if updateTraining(in: &turn, { $0.begin(clock: $1, into: &$2) }) { turn.items.append(.commit) }
  }

  /// Carries out what is due on the second phone and in the cloud.
  mutating func fireCloud(in turn: inout Turn) {
    let now = turn.now
    updateCloud(in: &turn) { cloud, book, truth, orders, other in
      cloud.fire(clock: orders.clock, truth: truth, at: now, first: &book, into: &orders, other: &other)
    }
  }

  /// Lets cloud and both phones act, and stores all changes in one transaction.
  private mutating func updateCloud(
    in turn: inout Turn,
    _ body: (
      inout TrainingCloud, inout TrainingBook, _ truth: Int64, inout TrainingBook.Orders, inout TrainingBook.Orders
    ) -> Void
  ) {
    let now = turn.now
    guard var part = training, var sync = cloud else { return }
    (training, cloud) = (nil, nil)
    var (orders, other) = (TrainingBook.Orders(), TrainingBook.Orders())
    let truth = setup.startedAt &+ now.nanoseconds
    (orders.clock, other.clock) = (clock.reading(at: now), truth)
    body(&sync, &part, truth, &orders, &other)
    sync.reportIfSettled(part, into: &orders, other: &other)
    (training, cloud) = (part, sync)
    for change in orders.changes { persist(.training(change), in: &turn) }
    for change in other.changes { persist(.secondTraining(change), in: &turn) }
    if !orders.changes.isEmpty || !other.changes.isEmpty { turn.items.append(.commit) }
    record(orders, in: &turn)
    record(other, in: &turn)
  }

  /// Carries out an act of the user.
  mutating func carryOutTraining(_ command: NodeCommand, in turn: inout Turn) {
    guard let act = TrainingCommand(command), training != nil else {
      return refuse(command.name, why: "the app stores no training sessions", in: &turn)
    }
    guard !isDiskFull else {
      return refuse(command.name, why: SessionError.insufficientSpace.rawValue, in: &turn)
    }
    var reason: String?
    let hasChanged = updateTraining(in: &turn) { reason = $0.carryOut(act, clock: $1, into: &$2) }
    if hasChanged { turn.items.append(.commit) }
    if let reason { refuse(command.name, why: reason, in: &turn) }
  }
}
