import Foundation

// Reads a health export. Exports have gigabytes, and workouts come after their records, so the document is read twice:
// for the workouts, then for the records of the wanted one.

/// Reads one export.
struct HealthExportReader {
  static let depthMax = 64
  /// Limit of listed workouts.
  static let workoutsMax = 1_000_000

  private(set) var stream: XMLStream
  private(set) var open: [String] = []
  private var misnested = 0

  init(_ source: ByteSource) { stream = XMLStream(source) }

  /// What had to be skipped.
  func findings() -> ImportFindings {
    var findings = ImportFindings()
    if stream.declarationBytes > 0 {
      findings.add("a document type declaration of \(stream.declarationBytes) bytes was cut away")
    }
    findings.add(stream.controlBytes, "control byte read as a blank", "control bytes read as blanks")
    findings.add(stream.malformedCount, "place is not well-formed XML", "places are not well-formed XML")
    findings.add(misnested, "tag is out of order", "tags are out of order")
    if let cut = stream.cutOffset ?? (open.isEmpty ? nil : stream.offset) {
      findings.add("the file is cut at byte \(cut); complete elements before it were read")
    }
    return findings
  }

  // MARK: Workouts

  /// Lists every workout, and collects everything about one.
  ///
  /// - Parameter number: The collected one, from 1.
  mutating func readWorkouts(
    keeping number: Int?
  ) throws(XMLStream.Problem) -> (outlines: [WorkoutOutline], kept: HealthExportWorkout?) {
    var outlines: [WorkoutOutline] = []
    var kept: HealthExportWorkout?
    var workout = HealthExportWorkout()
    var isInside = false
    func end() {
      outlines.append(workout.outline)
      if workout.number == number ?? 1 { kept = workout }
      isInside = false
    }
    while let tag = try nextTag() {
      switch tag {
      case .begin("Workout") where !isInside:
        guard outlines.count < Self.workoutsMax else { continue }
        workout = beginWorkout()
        workout.number = outlines.count + 1
        isInside = true
      case .begin(let name): if isInside { readPart(name, of: &workout) }
      case .end("Workout"):
        guard isInside else { continue }
        workout.isWhole = true
        end()
      case .end: continue
      }
    }
    if isInside { end() }
    return (outlines, kept)
  }

  private func beginWorkout() -> HealthExportWorkout {
    var workout = HealthExportWorkout()
    workout.sport = text("workoutActivityType").map(Self.sport)
    workout.start = time("startDate")
    workout.end = time("endDate")
    workout.duration = HealthUnits.value(text("duration"), unit: text("durationUnit") ?? "min", .time)
    workout.source = text("sourceName") ?? ""
    workout.device = text("device").map { Self.device($0) } ?? nil
    if let total = text("totalDistance") {
      workout.totalDistance = HealthUnits.value(total, unit: text("totalDistanceUnit") ?? "km", .length)
      if workout.totalDistance == nil { workout.unknownUnits.append(text("totalDistanceUnit") ?? total) }
    }
    workout.energyKcal = HealthUnits.value(
      text("totalEnergyBurned"), unit: text("totalEnergyBurnedUnit") ?? "kcal", .energy)
    return workout
  }

  private func readPart(_ name: String, of workout: inout HealthExportWorkout) {
    // Parts of an interval run repeat events and have statistics of their own.
    let isOfPart = open.dropLast().contains("WorkoutActivity")
    switch name {
    case "WorkoutEvent":
      guard let type = text("type"), let date = time("date") else { return workout.forgetLastEvent() }
      let event = HealthExportWorkout.Event(
        type: Self.short(type, "HKWorkoutEventType"), date: date,
        duration: HealthUnits.value(text("duration"), unit: text("durationUnit") ?? "min", .time))
      guard event.type != "Segment" else { return workout.forgetLastEvent() }
      workout.append(event, isRepetition: isOfPart)
    case "WorkoutStatistics":
      guard let type = text("type").map({ Self.short($0, "HKQuantityTypeIdentifier") }) else { return }
      guard !isOfPart || type.hasPrefix("Distance") else { return }
      readStatistics(type, isOfPart: isOfPart, of: &workout)
    case "MetadataEntry":
      guard let key = text("key"), let value = text("value") else { return }
      if open.dropLast().last == "WorkoutEvent", key == "HKSwimmingStrokeStyle" {
        workout.nameStroke(HealthPool.stroke(value))
      }
      guard open.dropLast().last == "Workout" else { return }
      if key == "HKLapLength" { workout.poolLength = HealthPool.poolLength(value) }
    case "FileReference":
      if let path = text("path") { workout.appendRoute(path) }
    default: return
    }
  }

