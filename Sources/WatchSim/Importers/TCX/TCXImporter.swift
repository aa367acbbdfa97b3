import CoachProtocol

// TCX, version 2 (Garmin's TrainingCenterDatabase): activities of laps of tracks of points. Distance and laps are the
// device's own; pauses have no element of their own and appear as gaps, or as breaks between two tracks of a lap.

/// Reads TCX activities.
package enum TCXImporter: WorkoutImporter {
  package static let name = "TCX"
  package static let help = "A file with several activities needs --workout."
  package static let fileExtension = "tcx"
  package static let bytesMax = 256 * 1_024 * 1_024

  package static func canRead(_ head: [UInt8], fileName: String) -> Bool {
    // Some writers omit the root element.
    if let root = XMLScanner.rootName(of: head) { return ["TrainingCenterDatabase", "Activities"].contains(root) }
    return fileName.lowercased().hasSuffix(".tcx") && XMLScanner.beginsWithTag(head)
  }

  package static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout {
    let reader = try scan(bytes, fileName: fileName)
    guard reader.activities.count == 1 else { throw severalWorkouts(reader.activities.count, in: fileName) }
    return RecordedWorkout(assembling: reader.recording(0))
  }

  package static func outlines(_ bytes: [UInt8], fileName: String) throws(ImportError) -> [WorkoutOutline] {
    let reader = try scan(bytes, fileName: fileName)
    return reader.activities.indices.map { index in
      WorkoutOutline(RecordedWorkout(assembling: reader.recording(index)), number: index + 1)
    }
  }

  package static func read(
    _ bytes: [UInt8], fileName: String, number: Int
  ) throws(ImportError) -> RecordedWorkout {
    let reader = try scan(bytes, fileName: fileName)
    guard reader.activities.indices.contains(number - 1) else {
      throw noSuchWorkout(number, of: reader.activities.count, in: fileName)
    }
    return RecordedWorkout(assembling: reader.recording(number - 1))
  }

  private static func scan(_ bytes: [UInt8], fileName: String) throws(ImportError) -> TCXReader {
    var reader = TCXReader(bytes)
    do throws(XMLProblem) {
      try reader.read()
    } catch {
      throw ImportError(error, in: bytes, file: fileName)
    }
    guard reader.activities.contains(where: { !$0.samples.isEmpty || !$0.laps.isEmpty }) else {
      throw ImportError(
        file: fileName, position: XMLScanner.position(of: bytes.count, in: bytes), found: reader.contentWithoutPoints,
        expected: "an activity with points (Trackpoint)")
    }
    return reader
  }
}

// Reads a TCX document and collects its activities.

/// Collects the activities of one document.
struct TCXReader {
  /// Limit of activities in one document.
  static let activitiesMax = 10_000

  /// One activity.
  struct Activity {
    var sport: String?
    /// Whether its cadence counts the steps of one foot.
    var isOnFoot = false
    /// Whether the file breaks off within its last lap, whose totals then cover more than its points.
    var isCut = false
    var device: String?
    var samples: [RecordedWorkout.Sample] = []
    var laps: [RecordedWorkout.Lap] = []
    /// The highest heart rates of the laps that state one.
    var heartRates: [Int] = []
  }

  private var elements: XMLElements
  private(set) var activities: [Activity] = []
  private var lap: RecordedWorkout.Lap?
  private var lapHeartRate: Int?
  private var point: RecordedWorkout.Sample?
  private var latitude: Double?
  private var longitude: Double?
  private var runCadence: Double?
  private var segment = 0
  private var pointsInTrack = 0
  private var courses = 0
  private var transitions = 0
  private var sampleCount = 0
  private var badPositions = 0
  private var unknown = UnknownElements(TCXReader.ignored)
  private var root: String?

  init(_ bytes: [UInt8]) {
    elements = XMLElements(bytes)
  }

  /// Reads to the end of the bytes.
  ///
  /// - Throws: `XMLProblem` if a limit is exceeded.
  mutating func read() throws(XMLProblem) {
    while let step = try elements.next() {
      switch step {
      case .begin(let name): try begin(name)
      case .end(let name, let isNamed): close(name, isNamed: isNamed)
      }
    }
    finish()
  }

  /// The content of a document without an activity, for an error message.
  var contentWithoutPoints: String { courses > 0 ? "a course, which is a plan and no recording" : "no activity" }

