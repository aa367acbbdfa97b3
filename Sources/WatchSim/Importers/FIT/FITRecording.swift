import CoachProtocol

// Collects the content of an activity's messages. Messages come in any order (summaries last or first, events in a
// block), so everything is collected before it is interpreted.

/// The content of a FIT activity.
struct FITRecording {
  private struct Session: Equatable {
    var start: Double?
    var sport: UInt64?
    var elapsed: Double?
    var timer: Double?
    var distance: Double?
    var averageHeartRate: Int?
    var maximumHeartRate: Int?
    var energyKcal: Double?
    var poolLength: Double?
  }

  /// The file's kind by its file_id; nil if it has none.
  private(set) var fileType: UInt64?
  private var manufacturer: UInt64?
  private var productName: String?
  private var sessions: [Session] = []
  private var samples: [RecordedWorkout.Sample] = []
  private var laps: [RecordedWorkout.Lap] = []
  private var lengths: [RecordedWorkout.Length] = []
  private var events = FITEvents()
  private var accumulator = FITDistanceAccumulator()
  private var zeroHeartRates = 0
  private var repeatedSessions = 0
  private var strap = FITStrap()
  private var developerFields = FITDeveloperFields()

  /// Whether there was neither a record nor a session.
  var isEmpty: Bool { samples.isEmpty && sessions.isEmpty }

  mutating func add(_ message: FITMessage) {
    switch message.global {
    case FITNames.Message.record: addRecord(message)
    case FITNames.Message.event: events.add(message)
    case FITNames.Message.lap: addLap(message)
    case FITNames.Message.length: addLength(message)
    case FITNames.Message.session: addSession(message)
    case FITNames.Message.fileID:
      // Chained parts may be of another kind; the first one names the file.
      guard fileType == nil else { return }
      fileType = message.unsigned(0)
      manufacturer = message.unsigned(1)
      productName = message.text(8)
    case FITNames.Message.strapHeartRate: strap.add(message)
    case FITNames.Message.fieldDescription: developerFields.add(message)
    // Manufacturers' own messages are common and contain nothing about the workout.
    default: break
    }
  }
}

extension FITRecording {
  /// Sessions with a time, sorted by it: the parts of a multisport recording.
  ///
  /// Of several with the same start the first is used.
  var parts: [RawRecording.Part] {
    var starts: Set<Double> = []
    return sessions.compactMap { session in
      guard let start = session.start, let elapsed = session.elapsed, starts.insert(start).inserted else { return nil }
      var summary = RecordedWorkout.Summary()
      summary.start = start
      summary.elapsed = elapsed
      summary.timer = session.timer
      summary.distance = session.distance
      summary.averageHeartRate = session.averageHeartRate
      summary.maximumHeartRate = session.maximumHeartRate
      summary.energyKcal = session.energyKcal
      return RawRecording.Part(
        sport: session.sport.map(FITNames.sport), summary: summary, poolLength: session.poolLength)
    }.sorted { ($0.summary.start ?? 0) < ($1.summary.start ?? 0) }
  }
}

// MARK: - Messages

extension FITRecording {
  private mutating func addRecord(_ message: FITMessage) {
    var sample = RecordedWorkout.Sample()
    sample.time = message.time.map(FITTime.unixSeconds)
    // Some watches write exactly (0, 0) without a fix.
    if let latitude = message.integer(0), let longitude = message.integer(1), latitude != 0 || longitude != 0 {
      // Semicircles: 2^31 of them are 180 degrees.
      sample.position = Position(
        latitude: Double(latitude) * 180 / 2_147_483_648, longitude: Double(longitude) * 180 / 2_147_483_648)
    }
    sample.altitude = message.scaled(78, by: 5, offset: 500) ?? message.scaled(2, by: 5, offset: 500)
    sample.speed = message.scaled(73, by: 1_000) ?? message.scaled(6, by: 1_000)
    sample.distance = message.scaled(5, by: 100)
    if let packed = message.rawBytes(8), let values = accumulator.add(packed) {
      sample.speed = sample.speed ?? values.speed
      sample.distance = sample.distance ?? values.distance
    }
    if let heartRate = message.unsigned(3) {
      if heartRate == 0 { zeroHeartRates += 1 } else if heartRate <= 300 { sample.heartRate = Int(heartRate) }
    }
    if let cadence = message.scaled(4) { sample.cadence = cadence + (message.scaled(53, by: 128) ?? 0) }
    sample.power = message.scaled(7)
    developerFields.complete(&sample, from: message)
    samples.append(sample)
  }