  private func readStatistics(_ type: String, isOfPart: Bool, of workout: inout HealthExportWorkout) {
    if type == "HeartRate" {
      workout.averageHeartRate = HealthUnits.value(text("average"), unit: text("unit"), .rate)
      workout.maximumHeartRate = HealthUnits.value(text("maximum"), unit: text("unit"), .rate)
    } else if type == "ActiveEnergyBurned" {
      workout.energyKcal = HealthUnits.value(text("sum"), unit: text("unit"), .energy) ?? workout.energyKcal
    } else if type.hasPrefix("Distance") {
      if let distance = HealthUnits.value(text("sum"), unit: text("unit"), .length) {
        if isOfPart {
          workout.partDistances[type, default: 0] += distance
        } else {
          workout.distances[type] = distance
        }
      } else if let unit = text("unit") {
        workout.unknownUnits.append(unit)
      }
    }
  }

  // MARK: Records

  /// Passes on every record that overlaps the workout and is of a kind that it needs.
  mutating func readRecords(
    from start: Double, to end: Double, _ take: (HealthRecord) -> Void
  ) throws(XMLStream.Problem) {
    while let tag = try nextTag() {
      // A record within a correlation is repeated outside of it.
      guard case .begin("Record") = tag, !open.dropLast().contains("Correlation"),
        let kind = stream.attribute("type").flatMap(HealthRecord.Kind.init(_:))
      else { continue }
      guard let from = time("startDate"), from <= end, let to = time("endDate"), to >= start else { continue }
      take(
        HealthRecord(
          kind: kind, from: from, to: max(from, to), value: text("value"), unit: text("unit"),
          source: (text("sourceName") ?? "").normalizedSource,
          type: text("type").map { Self.short($0, "HKQuantityTypeIdentifier") } ?? ""))
    }
  }

  // MARK: Tags

  enum Tag {
    case begin(String)
    case end(String)
  }

  mutating func nextTag() throws(XMLStream.Problem) -> Tag? {
    while true {
      switch try stream.next() {
      case .start(let name):
        guard open.count < Self.depthMax else {
          throw .malformed(
            XMLProblem(
              offset: stream.offset, found: "an element nested deeper",
              expected: "at most \(Self.depthMax) levels of elements"), line: 1, column: 1)
        }
        open.append(name)
        return .begin(name)
      case .end(let name):
        guard let depth = open.last == name ? open.count - 1 : open.lastIndex(of: name) else {
          misnested += 1
          continue
        }
        if depth < open.count - 1 { misnested += 1 }
        open.removeSubrange(depth...)
        return .end(name)
      case .finished, .cut: return nil
      }
    }
  }

  func text(_ name: StaticString) -> String? {
    stream.attribute(name).map { String(decoding: $0, as: UTF8.self) }
  }

  func time(_ name: StaticString) -> Double? { stream.attribute(name).flatMap { TimeText.parse($0) } }

  private static func short(_ text: String, _ prefix: String) -> String {
    text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }

  /// `HKWorkoutActivityTypeTraditionalStrengthTraining` as `traditional strength training`.
  private static func sport(_ type: String) -> String {
    var name = ""
    for letter in short(type, "HKWorkoutActivityType") {
      if letter.isUppercase, !name.isEmpty { name += " " }
      name += letter.lowercased()
    }
    return Printable.text(name, charactersMax: 40)
  }

  /// The hardware in the long text that describes a device.
  private static func device(_ text: String) -> String? {
    var parts: [String: Substring] = [:]
    for part in text.split(separator: ",") {
      let pair = part.split(separator: ":", maxSplits: 1)
      if pair.count == 2 { parts[String(pair[0]).trimmingBlanks] = pair[1] }
    }
    let shown = [parts["name"], parts["hardware"]].compactMap { $0 }.joined(separator: " ")
    return shown.isEmpty ? nil : Printable.text(shown, charactersMax: 80)
  }
}

/// One `Record` of a workout.
struct HealthRecord: Hashable {
  enum Kind {
    case heartRate, distance, steps, strokes

    init?(_ type: ArraySlice<UInt8>) {
      guard type.starts(with: "HKQuantityTypeIdentifier".utf8) else { return nil }
      switch String(decoding: type.dropFirst(24), as: UTF8.self) {
      case "HeartRate": self = .heartRate
      case "StepCount": self = .steps
      case "SwimmingStrokeCount": self = .strokes
      case let name:
        guard name.hasPrefix("Distance") else { return nil }
        self = .distance
      }
    }
  }

