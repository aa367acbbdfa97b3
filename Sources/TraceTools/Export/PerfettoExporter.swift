// A trace for the Perfetto UI, in its own format: protobuf packets of track descriptors and track events
// (perfetto/trace/trace_packet.proto, track_event/track_event.proto, track_descriptor.proto).
//
// Every node is a group of tracks. States are slices, events are instants, measurements are counters; a frame is an
// instant at its sender and one at its receiver, joined by a flow.

import Console
import Link

/// `--format perfetto`: tracks, slices, counters and flows for ui.perfetto.dev.
struct PerfettoExporter: TraceExporter {
  static let name = "perfetto"
  static let about = "tracks, counters and flows for the Perfetto UI (protobuf)"
  static let suffixes = [".perfetto-trace", ".pftrace", ".perfetto"]
  static let isReadable = false

  private let window: ExportWindow
  private var bands = BandFollower()
  private var story: Storyteller
  private var tracks = PerfettoTracks()
  /// Tracks with an open slice.
  private var open: [BandFollower.Track] = []
  private var last = VirtualTime.start

  init(_ subject: ExportSubject, into bytes: inout [UInt8]) {
    window = subject.window
    story = Storyteller(header: subject.header)
    tracks.begin(subject, into: &bytes)
  }

  mutating func observe(_ event: TraceEvent, line: Int, into bytes: inout [UInt8]) {
    last = max(last, event.time)
    for change in bands.observe(event) { writeBand(change, at: event.time, line: line, into: &bytes) }
    for sentence in story.observe(event, line: line) where window.contains(event.time) {
      let details = [PerfettoTracks.Detail("line", Int64(line))]
      tracks.instant(sentence.text, on: .story(sentence.voice.rawValue), at: sentence.time, details, into: &bytes)
    }
    guard window.contains(event.time) else { return }
    switch event.body {
    case .frameSent(let sent): send(sent, event, line: line, into: &bytes)
    case .frameDelivered(let arrived):
      let frame = tracks.frame(arrived.id)
      tracks.instant(
        name(of: arrived.id), on: .received(frame?.receiver ?? "unknown", frame?.channel ?? ""),
        at: event.time, fields(event, line: line), flow: .ends(arrived.id), into: &bytes)
    case .frameDropped(let lost):
      tracks.instant(
        "\(name(of: lost.id)): \(TerminalText.escape(lost.cause.text))", on: .lost(event.place), at: event.time,
        fields(event, line: line), flow: .ends(lost.id), into: &bytes)
    case .snapshot(let snapshot): measure(snapshot.metrics, event.time, by: .watch, into: &bytes)
    case .snapshotFresh(let snapshot): measure(snapshot.metrics, event.time, by: .phone, into: &bytes)
    case .messageReceived, .faultBegin, .faultEnd: return
    // Positions come every second and are of no use on a time line; the GPX export has them.
    case .other(let other) where other.kind is WorkoutPositioned: return
    default: decide(event, line: line, into: &bytes)
    }
  }

  mutating func finish(_ ending: ExportEnding, into bytes: inout [UInt8]) -> [String] {
    let end = window.to.map { min($0, last) } ?? last
    for track in open { tracks.endSlice(on: .band(track), at: max(end, window.from), into: &bytes) }
    open = []
    return []
  }

  private mutating func writeBand(
    _ change: BandFollower.Change, at time: VirtualTime, line: Int, into bytes: inout [UInt8]
  ) {
    // A band that began before the window begins with it; one that begins after it is left out.
    if let to = window.to, time > to { return }
    let at = max(time, window.from)
    if let place = open.firstIndex(of: change.track) {
      open.remove(at: place)
      tracks.endSlice(on: .band(change.track), at: at, into: &bytes)
    }
    guard let label = change.label else { return }
    open.append(change.track)
    var details = change.details.map { PerfettoTracks.Detail($0.name, TerminalText.escape($0.value)) }
    details.append(PerfettoTracks.Detail("line", Int64(line)))
    tracks.beginSlice(TerminalText.escape(label), on: .band(change.track), at: at, details, into: &bytes)
  }

  private mutating func send(_ sent: FrameSent, _ event: TraceEvent, line: Int, into bytes: inout [UInt8]) {
    tracks.remember(ExportedFrame(sent, from: event.place, at: event.time, line: line))
    tracks.instant(
      name(of: sent.id), on: .sent(event.place, sent.channel.text), at: event.time, fields(event, line: line),
      flow: .begins(sent.id), into: &bytes)
  }

  private func name(of id: Int64) -> String { tracks.frame(id).map { "\($0.kind) \($0.seq)" } ?? "frame \(id)" }

  private mutating func measure(
    _ metrics: SnapshotMetrics, _ time: VirtualTime, by place: TraceEvent.Place, into bytes: inout [UInt8]
  ) {
    if let rate = metrics.currentHR {
      tracks.count(Double(rate), on: .counter(place, "heart rate", "bpm"), at: time, into: &bytes)
    }
    if let pace = metrics.currentPaceSecPerKm {
      tracks.count(pace, on: .counter(place, "pace", "s/km"), at: time, into: &bytes)
    }
    tracks.count(metrics.distance, on: .counter(place, "distance", "m"), at: time, into: &bytes)
  }

  private mutating func decide(_ event: TraceEvent, line: Int, into bytes: inout [UInt8]) {
    var details = fields(event, line: line)
    // Whole scripts and verdicts are left out.
    for index in details.indices { details[index].shorten(to: 500) }
    tracks.instant(
      TerminalText.escape(event.name.text), on: .decisions(event.place), at: event.time, details, into: &bytes)
  }

  private func fields(_ event: TraceEvent, line: Int) -> [PerfettoTracks.Detail] {
    [PerfettoTracks.Detail("line", Int64(line))]
      + event.fields.map { field in
        field.value.integer.map { PerfettoTracks.Detail(field.key, $0) }
          ?? PerfettoTracks.Detail(field.key, field.value.text ?? field.value.jsonText)
      }
  }
}
