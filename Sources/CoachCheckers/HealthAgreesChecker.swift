import CoachProtocol
package import Link

/// `health-agrees`: a phone has one health store.
package struct HealthAgreesChecker: Checker {
  package static let invariant = "health-agrees"
  package static let about =
    "The energy and the sleep of a local day are the same in the daily totals and in the ingested measures, to rounding, where nothing changed between both readings. Not judged once a clock was wrong."

  /// What both name, by its type, with its keys and half a unit of the totals.
  private static let shared = [
    (type: "calories", measure: "calories_burned", total: "calories", tolerance: 0.5),
    (type: "sleep", measure: "sleep_hours", total: "sleep_hours", tolerance: 0.005),
  ]

  /// A day's reading of a type.
  private struct Reading {
    var time: VirtualTime
    var raw: String
    /// Nil until it is parsed.
    var value: Double?
    /// The lines that staged and parsed it.
    var lines: [Int]
  }

  /// A day's totals since their last change.
  private struct Totals {
    var values: [String: Double] = [:]
    /// When each one changed last, with its line.
    var changes: [String: (time: VirtualTime, line: Int)] = [:]
  }

  /// By the day and the type.
  private var readings: [LocalDay: [String: Reading]] = [:]
  private var totals: [LocalDay: Totals] = [:]
  private let header: TraceHeader
  /// The run's start, in nanoseconds since 1970; nil for a header without.
  private let start: Int64?
  private var isUnknown = false

  package init(header: TraceHeader) {
    self.header = header
    start = TraceHeader.unixStart(header.startedAt)
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    isUnknown = fault.kind == "clockSkew"
  }

  package mutating func ingestionStaged(_ staged: IngestionStaged, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    guard Self.shared.contains(where: { $0.type == staged.type }), let day = LocalDay(text: staged.day) else {
      return
    }
    let known = readings[day]?[staged.type]
    var reading = Reading(time: event.time, raw: staged.raw, lines: [event.line])
    // The same JSON is not parsed again.
    if let known, staged.row == "same", known.raw == staged.raw {
      (reading.value, reading.lines) = (known.value, known.lines + [event.line])
    }
    readings[day, default: [:]][staged.type] = reading
  }

  package mutating func ingestionParsed(_ parsed: IngestionParsed, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    guard let shared = Self.shared.first(where: { $0.type == parsed.type }), let day = LocalDay(text: parsed.day),
      readings[day]?[parsed.type]?.raw == parsed.raw
    else { return }
    let node = try? JSONParser.parse(parsed.measures.text, dialect: .json)
    readings[day]?[parsed.type]?.value = node?[shared.measure]?.double ?? 0
    readings[day]?[parsed.type]?.lines.append(event.line)
  }

  package mutating func dayAggregated(_ aggregated: DayAggregated, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    aggregate(aggregated, at: event.time, event.line, into: &report)
  }

  private mutating func aggregate(
    _ aggregated: DayAggregated, at now: VirtualTime, _ line: Int, into report: inout Report
  ) {
    guard let day = LocalDay(text: aggregated.day) else { return }
    let health = (try? JSONParser.parse(aggregated.totals.text, dialect: .json))?["health"]
    for shared in Self.shared {
      let value = health?[shared.total]?.double ?? 0
      guard totals[day]?.values[shared.total] != value else { continue }
      totals[day, default: Totals()].values[shared.total] = value
      totals[day]?.changes[shared.total] = (now, line)
    }
    // A synchronisation reads yesterday before today. So what it finds of today says that it has read yesterday.
    guard let start, day == LocalDay(clock: start &+ now.nanoseconds, offset: Int64(header.utcOffset(at: now))) else {
      return
    }
    judge(LocalDay(day.number - 1), at: now, line, into: &report)
    readings = readings.filter { $0.key.number > day.number - 4 }
    totals = totals.filter { $0.key.number > day.number - 4 }
  }

  /// Compares a day's readings with the totals that were read again now.
  private mutating func judge(_ day: LocalDay, at now: VirtualTime, _ line: Int, into report: inout Report) {
    for shared in Self.shared {
      guard let reading = readings[day]?[shared.type], let measured = reading.value, reading.time < now,
        let total = totals[day]?.values[shared.total], let change = totals[day]?.changes[shared.total],
        change.time <= reading.time, total > 0 || isOver(day, shared.type, at: reading.time),
        abs(measured - total) > shared.tolerance + 1e-6
      else { continue }
      readings[day]?[shared.type] = nil
      let (stated, ingested) = (Self.text(total), Self.text(measured))
      report.add(
        "the \(shared.total) of \(day.text) are \(stated) in the daily totals, and \(ingested) in the measures",
        at: now, lines: ([change.line] + reading.lines + [line]).sorted())
    }
  }

  /// A value with at most two decimals.
  private static func text(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return JSONValue.plain(rounded.isFinite ? rounded : value).compactText
  }

  /// Whether a day is over for a type; totals have a night only once it is.
  private func isOver(_ day: LocalDay, _ type: String, at time: VirtualTime) -> Bool {
    guard type == "sleep", let start else { return true }
    let noon = Int64(header.utcOffset(at: time)) - 43_200
    return LocalDay(clock: start &+ time.nanoseconds, offset: noon) > day
  }
}
