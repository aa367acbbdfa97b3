import CoachProtocol

// GPX 1.1 and 1.0 (Topografix): tracks of points with positions, mostly with times, and extensions for heart rate,
// cadence, speed and power in several vocabularies. Routes and waypoints are plans, not recordings, and are ignored.
// GPX has no laps, timer or distance: pauses are inferred, and distance is the great-circle sum within segments.

/// Reads GPX tracks.
package enum GPXImporter: WorkoutImporter {
  package static let name = "GPX"
  package static let help = "Tracks of one file are read as one workout, unless --workout chooses one."
  package static let fileExtension = "gpx"
  package static let bytesMax = 256 * 1_024 * 1_024

  package static func canRead(_ head: [UInt8], fileName: String) -> Bool {
    if let root = XMLScanner.rootName(of: head) { return root == "gpx" }
    // A document type declaration may fill the whole head; then the name decides.
    return fileName.lowercased().hasSuffix(".gpx") && XMLScanner.beginsWithTag(head)
  }

  package static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout {
    RecordedWorkout(assembling: try scan(bytes, fileName: fileName).recording())
  }

  package static func outlines(_ bytes: [UInt8], fileName: String) throws(ImportError) -> [WorkoutOutline] {
    let reader = try scan(bytes, fileName: fileName)
    let tracks = reader.tracksWithPoints
    guard tracks.count > 1 else { return [WorkoutOutline(try read(bytes, fileName: fileName), number: 1)] }
    return tracks.enumerated().map { offset, track in
      var outline = WorkoutOutline(
        RecordedWorkout(assembling: reader.recording(track: track)), number: offset + 1)
      outline.name = reader.tracks[track].name
      return outline
    }
  }

  package static func read(_ bytes: [UInt8], fileName: String, number: Int) throws(ImportError) -> RecordedWorkout {
    let reader = try scan(bytes, fileName: fileName)
    let tracks = reader.tracksWithPoints
    // Points outside of any track are read as one track, and so is a single track.
    if tracks.count <= 1, number == 1 { return RecordedWorkout(assembling: reader.recording()) }
    guard tracks.indices.contains(number - 1) else {
      throw noSuchWorkout(number, of: max(tracks.count, 1), in: fileName)
    }
    return RecordedWorkout(assembling: reader.recording(track: tracks[number - 1]))
  }

  private static func scan(_ bytes: [UInt8], fileName: String) throws(ImportError) -> GPXReader {
    var reader = GPXReader(bytes)
    do throws(XMLProblem) {
      try reader.read()
    } catch {
      throw ImportError(error, in: bytes, file: fileName)
    }
    guard !reader.samples.isEmpty else {
      throw ImportError(
        file: fileName, position: XMLScanner.position(of: bytes.count, in: bytes), found: reader.contentWithoutPoints,
        expected: "a track with points (trkpt)")
    }
    return reader
  }
}

// Reads a GPX document and collects its track points.

/// Collects the track points of one document.
struct GPXReader {
  private var elements: XMLElements
  private var point: RecordedWorkout.Sample?
  private var pointDepth = 0
  private var segment = 0
  private var pointsInSegment = 0