  /// One activity before the repairs that all formats share.
  func recording(_ index: Int) -> RawRecording {
    let activity = activities[index]
    var raw = RawRecording(format: TCXImporter.name)
    raw.sport = activity.sport.flatMap(Self.sport)
    raw.samples = activity.samples
    raw.laps = activity.laps
    raw.summary.device = activity.device
    var findings = ImportFindings()
    if activities.count > 1 {
      findings.add("\(activities.count) activities are in the file; this is number \(index + 1)")
    }
    reportDamage(&findings)
    Self.dropRepeats(&raw.samples, findings: &findings)
    raw.start = activity.laps.first?.start
    raw.summary.start = raw.start
    // Its end is unknown: the laps' times may be those of a timer that stopped now and then.
    raw.window = activity.laps.first?.start.map { $0 ... .infinity }
    raw.summary.maximumHeartRate = activity.heartRates.max()
    if activity.isCut {
      findings.add("the last lap is cut: its totals are of more than its points, which were taken instead")
    } else {
      raw.summary.distance = RawRecording.total(activity.laps.map(\.distance))
      raw.summary.energyKcal = RawRecording.total(activity.laps.map(\.energyKcal))
      raw.lapSeconds = RawRecording.total(activity.laps.map(\.timer))
      raw.summary.timer = raw.lapSeconds
    }
    raw.findings = findings
    return raw
  }

  private func reportDamage(_ findings: inout ImportFindings) {
    if root != "TrainingCenterDatabase" { findings.add("the root element is missing") }
    elements.reportDamage(&findings)
    findings.add(
      transitions, "transition from sport to sport was left out", "transitions from sport to sport were left out")
    findings.add(badPositions, "position out of range", "positions out of range")
    elements.reportBadTexts(&findings)
    unknown.report(&findings, samples: sampleCount)
  }

  /// Elements of points that are understood and contain nothing that a watch records.
  private static let ignored: Set<String> = [
    "position", "heartratebpm", "extensions", "tpx", "sensorstate", "temperature", "cadencesensor",
  ]

  private static func sport(_ text: String) -> String? {
    switch text.lowercased() {
    case "": nil
    case "biking": "cycling"
    case let other: Printable.text(other, charactersMax: 40)
    }
  }

  /// The last point of a lap is often repeated as the first of the next; of two different ones at one time the later
  /// wins.
  private static func dropRepeats(_ samples: inout [RecordedWorkout.Sample], findings: inout ImportFindings) {
    var kept: [RecordedWorkout.Sample] = []
    kept.reserveCapacity(samples.count)
    var repeats = 0
    for var sample in samples {
      if var last = kept.last, last.time != nil, last.time == sample.time {
        last.segment = sample.segment
        if last == sample {
          repeats += 1
          sample.segment = kept[kept.count - 1].segment
          kept[kept.count - 1] = sample
          continue
        }
      }
      kept.append(sample)
    }
    findings.add(repeats, "point was written twice", "points were written twice")
    samples = kept
  }
}

// MARK: - Tags

extension TCXReader {
  private mutating func begin(_ name: String) throws(XMLProblem) {
    root = root ?? name
    switch name {
    case "Activity":
      guard activities.count < Self.activitiesMax else {
        throw XMLProblem(
          offset: elements.scanner.offset, found: "more activities",
          expected: "at most \(Self.activitiesMax) activities")
      }
      closeLap()
      activities.append(Activity())
      let sport = elements.scanner.attribute("Sport").map { String(decoding: $0, as: UTF8.self) }
      activities[activities.count - 1].sport = sport
      activities[activities.count - 1].isOnFoot = Sport(named: sport).isOnFoot
      segment = 0
    case "Course": courses += 1
    case "Transition": transitions += 1
    case "Lap":
      guard isInActivity else { break }
      closeLap()
      var begun = RecordedWorkout.Lap()
      begun.start = elements.scanner.attribute("StartTime").flatMap { TimeText.parse($0) }
      lap = begun
      lapHeartRate = nil
    case "Trackpoint":
      guard isInActivity else { break }
      if point != nil {
        elements.misnested += 1
        commit()
      }
      guard sampleCount < ImportLimits.samplesMax else {
        throw XMLProblem(
          offset: elements.scanner.offset, found: "more points", expected: "at most \(ImportLimits.samplesMax) points")
      }
      point = RecordedWorkout.Sample()
      point?.segment = segment
    default: break
    }
  }

