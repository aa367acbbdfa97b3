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
