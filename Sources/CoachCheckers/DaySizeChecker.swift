package import Link

/// `day-size`: the server's store stays small.
package struct DaySizeChecker: Checker {
  package static let invariant = "day-size"
  package static let about = "A day has at most 3 KB in `context_store.json`, and so has the average day of the file."

  private static let bytesMax: Int64 = 3_072

  package init(header: TraceHeader) {}

  package mutating func dayUpserted(_ day: DayUpserted, at event: Occurrence, into report: inout Report) {
    guard day.snapshot.text.utf8.count > Self.bytesMax else { return }
    report.add(
      "the snapshot of \(day.day) has \(day.snapshot.text.utf8.count) bytes, at most \(Self.bytesMax) are right",
      at: event.time, lines: [event.line])
  }

  package mutating func fileStored(_ file: FileStored, at event: Occurrence, into report: inout Report) {
    guard file.file == ServerDays.contextStore else { return }
    let (limit, isOver) = max(1, file.days).multipliedReportingOverflow(by: Self.bytesMax)
    guard !isOver, file.bytes > limit else { return }
    report.add(
      "the file \(file.file) has \(file.bytes) bytes for \(file.days) days, at most \(limit) are right",
      at: event.time,
      lines: [event.line])
  }
}
