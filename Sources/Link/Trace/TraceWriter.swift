/// Writes trace events as JSON lines.
///
/// A line is `{"t":N,"node":"watch","event":"snapshot",...}` and a line feed: no blanks, keys in the
/// event's order, strings escaped as ``appendQuoted(_:to:)`` does. Writing allocates nothing beyond the caller's
/// buffer: each line is composed in a scratch area and copied at once.
public struct TraceWriter: Sendable {
  /// The scratch area for a line; a longer line takes the slow path.
  private var scratch: [UInt8]

  /// Creates a writer; it has no state between lines.
  public init() {
    scratch = [UInt8](repeating: 0, count: 8192)
  }

  /// Appends the line of `event`, with its line feed, to `bytes`.
  public mutating func append(_ event: borrowing TraceEvent, to bytes: inout [UInt8]) {
    let written = LineArea.compose(in: &scratch) { line in Self.compose(event, in: &line) }
    if written > 0 {
      scratch.span.extracting(first: written).append(to: &bytes)
    } else {
      Self.appendSlowly(event, to: &bytes)
    }
  }

  /// Appends the line of an event that comes as a value.
  @_specialize(where Kind == FrameSent)
  @_specialize(where Kind == FrameDelivered)
  @_specialize(where Kind == MessageReceived)
  @_specialize(where Kind == SnapshotPublished)
  @_specialize(where Kind == SnapshotFresh)
  public mutating func append<Kind: FrequentKind>(
    value event: Kind, at time: VirtualTime, on place: TraceEvent.Place, to bytes: inout [UInt8]
  ) {
    let written = LineArea.compose(in: &scratch) { line in
      line.begin(at: time, on: place)
      guard line.append(quoted: Kind.name.text) else { return false }
      var fields = EventLineWriter(line, keys: Kind.keys)
      // Visited as a variable, since one list serves readers and writers.
      var event = event
      event.visit(&fields)
      line = fields.line
      guard fields.fits else { return false }
      line.append("}\n")
      return true
    }
    if written > 0 {
      scratch.span.extracting(first: written).append(to: &bytes)
    } else {
      Self.appendSlowly(TraceEvent(event, at: time, on: place), to: &bytes)
    }
  }

  /// Returns the line of `event`, without its line feed.
  public static func text(of event: TraceEvent) -> String {
    var bytes: [UInt8] = []
    appendSlowly(event, to: &bytes)
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// Composes a line in the area; false if it does not fit.
  @inline(__always)
  private static func compose(_ event: borrowing TraceEvent, in line: inout LineArea) -> Bool {
    line.begin(at: event.time, on: event.place)
    guard line.append(quoted: event.name.text) else { return false }
    var fields = EventLineWriter(line)
    if let read = event.line {
      for field in read { fields.append(field.key, field.value) }
    } else {
      event.body.visit(&fields)
    }
    line = fields.line
    guard fields.fits else { return false }
    line.append("}\n")
    return true
  }

  private static func appendSlowly(_ event: TraceEvent, to bytes: inout [UInt8]) {
    var text = "{\"t\":\(event.time.nanoseconds),\"node\":\"\(event.place.text)\",\"event\":"
    appendQuoted(event.name.text, to: &text)
    for field in event.fields {
      text += ","
      appendQuoted(field.key, to: &text)
      text += ":"
      field.value.append(to: &text)
    }
    text += "}\n"
    bytes.append(contentsOf: text.utf8)
  }
}

extension LineArea {
  /// Appends what every line begins with, up to the name of the event.
  @inline(__always)
  fileprivate mutating func begin(at time: VirtualTime, on place: TraceEvent.Place) {
    append("{\"t\":")
    append(time.nanoseconds)
    switch place {
    case .watch: append(",\"node\":\"watch\",\"event\":")
    case .phone: append(",\"node\":\"phone\",\"event\":")
    case .edge: append(",\"node\":\"edge\",\"event\":")
    case .link: append(",\"node\":\"link\",\"event\":")
    case .uplink: append(",\"node\":\"uplink\",\"event\":")
    case .runner: append(",\"node\":\"runner\",\"event\":")
    }
  }
}
