import CoachProtocol
package import Link

/// Parses the JSON of a staging row into measures.
///
/// The first version of the app understands the shapes of the first system only; the second also those of a newer
/// system, which nests dates and renames the members of a quantity.
package struct AppleDataParser: Sendable, Equatable {
  /// Why a row does not parse: what was found, and what was expected.
  package struct Failure: Error, Sendable, Equatable {
    package var reason: String
  }

  /// Limit of the samples in a row.
  static let samplesMax = 10_000
  /// Limit of a quantity.
  private static let quantityMax = 1_000_000.0
  package static let versionMax = 2

  /// The stages in which one sleeps.
  static let asleep: Set<String> = ["asleep", "core", "deep", "REM"]

  /// 1, or 2 after an update.
  package var version: Int

  private let plants: Plants

  package init(version: Int, plants: Plants = []) {
    self.version = version
    self.plants = plants
  }

  /// Parses a row; each sample counts once, however often it is listed.
  ///
  /// - Returns: The measures of the type; empty if there is no sample.
  package func parse(_ json: String, as type: AppleDataType) throws(Failure) -> [(AppleMeasure, Double)] {
    let node: JSONNode
    do { node = try JSONParser.parse(json, dialect: .json) } catch {
      throw Failure(reason: "line \(error.position.line): found \(error.found), expected \(error.expected)")
    }
    guard case .array(let elements) = node.value else {
      throw Failure(reason: "found no array, expected one of samples")
    }
    guard elements.count <= Self.samplesMax else {
      throw Failure(reason: "found \(elements.count) samples, expected at most \(Self.samplesMax)")
    }
    var seen: Set<String> = []
    var samples: [JSONNode] = []
    for element in elements {
      let key = type.idKey
      guard let id = element[key]?.text else {
        throw Failure(reason: "found a sample without \(key), expected a text")
      }
      if seen.insert(id).inserted { samples.append(element) }
    }
    guard !samples.isEmpty else { return [] }
    switch type {
    case .sleep: return try sleep(samples)
    case .calories: return [(.caloriesBurned, try total(samples, unit: "kcal"))]
    case .exercise: return [(.exerciseMinutes, try total(samples, unit: "min"))]
    case .mindfulness:
      let seconds = try length(of: samples)
      return [(.mindfulnessMinutes, Self.rounded(Double(seconds) / 60)), (.mindfulnessSessions, Double(samples.count))]
    case .calendar:
      // An all-day entry is no meeting.
      // Planted: it is.
      let isMeeting = plants.contains(.allDayMeetings)
      let meetings = samples.filter { isMeeting || $0["isAllDay"]?.boolean != true }
      let seconds = try length(of: meetings)
      return [(.meetingHours, Self.rounded(Double(seconds) / 3_600)), (.meetingCount, Double(meetings.count))]
    case .reminders: return try reminders(samples)
    }
  }

  private func sleep(_ samples: [JSONNode]) throws(Failure) -> [(AppleMeasure, Double)] {
    var asleep: [Range<Int64>] = []
    var inBed: [Range<Int64>] = []
    for sample in samples {
      guard let value = sample["value"]?.text else { throw Failure(reason: "found a sample without value") }
      switch value {
      case "inBed": inBed.append(try period(sample))
      case _ where Self.asleep.contains(value): asleep.append(try period(sample))
      // Planted: lying awake is sleep.
      case "awake": if plants.contains(.awakeAsleep) { asleep.append(try period(sample)) }
      default: throw Failure(reason: "found the value \"\(value)\", expected a stage of sleep")
      }
    }
    let (asleepSeconds, inBedSeconds) = (Self.covered(asleep), Self.covered(inBed))
    var measures = [(AppleMeasure.sleepHours, Self.rounded(Double(asleepSeconds) / 3_600))]
    // Without samples of the bed, the time in it is unknown.
    guard !inBed.isEmpty else { return measures }
    measures.append((.inBedHours, Self.rounded(Double(inBedSeconds) / 3_600)))
    if inBedSeconds > 0 {
      // A device that notices the bed later than another one the sleep does not make the sleep longer than the night.
      let percent = min(100, Double(asleepSeconds) * 100 / Double(inBedSeconds))
      measures.append((.sleepEfficiency, Self.rounded(percent)))
    }
    return measures
  }

  private func reminders(_ samples: [JSONNode]) throws(Failure) -> [(AppleMeasure, Double)] {
    var (completed, important) = (0, 0)
    for sample in samples {
      guard let isCompleted = (sample["completed"] ?? (version > 1 ? sample["isCompleted"] : nil))?.boolean else {
        throw Failure(reason: "found a reminder without completed")
      }
      // Planted: a task that is due is done.
      guard isCompleted || plants.contains(.openTasksDone) else { continue }
      completed += 1
      if sample["priority"]?.double == 1 { important += 1 }
    }
    return [(.tasksCompleted, Double(completed)), (.highPriorityCompleted, Double(important))]
  }

  /// The sum of quantities; what several devices recorded at one time counts once.
  private func total(_ samples: [JSONNode], unit: String) throws(Failure) -> Double {
    var quantities: [SourceQuantity] = []
    for sample in samples {
      guard let quantity = sample["quantity"] else { throw Failure(reason: "found a sample without quantity") }
      let isNew = version > 1 && quantity["amount"] != nil
      guard let value = quantity[isNew ? "amount" : "value"]?.double else {
        throw Failure(reason: "found a quantity without value, expected a number of \(unit)")
      }
      guard quantity[isNew ? "unitString" : "unit"]?.text == unit else {
        throw Failure(reason: "found a quantity without the unit \(unit)")
      }
      guard (0...Self.quantityMax).contains(value) else {
        throw Failure(reason: "found a quantity of \(value) \(unit), expected 0 to 1000000")
      }
      // Planted: what two devices recorded at one time counts twice.
      let source = plants.contains(.devicesAdded) ? "" : sample["sourceName"]?.text ?? ""
      // Only where two sources meet do the times matter.
      let time = sample["startDate"] == nil ? nil : try period(sample)
      quantities.append(SourceQuantity(source: source, time: time, value: value))
    }
    return Self.rounded(SourceQuantity.total(quantities))
  }

  /// The sum of the samples' lengths, in seconds.
  private func length(of samples: [JSONNode]) throws(Failure) -> Int64 {
    var sum: Int64 = 0
    for sample in samples {
      let period = try period(sample)
      sum += period.upperBound - period.lowerBound
    }
    return sum
  }

  /// From start to end, in seconds since 1970.
  private func period(_ sample: JSONNode) throws(Failure) -> Range<Int64> {
    let (start, end) = (try date("startDate", of: sample), try date("endDate", of: sample))
    guard start <= end else { throw Failure(reason: "found a sample that ends before it starts") }
    return start..<end
  }

  private func date(_ key: String, of sample: JSONNode) throws(Failure) -> Int64 {
    let node = version > 1 ? sample[key]?["date"] ?? sample[key] : sample[key]
    guard let text = node?.text, let date = TraceHeader.unixStart(text) else {
      throw Failure(reason: "found no date in \(key), expected one such as 2025-10-30T23:00:00Z")
    }
    return date / 1_000_000_000
  }

  /// The seconds that at least one of the ranges covers: two devices may record the same night.
  static func covered(_ ranges: [Range<Int64>]) -> Int64 {
    var (sum, end): (Int64, Int64) = (0, .min)
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
      sum += range.upperBound - max(range.lowerBound, end)
      end = range.upperBound
    }
    return sum
  }

  /// Four decimals, so that store and trace agree.
  private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}

extension AppleDataType {
  /// The key of a sample's identifier.
  var idKey: String {
    switch self {
    case .sleep, .calories, .exercise, .mindfulness: "uuid"
    case .calendar: "eventIdentifier"
    case .reminders: "calendarItemIdentifier"
    }
  }
}
