package import Link

/// `day-size`: the server's store stays small.
package struct DaySizeChecker: Checker {
  package static let invariant = "day-size"
  package static let about = "A day has at most 3 KB in `context_store.json`, and so has the average day of the file."
  package static let interests: [TraceEvent.Name] = ["edge.stored", "edge.upserted"]

  private static let bytesMax: Int64 = 3_072

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if case .dayUpserted(let day) = event.body, day.snapshot.text.utf8.count > Self.bytesMax {
      report.append(
        Self.violation(
          "the snapshot of \(day.day) has \(day.snapshot.text.utf8.count) bytes, at most \(Self.bytesMax) are right",
          at: event.time, lines: [line]))
    }
    guard case .fileStored(let file) = event.body, file.file == ServerDays.contextStore else { return }
    let (limit, isOver) = max(1, file.days).multipliedReportingOverflow(by: Self.bytesMax)
    guard !isOver, file.bytes > limit else { return }
    report.append(
      Self.violation(
        "the file \(file.file) has \(file.bytes) bytes for \(file.days) days, at most \(limit) are right",
        at: event.time,
        lines: [line]))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
