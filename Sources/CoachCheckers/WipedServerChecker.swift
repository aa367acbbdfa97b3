package import Link

/// `wiped-server-whole`: what the server loses, the device brings back.
package struct WipedServerChecker: Checker {
  package static let invariant = "wiped-server-whole"
  package static let about =
    "A server that lost its days has all of them after the phone's first complete synchronisation."
  package static let interests: [TraceEvent.Name] =
    ["daily.aggregated", "daily.posted", "daily.synced"] + ServerDays.interests

  /// The days that the phone has totals of.
  private var device: Set<String> = []
  private var server = ServerDays()
  /// The line of a loss that no synchronisation has made good, if any.
  private var loss: Int?
  /// Requests since the loss, of the current synchronisation.
  private var posted: Set<Identifier> = []

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .dayAggregated(let day): device.insert(day.day)
    case .daysPosted(let post): if loss != nil { posted.insert(post.id) }
    case .daysSynced(let sync):
      guard let loss, posted.contains(sync.id), sync.pending == 0 else { return }
      self.loss = nil
      posted = []
      let missing = device.subtracting(server.days.keys)
      guard let first = missing.min() else { return }
      report.append(
        Self.violation(
          "the server lost its days, and after a synchronisation \(missing.count) are missing, such as \(first)",
          at: event.time, lines: [loss, line]))
    default:
      guard server.observe(event, line: line) else { return }
      loss = line
      posted = []
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