  var kind: Kind
  var from: Double
  var to: Double
  var value: String?
  var unit: String?
  /// Normalized for comparison.
  var source: String
  /// The full kind: `DistanceCycling`.
  var type = ""
}

/// A record of a Health export: a quantity or a category.
package struct HealthExportRecord: Sendable {
  /// Its name in the export: `HKQuantityTypeIdentifierActiveEnergyBurned`.
  package var type: String
  /// In seconds since 1970.
  package var start: Double
  /// At least `start`.
  package var end: Double
  /// As in the export; empty if it has none.
  package var value: String
  /// The value in kilocalories or minutes; nil unless its unit is one of energy or time.
  package var amount: Double?
  package var source: String
  /// What local time added to UTC by its start, in seconds; nil if that has no zone.
  package var offset: Int64?
}

/// All records of a Health export, in one pass.
package enum HealthExportRecords {
  /// The date and time zone of an export, and what was skipped.
  package struct Outcome: Sendable {
    /// When the export was made, in seconds since 1970; nil if the export does not say.
    package var exportedAt: Double?
    /// The offset of its local time from UTC, in seconds.
    package var offset: Int64 = 0
    package var findings: [String] = []
  }

  /// Passes on each record of the wanted types.
  ///
  /// A record within a correlation is left out, since exports repeat it outside. So is one without valid dates, which is counted.
  ///
  /// - Parameters:
  ///   - path: The export's file, or the folder that it was unpacked to.
  ///   - body: Returns false to end the reading.
  package static func read(
    path: String, types: Set<String>, _ body: (HealthExportRecord) -> Bool
  ) throws(ImportError) -> Outcome {
    var isFolder: ObjCBool = false
    var file = path
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      guard let export = HealthFolder.export(in: path) else {
        throw ImportError(file: path, found: "a folder without a Health export", expected: "one with export.xml")
      }
      file = export
    }
    let handle = try ImporterCatalog.openFile(file, named: file)
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: ImporterCatalog.headBytes), let _ = try? handle.seek(toOffset: 0),
      HealthImporter.canRead([UInt8](head), fileName: file)
    else { throw ImportError(file: file, found: "another kind of file", expected: "a Health export (export.xml)") }
    var reader = HealthExportReader(ByteSource(handle))
    do throws(XMLStream.Problem) { return try reader.readAll(types, body) } catch {
      throw HealthImporter.failure(error, file)
    }
  }
}

extension HealthExportReader {
  fileprivate mutating func readAll(
    _ types: Set<String>, _ body: (HealthExportRecord) -> Bool
  ) throws(XMLStream.Problem) -> HealthExportRecords.Outcome {
    var outcome = HealthExportRecords.Outcome()
    var undated = 0
    reading: while let tag = try nextTag() {
      switch tag {
      case .begin("ExportDate"):
        guard let text = text("value"), outcome.exportedAt == nil else { continue }
        outcome.exportedAt = TimeText.parse(Array(text.utf8))
        outcome.offset = Self.offset(of: text) ?? 0
      case .begin("Record") where !open.dropLast().contains("Correlation"):
        guard let type = text("type"), types.contains(type) else { continue }
        guard let start = time("startDate"), let end = time("endDate"), start <= end else {
          undated += 1
          continue
        }
        let (value, unit) = (text("value") ?? "", text("unit"))
        let amount =
          HealthUnits.value(value, unit: unit, .energy) ?? HealthUnits.value(value, unit: unit, .time).map { $0 / 60 }
        let record = HealthExportRecord(
          type: type, start: start, end: end, value: value, amount: amount,
          source: (text("sourceName") ?? "").normalizedSource, offset: text("startDate").flatMap(Self.offset))
        guard body(record) else { break reading }
      case .begin, .end: continue
      }
    }
    var findings = findings()
    findings.add(undated, "record has no valid dates", "records have no valid dates")
    outcome.findings = findings.lines
    return outcome
  }

  /// The zone of `2026-04-12 08:30:00 +0200`, in seconds; nil without one.
  private static func offset(of text: String) -> Int64? {
    guard let zone = text.split(separator: " ").last, zone.count == 5, let sign = ["+": 1, "-": -1][zone.prefix(1)],
      let number = Int64(zone.dropFirst()), number >= 0, number / 100 <= 14, number % 100 < 60
    else { return nil }
    return Int64(sign) * (number / 100 * 3_600 + number % 100 * 60)
  }
}
