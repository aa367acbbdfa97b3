/// Reads a trace that arrives in pieces: the header, then one event a line.
///
/// ```swift
/// var reader = TraceReader()
/// reader.append(bytes)
/// reader.close()
/// while let event = try reader.next() { judge.observe(event, line: reader.line) }
/// ```
///
/// The reader buffers only an unfinished line, of at most ``TraceLineParser/bytesMax``.
public struct TraceReader: Sendable {
  /// The header, once it has been read.
  public private(set) var header: TraceHeader?
  /// The number of the line that was read last, from 1; 0 before the first.
  public private(set) var line = 0
  /// Whether the `end` line was read.
  ///
  /// A trace that closes without it is truncated.
  public private(set) var hasEnded = false
  /// Whether the last line is incomplete; it is then not among the events.
  public private(set) var isCut = false

  private var parser = TraceLineParser()
  private var buffer: [UInt8] = []
  /// The offset of the first byte that has not been read yet.
  private var start = 0
  /// The offset up to which no line feed was found.
  private var searched = 0
  private var isClosed = false

  /// Creates a reader.
  public init() {}

  /// Adds the next piece of the trace, of any length.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    precondition(!isClosed, "bytes after the close")
    if start > 0, start >= buffer.count / 2 {
      buffer.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Ends the input: what is left is the last line.
  public mutating func close() { isClosed = true }

  /// Reads the header, unless it has been read; nil if more bytes are needed.
  public mutating func readHeader() throws(JSONError) -> TraceHeader? {
    if let header { return header }
    guard let range = try takeLine() else {
      guard isClosed else { return nil }
      throw JSONError(
        at: TextPosition(line: line + 1, column: 1), found: "the end of the file", expected: "a trace's header")
    }
    header = try TraceHeader(line: Array(buffer[range]))
    return header
  }

  /// Reads the next event; nil if more bytes are needed, or at the end of a closed trace.
  ///
  /// - Throws: The error of the line. Reading can continue with the next line.
  public mutating func next() throws(JSONError) -> TraceEvent? {
    guard try readHeader() != nil, let range = try takeLine() else { return nil }
    guard !hasEnded else {
      throw JSONError(
        at: TextPosition(line: line, column: 1), found: "a line after the end line", expected: "the end of the trace")
    }
    let isLast = isClosed && start == buffer.count
    do {
      let event = try parser.parse(buffer[range], line: line)
      if event.name == TraceEnd.name, event.place == .runner { hasEnded = true }
      return event
    } catch {
      // An incomplete last line means a truncated trace, not a malformed one.
      guard isLast, buffer[range.upperBound - 1] != UInt8(ascii: "\n") else { throw error }
      isCut = true
      line -= 1
      return nil
    }
  }

  /// Consumes the next line with its line feed; after ``close()`` also a line without one.
  private mutating func takeLine() throws(JSONError) -> Range<Int>? {
    searched = max(searched, start)
    let lineFeed = Self.firstLineFeed(in: buffer.span, from: searched)
    searched = lineFeed ?? buffer.count
    let end = lineFeed.map { $0 + 1 } ?? buffer.count
    guard end - start <= TraceLineParser.bytesMax else {
      throw JSONError(
        at: TextPosition(line: line + 1, column: 1), found: "a line of more than \(TraceLineParser.bytesMax) bytes",
        expected: "a shorter one")
    }
    guard lineFeed != nil || (isClosed && end > start) else { return nil }
    let range = start..<end
    start = end
    line += 1
    return range
  }

  private static func firstLineFeed(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    let feeds: UInt64 = 0x0A0A_0A0A_0A0A_0A0A
    while index + 8 <= bytes.count {
      let word = bytes.word(UInt64.self, at: index) ^ feeds
      if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { break }
      index += 8
    }
    while index < bytes.count {
      if bytes[index] == 0x0A { return index }
      index += 1
    }
    return nil
  }
}
