import CoachProtocol
import Foundation
import Link
import WatchSim

/// `--format gpx`: the run as a track, for any program that reads recorded workouts.
///
/// The positions are those of the recorded route, if the run follows one. Otherwise the track runs due north from 0 N 0
/// E, for the distance of the run, so that distance, pace and heart rate are correct in every program; the file says
/// so.
struct GPXExporter: TraceExporter {
  static let name = "gpx"
  static let about = "the run as a track with heart rate and cadence (GPX 1.1)"
  static let suffixes = [".gpx"]
  static let isReadable = true

  /// Metres per degree of latitude on the sphere that GPX readers assume: 6,371,008.8 m in radius.
  private static let metresPerDegree = 6_371_008.8 * Double.pi / 180

  private let subject: ExportSubject
  private let start: Int64
  private var hasSegment = false
  private var isPaused = false
  private var points = 0
  private var madeUp = 0
  private var lastTime: VirtualTime?
  private var hasHead = false
  /// As the recorded file names it; running if the trace does not say.
  private var sport = Sport.running.rawValue
  private var isOnFoot = true
  /// The athlete's last position in degrees; nil without a route.
  private var position: (latitude: Double, longitude: Double)?

  init(_ subject: ExportSubject, into bytes: inout [UInt8]) {
    self.subject = subject
    start = subject.header.unixStart ?? 0
  }

  mutating func observe(_ event: TraceEvent, line: Int, into bytes: inout [UInt8]) {
    guard event.place == .watch else { return }
    switch event.body {
    case .workoutState(let change): if change.from == nil { begin(change) }
    case .snapshot(let snapshot):
      guard subject.window.contains(event.time) else { return }
      let own = Self.position(event["latitude"]?.double, event["longitude"]?.double)
      write(snapshot.metrics, event.time, own ?? position, into: &bytes)
    case .other(let other):
      guard let moved = other.kind as? WorkoutPositioned else { return }
      position = Self.position(moved.latitude, moved.longitude) ?? position
    default: return
    }
  }

  /// Begins a workout, and resets the state of the previous one.
  private mutating func begin(_ change: WorkoutStateChanged) {
    sport = change.sport ?? Sport.running.rawValue
    isOnFoot = Sport(named: sport).isOnFoot
    position = nil
  }

  private mutating func write(
    _ metrics: SnapshotMetrics, _ time: VirtualTime, _ position: (latitude: Double, longitude: Double)?,
    into bytes: inout [UInt8]
  ) {
    let (state, distance) = (metrics.state, metrics.distance)
    // The snapshot of a pause ends the segment before it.
    guard state == .running || state == .ended || (state == .paused && hasSegment), time != lastTime else {
      if state == .paused { endSegment(into: &bytes) }
      return
    }
    guard distance >= 0, distance < 1e7 else { return }
    if position == nil { madeUp += 1 }
    if !hasHead { begin(isMadeUp: position == nil, into: &bytes) }
    if !hasSegment {
      bytes += "    <trkseg>\n".utf8
      hasSegment = true
    }
    let latitude = position?.latitude ?? distance / Self.metresPerDegree
    let longitude = position?.longitude ?? 0
    bytes += "      <trkpt lat=\"\(Self.degrees(latitude))\" lon=\"\(Self.degrees(longitude))\">".utf8
    bytes += "<time>\(Self.date(start +| time.nanoseconds))</time>".utf8
    let rate = metrics.currentHR.map { "<gpxtpx:hr>\($0)</gpxtpx:hr>" } ?? ""
    // For sports on foot, readers expect the steps of one foot.
    let cadence = metrics.cadence.map { "<gpxtpx:cad>\(isOnFoot ? $0 / 2 : $0)</gpxtpx:cad>" } ?? ""
    if !rate.isEmpty || !cadence.isEmpty {
      let extensions = "<gpxtpx:TrackPointExtension>\(rate)\(cadence)</gpxtpx:TrackPointExtension>"
      bytes += "<extensions>\(extensions)</extensions>".utf8
    }
    bytes += "</trkpt>\n".utf8
    points += 1
    lastTime = time
    if state != .running { endSegment(into: &bytes) }
  }

  mutating func finish(_ ending: ExportEnding, into bytes: inout [UInt8]) -> [String] {
    if !hasHead { begin(isMadeUp: false, into: &bytes) }
    endSegment(into: &bytes)
    bytes += "  </trk>\n</gpx>\n".utf8
    guard points > 0 else { return ["no snapshot of the watch is in this stretch: the track is empty"] }
    guard madeUp > 0 else { return [] }
    return [
      "the trace has no positions: the track runs due north from 0 N 0 E, with the run's distances, times and heart rate"
    ]
  }

  private mutating func endSegment(into bytes: inout [UInt8]) {
    if hasSegment { bytes += "    </trkseg>\n".utf8 }
    hasSegment = false
  }

  private mutating func begin(isMadeUp: Bool, into bytes: inout [UInt8]) {
    hasHead = true
    let name = Markup.escaped("\(subject.header.scenario), seed \(subject.header.seed)")
    let about =
      isMadeUp
      ? "    <desc>Positions are made up: the track runs due north from 0 N 0 E. Distances and times are the run's."
        + "</desc>\n" : ""
    // A sport that the recorded file does not name is left out here too.
    let type =
      sport == RecordedMotion.unknownSport ? "" : "    <type>\(Markup.escaped(String(sport.prefix(80))))</type>\n"
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="wristwire" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
        <metadata><time>\(Self.date(start))</time></metadata>
        <trk>
          <name>\(name)</name>
      \(about)\(type)
      """
    bytes += text.utf8
  }

  /// A position in degrees; nil for impossible coordinates.
  private static func position(_ latitude: Double?, _ longitude: Double?) -> (latitude: Double, longitude: Double)? {
    guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    return (latitude, longitude)
  }

  /// Degrees with nine decimals: a tenth of a millimetre.
  private static func degrees(_ value: Double) -> String { String(format: "%.9f", value) }

  /// A date in ISO 8601 with milliseconds, from nanoseconds since 1970.
  static func date(_ nanoseconds: Int64) -> String {
    let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
    var moment = time_t(seconds)
    var parts = tm()
    gmtime_r(&moment, &parts)
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
      parts.tm_hour,
      parts.tm_min, parts.tm_sec, rest / 1_000_000)
  }
}

/// Text in XML and HTML.
package enum Markup {
  /// Returns the text with special characters escaped, and without characters that XML does not allow.
  ///
  /// Scalar by scalar: a `<` with an accent on it is one character, and still opens an element.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in TerminalText.escape(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