  private(set) var samples: [RecordedWorkout.Sample] = []
  /// The tracks in the file's order, with the index of their first points.
  private(set) var tracks: [(first: Int, name: String?, type: String?)] = []
  /// Indices into ``tracks`` of tracks with points; complete once the document is read.
  private(set) var tracksWithPoints: [Int] = []
  private var type: String?
  private var creator: String?
  private var otherPoints = 0
  private var emptySegments = 0
  private var unknown = UnknownElements(GPXReader.ignored)
  private var badPositions = 0

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
    tracksWithPoints = tracks.indices.filter { !points(of: $0).isEmpty }
  }

  /// The content of a document without track points, for an error message.
  var contentWithoutPoints: String {
    otherPoints > 0 ? "only \(otherPoints) route points or waypoints" : "no point"
  }

  private func points(of track: Int) -> Range<Int> {
    tracks[track].first..<(track + 1 < tracks.count ? tracks[track + 1].first : samples.count)
  }

  /// The recording before the repairs that all formats share.
  ///
  /// - Parameter track: An index into ``tracks``; nil for all of them as one.
  func recording(track: Int? = nil) -> RawRecording {
    var raw = RawRecording(format: GPXImporter.name)
    raw.samples = track.map { Array(samples[points(of: $0)]) } ?? samples
    raw.sport = (track.map { tracks[$0].type } ?? type).flatMap(Self.sport)
    raw.summary.device = creator
    var findings = ImportFindings()
    let trackCount = tracksWithPoints.count
    if track == nil, trackCount > 1 { findings.add("\(trackCount) tracks were read as one workout") }
    elements.reportDamage(&findings)
    findings.add(emptySegments, "empty segment", "empty segments")
    findings.add(badPositions, "point without a usable position", "points without a usable position")
    elements.reportBadTexts(&findings)
    unknown.report(&findings, samples: samples.count)
    GPXCadence.toSteps(&raw, findings: &findings)
    raw.findings = findings
    return raw
  }

  /// Elements of points that are understood and contain nothing that a watch records.
  private static let ignored: Set<String> = [
    "extensions", "trackpointextension", "powerextension", "gpxtpx", "atemp", "wtemp", "temp", "temperature", "depth",
    "course", "bearing", "heading", "hacc", "vacc", "accuracy", "accuracy_horizontal", "accuracy_vertical", "gain",
    "loss", "distance", "sat", "hdop", "vdop", "pdop", "fix", "geoidheight", "magvar", "name", "cmt", "desc", "src",
    "link", "text", "sym", "type", "ageofdgpsdata", "dgpsid", "elevation",
  ]

  /// Sport from a track's free text; the numbers are Strava's.
  private static func sport(_ type: String) -> String? {
    switch type.lowercased() {
    case "": nil
    case "1", "biking", "ride", "bike": "cycling"
    case "9", "run": "running"
    case let other: Printable.text(other, charactersMax: 40)
    }
  }
}

// MARK: - Tags

extension GPXReader {
  private mutating func begin(_ name: String) throws(XMLProblem) {
    switch name {
    case "gpx":
      creator = elements.scanner.attribute("creator").map { Printable.text($0, charactersMax: 80) } ?? creator
    case "trkpt":
      // A point that was never closed is as complete as it will get.
      if point != nil {
        elements.misnested += 1
        try commit()
      }
      guard samples.count < ImportLimits.samplesMax else {
        throw XMLProblem(
          offset: elements.scanner.offset, found: "more points", expected: "at most \(ImportLimits.samplesMax) points")
      }
      beginPoint()
    case "trk": tracks.append((samples.count, nil, nil))
    case "rtept", "wpt": otherPoints += 1
    default: break
    }
  }

  private mutating func beginPoint() {
    var sample = RecordedWorkout.Sample()
    sample.segment = segment
    if let latitude = elements.scanner.attribute("lat").flatMap(NumberText.parse),
      let longitude = elements.scanner.attribute("lon").flatMap(NumberText.parse)
    {
      sample.position = Position(latitude: latitude, longitude: longitude)
    }
    if sample.position == nil { badPositions += 1 }
    point = sample
    pointDepth = elements.open.count
  }

  /// Handles an element that was closed; only the one that the tag names has a text of its own.
  private mutating func close(_ name: String, isNamed: Bool) {
    if point != nil, elements.open.count > pointDepth {
      if isNamed { readValue(name, isDirect: elements.open.count == pointDepth + 1) }
      return
    }
    switch name {
    case "trkpt":
      if let point { append(point) }
    case "trkseg":
      if pointsInSegment == 0 { emptySegments += 1 } else { segment += 1 }
      pointsInSegment = 0
    case "trk":
      // Points outside of any segment: the next track is a new stretch in any case.
      if pointsInSegment > 0 { segment += 1 }
      pointsInSegment = 0
    case "type":
      guard elements.open.last == "trk", !tracks.isEmpty else { return }
      let text = String(decoding: ASCII.trimmed(elements.scanner.text), as: UTF8.self)
      if type == nil { type = text }
      tracks[tracks.count - 1].type = text
    case "name":
      guard elements.open.last == "trk", !tracks.isEmpty else { return }
      tracks[tracks.count - 1].name = Printable.text(ASCII.trimmed(elements.scanner.text), charactersMax: 60)
    default: break
    }
  }

