package import Link

/// A trace's file in memory, to be replayed or compared.
package struct RecordedTrace {
  /// As the user gave it.
  package let path: String
  package let header: TraceHeader
  package let bytes: [UInt8]
  /// In the order of the lines: the first one is line 2.
  package let events: [TraceEvent]
  /// Whether the trace ends before its end event.
  package let isTruncated: Bool

  /// The largest trace.
  package static let bytesMax = 1 << 30

  /// Reads a file.
  ///
  /// - Throws: ``Failure/input(_:)`` for a file that is no trace: line, found, expected.
  package init(_ path: String) throws(Failure) {
    try self.init(path, try FilePath.read(path, bytesMax: Self.bytesMax))
  }

  /// Reads bytes that came from a file.
  package init(_ path: String, _ bytes: [UInt8]) throws(Failure) {
    self.path = path
    self.bytes = bytes
    do throws(JSONError) { (header, events, isTruncated) = try Self.read(bytes) } catch {
      if let other = OtherFile(bytes) { throw .input(TerminalText.escape("\(path): error: \(other.text(path))")) }
      throw .input(TerminalText.escape("\(path):\(error.description)"))
    }
  }

  private static func read(
    _ bytes: [UInt8]
  ) throws(JSONError) -> (header: TraceHeader, events: [TraceEvent], isTruncated: Bool) {
    var reader = TraceReader()
    reader.append(bytes)
    reader.close()
    guard let header = try reader.readHeader() else { preconditionFailure("a closed trace has a header or an error") }
    var events: [TraceEvent] = []
    var last = VirtualTime.start
    while let event = try reader.next() {
      guard event.time >= last else {
        throw JSONError(
          at: TextPosition(line: reader.line, column: 1),
          found: "the instant \(event.time.nanoseconds) after \(last.nanoseconds)", expected: "no earlier one")
      }
      last = event.time
      events.append(event)
    }
    return (header, events, !reader.hasEnded)
  }

  /// The line number of an event.
  package func line(of index: Int) -> Int { index + 2 }

  /// The instant of the last event.
  package var end: VirtualTime { events.last?.time ?? .start }

  /// Whether it was recorded by an app on one device.
  package var isCapture: Bool { header.extra("capture") != nil }
}

extension TraceEvent {
  /// A field as a UUID; nil if it is none.
  package func identifier(_ key: String) -> Identifier? {
    switch self[key] {
    case .uuid(let high, let low)?: Identifier(high: high, low: low)
    case .string(let text)?: Identifier(text: text)
    default: nil
    }
  }

  /// A field as text; nil if it is none.
  package func text(_ key: String) -> String? { self[key]?.text }

  /// A field as a non-negative integer; nil if it is none.
  package func count(_ key: String) -> UInt64? { self[key]?.integer.flatMap { UInt64(exactly: $0) } }

  /// A field as the beginning of a digest; nil if it is none.
  package func digest(_ key: String) -> UInt64? {
    if case .string(let text)? = self[key], text.utf8.count == 16 { return UInt64(text, radix: 16) }
    return self[key]?.digestBits
  }
}

/// The header's member about user programs that played nodes.
package enum ProgramsHeader {
  /// The member's key; a trace without it has built-in nodes only.
  package static let key = "programs"

  /// Whether the phone was an app, which follows grants by the session or runs freely, so that there was no coach.
  ///
  /// Other programs, such as a node in another language, may well be a coach's phone.
  package static func hasAppAsPhone(_ header: TraceHeader) -> Bool { isApp(.phone, in: header) }

  /// Whether a device was an app.
  package static func isApp(_ role: NodeRole, in header: TraceHeader) -> Bool {
    guard let program = header.extra(key)?[role.text] else { return false }
    let freeRunning = header.extra("freeRunning")?.elements ?? []
    return program["virtualTime"] != nil || freeRunning.contains { $0.text == role.text }
  }
}
