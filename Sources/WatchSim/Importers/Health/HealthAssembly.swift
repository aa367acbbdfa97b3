// Joins a workout of a health export with its route and its records.

import CoachProtocol
import Foundation

/// Collects what belongs to one workout.
struct HealthAssembly {
  /// A day at one point a second has 20 MB.
  private static let routeBytesMax = 256 << 20
  /// Steps counted over less than this, in seconds, give no cadence.
  private static let stepSecondsMin = 1.0

  private let workout: HealthExportWorkout
  private let start: Double
  private let end: Double
  private var findings: ImportFindings
  private var route: [RecordedWorkout.Sample] = []
  private var routeFiles = 0
  private var routePaths: Set<String> = []
  /// By kind, in the file's order, of all sources.
  private var heartRates: [HealthRecord] = []
  private var distances: [HealthRecord] = []
  private var steps: [HealthRecord] = []
  private var strokes: [HealthRecord] = []
  private var tooMany = 0

  init(_ workout: HealthExportWorkout, start: Double, end: Double, findings: ImportFindings) {
    self.workout = workout
    self.start = start
    self.end = end
    self.findings = findings
  }

  /// Adds a record that overlaps the workout.
  mutating func add(_ record: HealthRecord) {
    guard heartRates.count + distances.count + steps.count + strokes.count < ImportLimits.samplesMax else {
      tooMany += 1
      return
    }
    switch record.kind {
    case .heartRate: heartRates.append(record)
    case .distance: if isOwn(record) { distances.append(record) }
    case .steps: steps.append(record)
    case .strokes: strokes.append(record)
    }
  }

  /// Whether a record of distance is of the workout's sport.
  private func isOwn(_ record: HealthRecord) -> Bool {
    let kinds = workout.recordKinds
    return kinds.isEmpty || kinds.contains(record.type)
  }