  private mutating func addLap(_ message: FITMessage) {
    let lap =
      RecordedWorkout.Lap(
        start: time(message, 2), elapsed: message.scaled(7, by: 1_000), timer: message.scaled(8, by: 1_000),
        distance: message.scaled(9, by: 100), trigger: message.unsigned(24).map(FITNames.lapTrigger))
    guard lap.start == nil || (lap.elapsed ?? 0) <= 0 || !laps.contains(lap) else { return }
    laps.append(lap)
  }

  private mutating func addLength(_ message: FITMessage) {
    lengths.append(
      RecordedWorkout.Length(
        start: time(message, 2), elapsed: message.scaled(3, by: 1_000), isActive: message.unsigned(12) != 0,
        strokes: message.unsigned(5).flatMap(Int.init(exactly:)),
        stroke: message.unsigned(7).flatMap(FITNames.stroke)))
  }

  private mutating func addSession(_ message: FITMessage) {
    let session =
      Session(
        start: time(message, 2), sport: message.unsigned(5), elapsed: message.scaled(7, by: 1_000),
        timer: message.scaled(8, by: 1_000), distance: message.scaled(9, by: 100),
        averageHeartRate: message.unsigned(16).flatMap(Int.init(exactly:)),
        maximumHeartRate: message.unsigned(17).flatMap(Int.init(exactly:)), energyKcal: message.scaled(11),
        poolLength: message.scaled(44, by: 100))
    // Chained copies of one file repeat everything.
    guard session.start == nil || !sessions.contains(session) else { return repeatedSessions += 1 }
    sessions.append(session)
  }

  private func time(_ message: FITMessage, _ field: UInt8) -> Double? {
    message.unsigned(field).flatMap(UInt32.init(exactly:)).map(FITTime.unixSeconds)
  }
}

// MARK: - Conclusions

extension FITRecording {
  /// Limit of sessions in a finding; a triathlon with its transitions has five.
  private static let sessionsListedMax = 10

  /// The recording before the repairs that all formats share.
  func raw(decoderFindings: ImportFindings, partCount: Int) -> RawRecording {
    var raw = RawRecording(format: FITImporter.name)
    var findings = decoderFindings
    if fileType == nil { findings.add("the file does not say that it is an activity (no file_id)") }
    if partCount > 1 { findings.add("\(partCount) files are chained; they were read as one workout") }
    if sessions.count > 1 {
      let listed = sessions.prefix(Self.sessionsListedMax).map { $0.sport.map(FITNames.sport) ?? "unknown" }
      let rest = sessions.count > listed.count ? ", ..." : ""
      findings.add(
        "\(sessions.count) sessions (\(listed.joined(separator: ", "))\(rest)) were read as one workout")
    }
    findings.add(repeatedSessions, "session is repeated", "sessions are repeated")
    if sessions.isEmpty { findings.add("no session summary: totals come from the records") }
    findings.add(zeroHeartRates, "heart rate of 0 is no reading", "heart rates of 0 are no readings")

    raw.samples = samples
    FITPool.addTimes(&raw.samples, by: lengths, poolLength: sessions.first?.poolLength, findings: &findings)
    doubleFootCadence(&raw.samples)
    raw.lengths = lengths
    raw.poolLength = sessions.compactMap(\.poolLength).first
    raw.laps = laps
    let timer = events.pauses()
    if events.hasStops { raw.pauses = timer.pauses }
    raw.timerEnd = timer.end
    raw.sport = sport
    raw.summary = summary
    raw.start = sessions.first?.start ?? events.firstStart
    raw.window = window
    raw.breaksAtClockSteps = true
    strap.fill(&raw.samples, findings: &findings)
    let hasHeartRate = raw.samples.contains { $0.heartRate != nil }
    if !hasHeartRate, let claimed = sessions.compactMap(\.averageHeartRate).first {
      findings.add("the device claims a mean heart rate of \(claimed), its records hold none")
    }
    raw.findings = findings
    return raw
  }

