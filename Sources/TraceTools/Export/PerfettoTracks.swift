import Link

/// Writes Perfetto's packets: describes each track when it is first used, and adds its events.
struct PerfettoTracks {
  /// A track, identified by its content.
  enum Track: Hashable {
    case band(BandFollower.Track)
    case sent(TraceEvent.Place, String)
    case received(String, String)
    case lost(TraceEvent.Place)
    case decisions(TraceEvent.Place)
    case counter(TraceEvent.Place, String, String)
    case story(String)
    /// The tracks of one node.
    case group(String)

    /// Its group, and its name in that group.
    var names: (group: String, name: String) {
      switch self {
      case .band(let band):
        switch band {
        case .watchState, .watchApp, .watchReach: ("watch", band.title)
        case .link: ("link", "cut")
        case .uplink: ("uplink", "cut")
        case .belief, .liveness, .phoneReach, .phoneApp: ("phone", band.title)
        case .coach: ("phone", "coach speaks")
        case .fault(let id): ("faults", TerminalText.escape(id))
        }
      case .sent(let place, let channel): (place.text, "sends \(channel)")
      case .received(let receiver, let channel): (TerminalText.escape(receiver), "receives \(channel)")
      case .lost(let place): (place.text, "lost frames")
      case .decisions(let place): (place.text, "decisions")
      case .counter(let place, let what, _): (place.text, what)
      case .story(let voice): ("story", voice)
      case .group(let name): ("", name)
      }
    }
  }

  /// A detail of an event.
  struct Detail {
    var name: String
    var text: String
    var number: Int64?

    init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

    init(_ name: String, _ number: Int64) {
      self.name = name
      text = ""
      self.number = number
    }

    mutating func shorten(to length: Int) {
      if text.count > length { text = text.prefix(length) + "..." }
    }
  }

  /// Whether an instant is the sending or the arrival of a frame.
  enum Flow {
    case begins(Int64), ends(Int64)
  }

  private struct Seen {
    var receiver: String
    var kind: String
    var channel: String
    var seq: Int64
  }

  /// For lookup only; its order has no effect.
  private var numbers: [Track: UInt64] = [:]
  private var frames: [Int64: Seen] = [:]
  private static let framesMax = 65_536
  private static let groups = ["story", "watch", "link", "phone", "uplink", "edge", "faults", "runner"]

  // MARK: Packets

  /// The first packet, which starts a self-contained sequence.
  mutating func begin(_ subject: ExportSubject, into bytes: inout [UInt8]) {
    var packet = ProtobufWriter()
    packet.add(10, UInt64(1))
    packet.add(13, UInt64(1))
    var descriptor = ProtobufWriter()
    // Track 1 is the root that names the run.
    descriptor.add(1, UInt64(1))
    descriptor.add(2, "wristwire: \(TerminalText.escape(subject.header.scenario)), seed \(subject.header.seed)")
    descriptor.add(11, UInt64(3))
    packet.add(60, descriptor)
    Self.append(packet, to: &bytes)
    for group in Self.groups { _ = number(.group(group), at: .start, into: &bytes) }
  }

  mutating func beginSlice(
    _ name: String, on track: Track, at time: VirtualTime, _ details: [Detail], into bytes: inout [UInt8]
  ) {
    write(type: 1, name, on: track, at: time, details, into: &bytes) { _ in }
  }

  mutating func endSlice(on track: Track, at time: VirtualTime, into bytes: inout [UInt8]) {
    write(type: 2, nil, on: track, at: time, [], into: &bytes) { _ in }
  }

  mutating func instant(
    _ name: String, on track: Track, at time: VirtualTime, _ details: [Detail], flow: Flow? = nil,
    into bytes: inout [UInt8]
  ) {
    write(type: 3, name, on: track, at: time, details, into: &bytes) { event in
      switch flow {
      case .begins(let id): event.add(47, fixed: UInt64(bitPattern: id))
      // Every arrival of a copied frame ends the same flow.
      case .ends(let id): event.add(48, fixed: UInt64(bitPattern: id))
      case nil: break
      }
    }
  }

  mutating func count(_ value: Double, on track: Track, at time: VirtualTime, into bytes: inout [UInt8]) {
    write(type: 4, nil, on: track, at: time, [], into: &bytes) { $0.add(44, value) }
  }

  private mutating func write(
    type: UInt64, _ name: String?, on track: Track, at time: VirtualTime, _ details: [Detail],
    into bytes: inout [UInt8], _ more: (inout ProtobufWriter) -> Void
  ) {
    let number = number(track, at: time, into: &bytes)
    var event = ProtobufWriter()
    event.add(9, type)
    event.add(11, number)
    if let name { event.add(23, name) }
    for detail in details {
      var annotation = ProtobufWriter()
      annotation.add(10, detail.name)
      if let value = detail.number { annotation.add(4, signed: value) } else { annotation.add(6, detail.text) }
      event.add(4, annotation)
    }
    more(&event)
    var packet = ProtobufWriter()
    packet.add(8, UInt64(clamping: time.nanoseconds))
    packet.add(10, UInt64(1))
    packet.add(11, event)
    Self.append(packet, to: &bytes)
  }

  private static func append(_ packet: ProtobufWriter, to bytes: inout [UInt8]) {
    var trace = ProtobufWriter()
    trace.add(1, packet)
    bytes += trace.bytes
  }

  // MARK: Tracks

  private mutating func number(_ track: Track, at time: VirtualTime, into bytes: inout [UInt8]) -> UInt64 {
    if let number = numbers[track] { return number }
    let (group, name) = track.names
    let parent = group.isEmpty ? 1 : number(.group(group), at: time, into: &bytes)
    let number = UInt64(numbers.count + 2)
    numbers[track] = number
    var descriptor = ProtobufWriter()
    descriptor.add(1, number)
    descriptor.add(5, parent)
    descriptor.add(2, name)
    if case .counter(_, _, let unit) = track {
      var counter = ProtobufWriter()
      counter.add(6, unit)
      descriptor.add(8, counter)
    }
    if case .group(let name) = track {
      // In the order from the athlete to the coach, not alphabetical.
      descriptor.add(12, UInt64(Self.groups.firstIndex(of: name) ?? Self.groups.count))
    }
    var packet = ProtobufWriter()
    packet.add(8, UInt64(clamping: time.nanoseconds))
    packet.add(10, UInt64(1))
    packet.add(60, descriptor)
    Self.append(packet, to: &bytes)
    return number
  }

  // MARK: Frames

  /// Stores the fields by which an arrival is named.
  mutating func remember(_ frame: ExportedFrame) {
    if frames.count >= Self.framesMax { frames.removeAll(keepingCapacity: true) }
    frames[frame.id] = Seen(receiver: frame.receiver, kind: frame.kind, channel: frame.channel, seq: frame.seq)
  }

  /// The stored fields of a sent frame; nil if it was never sent, or too long ago.
  func frame(_ id: Int64) -> (receiver: String, kind: String, channel: String, seq: Int64)? {
    frames[id].map { ($0.receiver, $0.kind, $0.channel, $0.seq) }
  }
}
