import CoachProtocol
import Link

/// The second phone of the athlete, and the cloud between both phones.
///
/// The cloud passes on copies of rows: late, twice, and in another order than they were pushed in. Rows that a phone
/// has changed wait in its queue until their newest copy has arrived. The queue is stored with the change; copies that are
/// on their way are not, and after a start everything in the queues is pushed again.
struct TrainingCloud: Sendable {
  private struct Copy: Sendable {
    var at: VirtualTime
    /// The order of pushes, which breaks ties.
    var number: UInt64
    /// The phone that pushed it.
    var from: Int64
    var isLast: Bool
    var row: SyncRow
  }

  private(set) var second: TrainingBook
  private let setup: SyncSetup
  private let random: RandomStream
  private var copies: [Copy] = []
  /// The number of the newest push of each row, by phone.
  private var newest: [Int64: [SyncKey: UInt64]] = [1: [:], 2: [:]]
  private var pushes: UInt64 = 0
  /// Whether both phones' states were reported since the last push.
  private var isSettled = false

  init(seed: UInt64, setup: TrainingSetup, sync: SyncSetup, restoring record: TrainingRecord, plants: Plants) {
    second = TrainingBook(seed: seed, setup: setup, restoring: record, plants: plants, phone: 2)
    self.setup = sync
    random = RandomStream(seed: seed, name: "phone.training.cloud")
  }

  var nextDeadline: VirtualTime? {
    let arrival = copies.map(\.at).min()
    let done = second.record.editsDone
    guard done < setup.edits.count else { return arrival }
    return min(arrival ?? .distantFuture, setup.edits[done].at)
  }

  /// Creates the second phone's own rows, and pushes again what may have been lost with the process.
  mutating func begin(
    clock: Int64, at now: VirtualTime, first: TrainingBook, into orders: inout TrainingBook.Orders,
    other: inout TrainingBook.Orders
  ) {
    let queued = [first.queuedRows, second.queuedRows]
    second.begin(clock: clock, into: &other)
    push(queued[0], from: 1, at: now, into: &orders)
    push(queued[1] + other.outgoing, from: 2, at: now, into: &other)
    other.outgoing = []
  }

  /// Passes rows of a phone to the other one, later.
  mutating func push(_ rows: [SyncRow], from phone: Int64, at now: VirtualTime, into orders: inout TrainingBook.Orders)
  {
    guard !rows.isEmpty else { return }
    isSettled = false
    pushes += 1
    let late = max(1, setup.late.nanoseconds / 1_000_000_000)
    // Keyed by time and phone, so that a restart repeats only the draws of what it pushes again.
    let push = RandomStream.key(UInt64(bitPattern: now.nanoseconds), UInt64(bitPattern: phone))
    let delay = seconds(late, push, 0)
    var last: [SyncKey: Int] = [:]
    for (index, row) in rows.enumerated() { last[row.key] = index }
    for (index, row) in rows.enumerated() where last[row.key] == index {
      let key = RandomStream.key(push, row.key.id.low ^ UInt64(row.key.table))
      var at = now + .seconds(delay)
      if random.happens(setup.reorder, for: key, draw: 1) { at = at + .seconds(seconds(late, key, 2)) }
      newest[phone]?[row.key] = pushes
      copies.append(Copy(at: at, number: pushes, from: phone, isLast: true, row: row))
      guard random.happens(setup.twice, for: key, draw: 3) else { continue }
      let again = at + .seconds(seconds(late, key, 4))
      copies.append(Copy(at: again, number: pushes, from: phone, isLast: false, row: row))
    }
    var event = TrainingPushed()
    (event.phone, event.rows) = (phone, Int64(last.count))
    orders.events.append(event)
  }

  private func seconds(_ late: Int64, _ key: UInt64, _ draw: UInt64) -> Int64 {
    1 + Int64(random.number(below: UInt64(late), for: key, draw: draw))
  }

  /// Carries out due acts on the second phone, and delivers due copies.
  ///
  /// - Parameters:
  ///   - clock: Of the first phone, in nanoseconds since 1970.
  ///   - truth: The second phone's clock is right.
  mutating func fire(
    clock: Int64, truth: Int64, at now: VirtualTime, first: inout TrainingBook,
    into orders: inout TrainingBook.Orders, other: inout TrainingBook.Orders
  ) {
    while second.record.editsDone < setup.edits.count, setup.edits[second.record.editsDone].at <= now {
      let edit = setup.edits[second.record.editsDone]
      second.finishEdit(into: &other)
      if let why = second.carryOut(edit.act, clock: truth, into: &other) {
        other.refusals.append((edit.word, "second phone: \(why)"))
      }
      push(other.outgoing, from: 2, at: now, into: &other)
      other.outgoing = []
    }
    let due = copies.filter { $0.at <= now }.sorted {
      ($0.at, $0.number, $0.row.key, $0.isLast ? 0 : 1) < ($1.at, $1.number, $1.row.key, $1.isLast ? 0 : 1)
    }
    guard !due.isEmpty else { return }
    copies.removeAll { $0.at <= now }
    Self.deliver(due.filter { $0.from == 1 }, from: &first, &orders, to: &second, &other, &newest)
    Self.deliver(due.filter { $0.from == 2 }, from: &second, &other, to: &first, &orders, &newest)
  }

  private static func deliver(
    _ due: [Copy], from sender: inout TrainingBook, _ senderOrders: inout TrainingBook.Orders,
    to receiver: inout TrainingBook, _ orders: inout TrainingBook.Orders, _ newest: inout [Int64: [SyncKey: UInt64]]
  ) {
    guard let phone = due.first?.from else { return }
    receiver.merge(due.map(\.row), into: &orders)
    for copy in due where copy.isLast && newest[phone]?[copy.row.key] == copy.number {
      newest[phone]?[copy.row.key] = nil
      sender.finishPush(of: copy.row.key, into: &senderOrders)
    }
  }

  /// Reports what both phones have once nothing is on its way and nothing waits.
  mutating func reportIfSettled(
    _ first: TrainingBook, into orders: inout TrainingBook.Orders, other: inout TrainingBook.Orders
  ) {
    guard !isSettled, copies.isEmpty, first.record.queue.isEmpty, second.record.queue.isEmpty else { return }
    isSettled = true
    orders.events.append(first.settledEvent)
    other.events.append(second.settledEvent)
  }
}