  private mutating func commit() throws(XMLProblem) {
    guard let point else { return }
    elements.leave(downTo: pointDepth)
    append(point)
  }

  private mutating func append(_ sample: RecordedWorkout.Sample) {
    samples.append(sample)
    pointsInSegment += 1
    point = nil
  }

  /// Handles a value within a point.
  ///
  /// Vocabularies are distinguished by local names only: prefixes and namespaces are often missing or wrong.
  private mutating func readValue(_ name: String, isDirect: Bool) {
    guard var sample = point else { return }
    switch name {
    case "time":
      if isDirect { sample.time = elements.time() }
    case "ele":
      if isDirect { sample.altitude = elements.number(in: -1_000...100_000) }
    case "speed": sample.speed = elements.number(in: 0...1_000)
    case "hr", "heartrate", "heartRate", "HeartRate", "heart_rate", "heartRateBpm", "bpm", "hrm", "pulse":
      sample.heartRate = elements.heartRate()
    case "HeartRateBpm":
      // The vocabulary of TCX has the number in an element of its own.
      if sample.heartRate == nil { sample.heartRate = elements.heartRate() }
    case "Value", "value":
      guard elements.open.last?.lowercased().hasPrefix("heartrate") ?? false else {
        return unknown.add(name, at: samples.count)
      }
      sample.heartRate = elements.heartRate()
    case "cad", "cadence", "Cadence", "RunCadence", "run_cadence":
      sample.cadence = elements.number(in: 0...500)
    case "power", "Power", "PowerInWatts", "watts", "Watts": sample.power = elements.number(in: 0...10_000)
    default: return unknown.add(name, at: samples.count)
    }
    point = sample
  }
}

// Recorders count one foot: the cadence in a GPX file of a run is strides a minute, half of the steps.

/// Converts a GPX file's cadence to steps a minute.
enum GPXCadence {
  /// Contains runners' median strides, but neither their steps nor most cyclists' revolutions on the flat.
  private static let strideMedianRange = 65.0...110.0
  /// The mean speed of runners, metres per second.
  private static let runningSpeedRange = 1.5...6.5

  /// Doubles the cadences if they count one foot, according to the sport or, if that is unknown, to median cadence and
  /// speed.
  static func toSteps(_ raw: inout RawRecording, findings: inout ImportFindings) {
    let cadences = raw.samples.compactMap(\.cadence).sorted()
    guard !cadences.isEmpty else { return }
    switch Sport(named: raw.sport) {
    case .running, .walking: break
    case .other:
      guard strideMedianRange.contains(cadences[cadences.count / 2]), runningSpeedRange.contains(meanSpeed(raw.samples))
      else { return }
      let about = raw.sport.map { "the sport '\($0)' is not known" } ?? "the file names no sport"
      findings.add("\(about); cadence was taken as strides of a runner")
    default: return
    }
    for index in raw.samples.indices {
      raw.samples[index].cadence = raw.samples[index].cadence.map { $0 * 2 }
    }
  }

  private static func meanSpeed(_ samples: [RecordedWorkout.Sample]) -> Double {
    var metres = 0.0
    var seconds = 0.0
    var previous: RecordedWorkout.Sample?
    for sample in samples {
      guard let time = sample.time, let position = sample.position else { continue }
      if let previous, let previousTime = previous.time, let previousPosition = previous.position,
        previous.segment == sample.segment, time > previousTime, time - previousTime <= 30
      {
        metres += Double(GreatCircle.millimetres(from: previousPosition, to: position)) / 1_000
        seconds += time - previousTime
      }
      previous = sample
    }
    return seconds > 0 ? metres / seconds : 0
  }
}