  /// Reads a route's file.
  mutating func readRoute(_ reference: String, beside file: String) {
    let name = Printable.text(reference, charactersMax: 120)
    guard let path = HealthFolder.path(of: reference, beside: file) else {
      return findings.add("the route \(name) lies outside of the export's folder and was not read")
    }
    // An export may refer to one file in several spellings.
    guard routePaths.insert(path).inserted else { return }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      return findings.add("the route \(name) is not beside the export")
    }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: Self.routeBytesMax + 1), data.count <= Self.routeBytesMax else {
      return findings.add("the route \(name) cannot be read")
    }
    var reader = GPXReader([UInt8](data))
    do { try reader.read() } catch { return findings.add("the route \(name) is no GPX file: \(error.found)") }
    let points = reader.samples.filter { $0.time != nil && $0.position != nil }
    guard !points.isEmpty else { return findings.add("the route \(name) has no points with times") }
    guard route.count + points.count <= ImportLimits.samplesMax else { return tooMany += points.count }
    routeFiles += 1
    route += points.map { point in
      var point = point
      point.segment = routeFiles - 1
      return point
    }
  }

  /// The recording before the repairs that all formats share.
  mutating func raw() -> RawRecording {
    var raw = RawRecording(format: HealthImporter.name)
    raw.sport = workout.sport
    raw.start = start
    raw.window = start...end
    raw.laps = workout.laps
    let stops = workout.pauses
    raw.pauses = stops.pauses
    raw.timerEnd = stops.end ?? end
    raw.summary.start = start
    raw.summary.elapsed = end - start
    raw.summary.timer = workout.duration
    raw.summary.distance = workout.distance
    raw.summary.averageHeartRate = workout.averageHeartRate.map { Int($0.rounded()) }
    raw.summary.maximumHeartRate = workout.maximumHeartRate.map { Int($0.rounded()) }
    raw.summary.energyKcal = workout.energyKcal
    raw.summary.device = workout.device ?? (workout.source.isEmpty ? nil : workout.source.trimmingBlanks)
    reportOddities()
    sortRoute()
    var samples = shape(stops.pauses)
    samples += rates()
    samples += cadences()
    raw.samples = Self.merged(samples)
    raw.poolLength = workout.poolLength
    raw.lengths = HealthPool.lengths(of: workout, strokes: chosen(strokes))
    raw.findings = findings
    return raw
  }

  /// Sorts samples by time and merges those of one instant.
  private static func merged(_ samples: [RecordedWorkout.Sample]) -> [RecordedWorkout.Sample] {
    var merged: [RecordedWorkout.Sample] = []
    merged.reserveCapacity(samples.count)
    for sample in samples.sorted(by: { $0.time ?? 0 < $1.time ?? 0 }) {
      guard var last = merged.last, last.time == sample.time else {
        merged.append(sample)
        continue
      }
      last.position = sample.position ?? last.position
      last.altitude = sample.altitude ?? last.altitude
      last.distance = sample.distance ?? last.distance
      last.speed = sample.speed ?? last.speed
      last.heartRate = sample.heartRate ?? last.heartRate
      last.cadence = sample.cadence ?? last.cadence
      merged[merged.count - 1] = last
    }
    return merged
  }

  private mutating func reportOddities() {
    if !workout.isWhole { findings.add("the workout breaks off within its element") }
    let motion = workout.motionPauses
    if motion > 0 { findings.add("\(motion) standstills that the watch noticed did not stop its timer") }
    for unit in workout.unknownUnits.prefix(5) {
      findings.add("the unit '\(Printable.text(unit, charactersMax: 20))' is not known")
    }
    if workout.omittedCount > 0 {
      findings.add("\(workout.omittedCount) events and routes past a million were left out")
    }
    if tooMany > 0 { findings.add("\(tooMany) records past a million were left out") }
  }

  /// Sorts files by their first points; of two points in one second the later wins.
  private mutating func sortRoute() {
    var kept: [RecordedWorkout.Sample] = []
    var repeats = 0
    for point in route.sorted(by: { $0.time ?? 0 < $1.time ?? 0 }) {
      if let last = kept.last, last.time == point.time {
        repeats += 1
        kept[kept.count - 1] = point
      } else {
        kept.append(point)
      }
    }
    findings.add(
      repeats, "point of the route repeats a second; the later one is used",
      "points of the route repeat a second; the later ones are used")
    PositionOutliers.drop(from: &kept, sport: Sport(named: workout.sport), findings: &findings)
    route = kept.filter { $0.position != nil }
  }

  // MARK: Distance

  /// The samples with positions over time: the route's, or else the distance records, scaled to the watch's total; with
  /// the workout's start and end.
  private mutating func shape(_ pauses: [RecordedWorkout.Pause]) -> [RecordedWorkout.Sample] {
    if route.count >= 2 { return scaledRoute(pauses) }
    let all = chosen(distances)
    var known: Set<HealthRecord> = []
    let records = all.filter { known.insert($0).inserted }
    findings.add(
      all.count - records.count, "record of distance is in the export more than once and counts once",
      "records of distance are in the export more than once and count once")
    var curve: [(time: Double, metres: Double)] = []
    var sum = 0.0
    for record in records.sorted(by: { $0.to < $1.to }) {
      guard let metres = HealthUnits.value(record.value, unit: record.unit, .length), metres >= 0, metres < 1e6 else {
        findings.add("a record of distance has an unknown unit or no number")
        continue
      }
      // Of a record that extends beyond the workout only its share counts.
      let span = record.to - record.from
      let inside = min(record.to, end) - max(record.from, start)
      sum += span > 0 ? metres * max(0, inside) / span : metres
      curve.append((min(record.to, end), sum))
    }
    let total = workout.distance ?? sum
    var samples = [sample(at: start, distance: 0)]
    let scale = sum > 0 ? total / sum : 0
    for knot in curve { samples.append(sample(at: knot.time, distance: knot.metres * scale)) }
    if curve.isEmpty, total > 0 {
      findings.add("neither a route nor records of distance: the distance is laid evenly over the workout")
    }
    samples.append(sample(at: end, distance: total))
    return samples
  }

  private func sample(at time: Double, distance: Double) -> RecordedWorkout.Sample {
    var sample = RecordedWorkout.Sample()
    sample.time = time
    sample.distance = (distance * 1_000).rounded() / 1_000
    return sample
  }

  /// Routes continue during pauses, and their files may have gaps: only distance within a file and outside of pauses
  /// counts.
  private mutating func scaledRoute(_ pauses: [RecordedWorkout.Pause]) -> [RecordedWorkout.Sample] {
    var lengths: [Double] = []
    var sum = 0.0
    var pause = 0
    for (index, point) in route.enumerated() {
      let time = point.time ?? 0
      while pause < pauses.count, pauses[pause].to <= time { pause += 1 }
      let isPaused = pause < pauses.count && pauses[pause].from < time
      if index > 0, route[index - 1].segment == point.segment, !isPaused,
        let from = route[index - 1].position, let to = point.position
      {
        sum += Double(GreatCircle.millimetres(from: from, to: to)) / 1_000
      }
      lengths.append(sum)
    }
    let total = workout.distance.flatMap { $0 > 0 ? $0 : nil } ?? sum
    let scale = sum > 0 ? total / sum : 0
    if workout.distance != nil, sum > 0, abs(scale - 1) > 0.2 {
      findings.add("the route's length differs from the stated distance by more than a fifth; it was scaled")
    }
    var samples: [RecordedWorkout.Sample] = []
    if let first = route[0].time, first > start { samples.append(sample(at: start, distance: 0)) }
    for (index, point) in route.enumerated() where (start...end).contains(point.time ?? 0) {
      var point = point
      point.distance = (lengths[index] * scale * 1_000).rounded() / 1_000
      // Distances continue from file to file, so for later steps the route is one segment.
      point.segment = 0
      samples.append(point)
    }
    if let last = route[route.count - 1].time, last < end { samples.append(sample(at: end, distance: total)) }
    return samples
  }

  // MARK: Records

  /// The records of one source: the workout's own if it has any, else the one with the most.
  private mutating func chosen(_ records: [HealthRecord]) -> [HealthRecord] {
    var counts: [String: Int] = [:]
    for record in records { counts[record.source, default: 0] += 1 }
    guard counts.count > 1 else { return records }
    let own = workout.source.normalizedSource
    var source = own
    if counts[own] == nil {
      // In the file's order, so that among equals the first wins.
      var most = 0
      for record in records where counts[record.source, default: 0] > most {
        most = counts[record.source, default: 0]
        source = record.source
      }
    }
    let kept = records.filter { $0.source == source }
    findings.add(
      records.count - kept.count, "record of another source was left out", "records of other sources were left out")
    return kept
  }

  private mutating func rates() -> [RecordedWorkout.Sample] {
    var samples: [RecordedWorkout.Sample] = []
    for record in chosen(heartRates) where record.from >= start && record.from <= end {
      guard let rate = HealthUnits.value(record.value, unit: record.unit, .rate), rate >= 0.5, rate <= 300 else {
        findings.add("a record of heart rate has an unknown unit or no usable number")
        continue
      }
      var sample = RecordedWorkout.Sample()
      sample.time = record.from
      sample.heartRate = Int(rate.rounded())
      samples.append(sample)
    }
    return samples
  }

  private mutating func cadences() -> [RecordedWorkout.Sample] {
    var samples: [RecordedWorkout.Sample] = []
    for record in chosen(steps) where record.from >= start && record.from <= end {
      let span = record.to - record.from
      guard span >= Self.stepSecondsMin,
        let count = HealthUnits.value(record.value, unit: record.unit ?? "count", .count)
      else { continue }
      let cadence = (count * 60 / span).rounded()
      guard cadence > 0, cadence <= 500 else { continue }
      var sample = RecordedWorkout.Sample()
      sample.time = record.from
      sample.cadence = cadence
      samples.append(sample)
    }
    return samples
  }
}
