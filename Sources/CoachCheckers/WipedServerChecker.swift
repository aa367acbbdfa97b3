package import Link

/// `wiped-server-whole`: what the server loses, the device brings back.
package struct WipedServerChecker: Checker {
  package static let invariant = "wiped-server-whole"
  package static let about =
    "A server that lost its days has all of them after the phone's first complete synchronisation."

  /// The days that the phone has totals of.
  private var device: Set<String> = []
  private var server = ServerDays()
  /// The line of a loss that no synchronisation has made good, if any.
  private var loss: Int?
  /// Requests since the loss, of the current synchronisation.
  private var posted: Set<Identifier> = []

  package init(header: TraceHeader) {}

  package mutating func dayAggregated(_ day: DayAggregated, at event: Occurrence, into report: inout Report) {
    device.insert(day.day)
  }

  package mutating func daysPosted(_ post: DaysPosted, at event: Occurrence, into report: inout Report) {
    if loss != nil { posted.insert(post.id) }
  }

  package mutating func daysSynced(_ sync: DaysSynced, at event: Occurrence, into report: inout Report) {
    guard let loss, posted.contains(sync.id), sync.pending == 0 else { return }
    self.loss = nil
    posted = []
    let missing = device.subtracting(server.days.keys)
    guard let first = missing.min() else { return }
    report.add(
      "the server lost its days, and after a synchronisation \(missing.count) are missing, such as \(first)",
      at: event.time, lines: [loss, event.line])
  }

  package mutating func dayUpserted(_ day: DayUpserted, at event: Occurrence, into report: inout Report) {
    server.observe(day, at: event)
  }

  package mutating func serverRestarted(_ start: ServerRestarted, at event: Occurrence, into report: inout Report) {
    guard server.observe(start, at: event) else { return }
    loss = event.line
    posted = []
  }

  package mutating func fileDamaged(_ damage: FileDamaged, at event: Occurrence, into report: inout Report) {
    guard server.observe(damage, at: event) else { return }
    loss = event.line
    posted = []
  }
}
