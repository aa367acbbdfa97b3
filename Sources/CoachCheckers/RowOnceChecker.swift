package import Link

/// `row-once`: no row is shown twice on a phone.
package struct RowOnceChecker: Checker {
  package static let invariant = "row-once"
  package static let about =
    "A session, score, photo, task, plan or exercise is shown once on each phone, however often its copies arrive."
  package static let interests: [TraceEvent.Name] = [
    "training.stored", "training.row", "training.drill", "training.shown", "training.removed",
  ]

  /// A row in the cloud, as one of the phones shows it.
  private struct Place: Hashable {
    var phone: Int64
    var source: Identifier
  }

  /// The line that says that the phone shows the row.
  private var shown: [Place: Int] = [:]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    // What a phone's own user made has its identifier on all phones.
    case .trainingStored(let session): shown[Place(phone: 1, source: session.sessionId)] = line
    case .trainingRowChanged(let row): shown[Place(phone: row.phone ?? 1, source: row.rowId)] = line
    case .trainingDrill(let drill): shown[Place(phone: drill.phone ?? 1, source: drill.drillId)] = line
    case .trainingRemoved(let session): shown[Place(phone: session.phone ?? 1, source: session.sessionId)] = nil
    case .trainingShown(let row):
      let place = Place(phone: row.phone, source: row.source)
      if let before = shown[place] {
        report.append(
          Self.violation(
            "the \(row.phone == 2 ? "second" : "first") phone shows the row \(row.source.text) of \(row.table) a second time",
            at: event.time,
            lines: [before, line]))
      }
      shown[place] = line
    default: break
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
