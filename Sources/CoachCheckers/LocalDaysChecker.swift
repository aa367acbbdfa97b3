import CoachProtocol
package import Link

/// `local-days`: a day is the user's, not the server's and not UTC's.
package struct LocalDaysChecker: Checker {
  package static let invariant = "local-days"
  package static let about =
    "A meal belongs to the local day of its date, by the time zone in force when it was eaten."

  private let header: TraceHeader

  package init(header: TraceHeader) { self.header = header }

  package mutating func mealLogged(_ meal: MealLogged, at event: Occurrence, into report: inout Report) {
    guard let date = TraceHeader.unixStart(meal.date) else { return }
    let offset = Int64(header.utcOffset(at: VirtualTime(nanoseconds: meal.eatenAt)))
    let day = LocalDay(clock: date, offset: offset).text
    guard day != meal.day else { return }
    report.add(
      "the meal of \(meal.date) is stored on \(meal.day), and its local day is \(day)", at: event.time,
      lines: [event.line])
  }
}
