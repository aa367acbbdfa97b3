package import Link

/// `row-once`: no row is shown twice on a phone.
package struct RowOnceChecker: Checker {
  package static let invariant = "row-once"
  package static let about =
    "A session, score, photo, task, plan or exercise is shown once on each phone, however often its copies arrive."

  /// A row in the cloud, as one of the phones shows it.
  private struct Place: Hashable {
    var phone: Int64
    var source: Identifier
  }

  /// The line that says that the phone shows the row.
  private var shown: [Place: Int] = [:]

  package init(header: TraceHeader) {}

  package mutating func trainingStored(_ session: TrainingStored, at event: Occurrence, into report: inout Report) {
    // What a phone's own user made has its identifier on all phones.
    shown[Place(phone: 1, source: session.sessionId)] = event.line
  }

  package mutating func trainingRowChanged(_ row: TrainingRowChanged, at event: Occurrence, into report: inout Report) {
    shown[Place(phone: row.phone ?? 1, source: row.rowId)] = event.line
  }

  package mutating func trainingDrill(_ drill: TrainingDrill, at event: Occurrence, into report: inout Report) {
    shown[Place(phone: drill.phone ?? 1, source: drill.drillId)] = event.line
  }

  package mutating func trainingRemoved(_ session: TrainingRemoved, at event: Occurrence, into report: inout Report) {
    shown[Place(phone: session.phone ?? 1, source: session.sessionId)] = nil
  }

  package mutating func trainingShown(_ row: TrainingShown, at event: Occurrence, into report: inout Report) {
    let place = Place(phone: row.phone, source: row.source)
    if let before = shown[place] {
      report.add(
        "the \(row.phone == 2 ? "second" : "first") phone shows the row \(row.source.text) of \(row.table) a second time",
        at: event.time,
        lines: [before, event.line])
    }
    shown[place] = event.line
  }
}