  /// Whether the current element belongs to an activity, not to a course or a transition between sports.
  private var isInActivity: Bool {
    guard !activities.isEmpty, !elements.open.contains("Course") else { return false }
    // The innermost one decides: an activity after an unclosed transition is not part of it.
    return elements.open.last { $0 == "Activity" || $0 == "Transition" } != "Transition"
  }

  private mutating func close(_ name: String, isNamed: Bool) {
    switch name {
    case "Trackpoint": commit()
    case "Track":
      if pointsInTrack > 0 { segment += 1 }
      pointsInTrack = 0
    case "Lap": closeLap()
    default:
      guard isNamed else { return }
      if point != nil { readValue(name) } else if lap != nil { readLapValue(name) } else { readActivityValue(name) }
    }
  }

  private mutating func commit() {
    guard var sample = point, !activities.isEmpty else { return }
    if let latitude, let longitude {
      sample.position = Position(latitude: latitude, longitude: longitude)
      if sample.position == nil { badPositions += 1 }
    }
    // The extension of that name is a runner's; the meaning of the other element depends on the sport.
    if let runCadence {
      sample.cadence = runCadence * 2
    } else if activities[activities.count - 1].isOnFoot {
      sample.cadence = sample.cadence.map { $0 * 2 }
    }
    activities[activities.count - 1].samples.append(sample)
    sampleCount += 1
    pointsInTrack += 1
    point = nil
    (latitude, longitude, runCadence) = (nil, nil, nil)
  }

  private mutating func closeLap() {
    guard let closed = lap, !activities.isEmpty else { return }
    activities[activities.count - 1].laps.append(closed)
    if let lapHeartRate { activities[activities.count - 1].heartRates.append(lapHeartRate) }
    lap = nil
  }

  private mutating func finish() {
    // A truncated point is dropped; a truncated lap is kept.
    point = nil
    if elements.cutOffset != nil, lap != nil, !activities.isEmpty { activities[activities.count - 1].isCut = true }
    closeLap()
    // Empty activities, as some devices write for the transitions of a multisport.
    activities.removeAll { $0.samples.isEmpty && $0.laps.isEmpty }
  }

  /// Handles a value within a point: the innermost element names the value, the one around it its owner.
  private mutating func readValue(_ name: String) {
    guard var sample = point else { return }
    switch name {
    case "Time": sample.time = elements.time()
    case "LatitudeDegrees": latitude = elements.number(in: -1_000...1_000)
    case "LongitudeDegrees": longitude = elements.number(in: -1_000...1_000)
    case "AltitudeMeters": sample.altitude = elements.number(in: -1_000...100_000)
    case "DistanceMeters": sample.distance = elements.number(in: 0...1e9)
    case "Value":
      guard elements.open.last == "HeartRateBpm" else { return }
      sample.heartRate = elements.heartRate()
    case "HeartRate", "heartrate", "hr", "bpm":
      if sample.heartRate == nil { sample.heartRate = elements.heartRate() }
    case "Cadence": sample.cadence = elements.number(in: 0...500)
    case "RunCadence": runCadence = elements.number(in: 0...500)
    case "Speed": sample.speed = elements.number(in: 0...1_000)
    case "Watts": sample.power = elements.number(in: 0...10_000)
    default: return unknown.add(name, at: sampleCount)
    }
    point = sample
  }

  private mutating func readLapValue(_ name: String) {
    switch (name, elements.open.last ?? "") {
    case ("TotalTimeSeconds", "Lap"): lap?.timer = elements.number(in: 0...1e7)
    case ("DistanceMeters", "Lap"): lap?.distance = elements.number(in: 0...1e9)
    case ("Calories", "Lap"): lap?.energyKcal = elements.number(in: 0...1e6)
    case ("TriggerMethod", "Lap"):
      let text = String(decoding: ASCII.trimmed(elements.scanner.text), as: UTF8.self)
      lap?.trigger = Printable.text(text.lowercased(), charactersMax: 20)
    // Not used, but a value that cannot be read is reported.
    case ("Value", "AverageHeartRateBpm"): _ = elements.number(in: 1...300)
    case ("Value", "MaximumHeartRateBpm"): lapHeartRate = elements.number(in: 1...300).map { Int($0.rounded()) }
    default: return
    }
  }

  private mutating func readActivityValue(_ name: String) {
    guard !activities.isEmpty, name == "Name", elements.open.last == "Creator" else { return }
    activities[activities.count - 1].device = Printable.text(ASCII.trimmed(elements.scanner.text), charactersMax: 80)
  }
}