  private var sport: String? {
    let sports = sessions.compactMap(\.sport)
    guard let first = sports.first else { return nil }
    return sports.contains { $0 != first } ? "multisport" : FITNames.sport(first)
  }

  private var summary: RecordedWorkout.Summary {
    var summary = RecordedWorkout.Summary()
    summary.start = sessions.first?.start
    summary.elapsed = RawRecording.total(sessions.map(\.elapsed))
    summary.timer = RawRecording.total(sessions.map(\.timer))
    summary.distance = RawRecording.total(sessions.map(\.distance))
    summary.averageHeartRate = sessions.count == 1 ? sessions[0].averageHeartRate : nil
    summary.maximumHeartRate = sessions.compactMap(\.maximumHeartRate).max()
    summary.energyKcal = RawRecording.total(sessions.map(\.energyKcal))
    let maker = manufacturer.map(FITNames.manufacturer)
    let parts = [maker, productName].compactMap { $0 }
    summary.device = parts.isEmpty ? nil : parts.joined(separator: " ")
    return summary
  }

  /// From the first session's start to the last one's end; nil if a session has no time.
  private var window: ClosedRange<Double>? {
    let parts = self.parts
    guard let first = parts.first, parts.count == sessions.count, let end = parts.map(\.end).max(), first.start <= end
    else { return nil }
    return first.start...end
  }

  /// Doubles cadence in sports on foot, where it counts one foot.
  ///
  /// In a multisport recording each sample belongs to the last session that had begun.
  private func doubleFootCadence(_ samples: inout [RecordedWorkout.Sample]) {
    let starts = sessions.sorted { $0.start ?? 0 < $1.start ?? 0 }
      .map { (start: $0.start ?? 0, isFoot: Sport(named: $0.sport.map(FITNames.sport)).isOnFoot) }
    guard var current = starts.first, starts.contains(where: \.isFoot) else { return }
    for index in samples.indices {
      if let time = samples[index].time { current = starts[starts.lastIndex(startingBy: time, \.start) ?? 0] }
      if current.isFoot { samples[index].cadence = samples[index].cadence.map { $0 * 2 } }
    }
  }
}

// Speed and distance packed into three bytes, as old foot pods and watches record them: twelve bits of speed in
// hundredths of a metre a second, then twelve bits of distance in sixteenths of a metre, which roll over every 256 m.

/// Unrolls the packed distance.
struct FITDistanceAccumulator: Sendable, Equatable {
  private var sixteenths = 0
  private var last: Int?

  /// Adds the three bytes of one record; nil for another number of bytes.
  ///
  /// - Returns: Metres per second, and metres since the first record.
  mutating func add(_ packed: ArraySlice<UInt8>) -> (speed: Double, distance: Double)? {
    guard packed.count == 3 else { return nil }
    let bits = packed.reversed().reduce(0) { $0 << 8 | Int($1) }
    let speed = bits & 0xFFF
    let count = bits >> 12 & 0xFFF
    sixteenths += (count - (last ?? 0)) & 0xFFF
    last = count
    return (Double(speed) / 100, Double(sixteenths) / 16)
  }
}

// Pool swims: some watches write one record for each length without a time stamp; the time is in the length message.

/// Adds times to the records of a pool swim.
enum FITPool {
  /// Gives untimed samples the end times of the lengths; makes samples from the lengths if there are none.
  static func addTimes(
    _ samples: inout [RecordedWorkout.Sample], by lengths: [RecordedWorkout.Length], poolLength: Double?,
    findings: inout ImportFindings
  ) {
    guard !lengths.isEmpty, samples.allSatisfy({ $0.time == nil }) else { return }
    let ends = lengths.map { length in length.start.map { $0 + (length.elapsed ?? 0) } }
    if samples.count == lengths.count {
      for index in samples.indices { samples[index].time = ends[index] }
      findings.add("records without times: those of the pool lengths were taken")
    } else if samples.isEmpty, let poolLength, poolLength > 0 {
      var swum = 0.0
      for (length, end) in zip(lengths, ends) {
        swum += length.isActive ? poolLength : 0
        samples.append(RecordedWorkout.Sample(time: end, distance: swum))
      }
      findings.add("no records: samples were made from the pool lengths")
    }
  }
}
