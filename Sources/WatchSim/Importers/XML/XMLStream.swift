// XML of any length in bounded memory: a scanner over a sliding window.

import Foundation

/// A source of a document's bytes.
struct ByteSource {
  /// Returns the next piece; empty at the end.
  private let next: () throws -> [UInt8]

  /// Reads a file in pieces.
  init(_ handle: FileHandle, pieceBytes: Int = 1 << 20) {
    next = { [UInt8](try handle.read(upToCount: pieceBytes) ?? Data()) }
  }

  /// Uses pieces from a closure; an empty one is the end.
  init(_ next: @escaping () throws -> [UInt8]) { self.next = next }

  /// Splits bytes in memory into pieces like those of a file.
  init(_ bytes: [UInt8], pieceBytes: Int = 1 << 20) {
    var start = 0
    next = {
      let end = min(bytes.count, start + pieceBytes)
      defer { start = end }
      return Array(bytes[start..<end])
    }
  }

  /// Returns the next piece; empty at the end.
  func read() throws(XMLStream.ReadError) -> [UInt8] {
    do { return try next() } catch { throw XMLStream.ReadError() }
  }
}

/// Splits a document that exceeds memory into tags.
///
/// Text between tags is dropped. A tag, comment or declaration that continues in the next piece waits for it; one that
/// exceeds ``windowBytesMax`` is refused.
struct XMLStream {
  /// The source could not be read.
  struct ReadError: Error {}

  enum Problem: Error {
    case unreadable
    case malformed(XMLProblem, line: Int, column: Int)
  }

  /// Limit of the window, in bytes: room for a document type declaration.
  static let windowBytesMax = 4 << 20

  private let source: ByteSource
  private var scanner = XMLScanner([])
  private var hasEnded = false
  /// Number of bytes and lines before the window.
  private var before = 0
  private var linesBefore = 0
  private(set) var malformedCount = 0
  private(set) var declarationBytes = 0
  /// Number of control bytes, which count as blanks.
  private(set) var controlBytes = 0
  /// Where the document breaks off within a tag, in bytes; nil if it does not.
  private(set) var cutOffset: Int?

  init(_ source: ByteSource) { self.source = source }

  /// Returns the next tag: `start`, `end`, or `finished` at the end of the document.
  mutating func next() throws(Problem) -> XMLEvent {
    while true {
      let event: XMLEvent
      do throws(XMLProblem) { event = try scanner.next() } catch { throw malformed(error) }
      switch event {
      case .start, .end:
        scanner.clearText()
        return event
      case .finished:
        guard !hasEnded else { return .finished }
        try refill(keepingFrom: scanner.bytes.count)
      case .cut(let offset):
        guard !hasEnded else {
          cutOffset = before + offset
          return .finished
        }
        guard scanner.bytes.count - offset < Self.windowBytesMax else {
          throw malformed(
            XMLProblem(
              offset: offset, found: "something without an end",
              expected: "tags, comments and declarations of at most \(Self.windowBytesMax) bytes"))
        }
        try refill(keepingFrom: offset)
      }
    }
  }

  /// The value of an attribute of the last start tag, by local name.
  func attribute(_ name: StaticString) -> ArraySlice<UInt8>? { scanner.attribute(name) }

  /// Number of bytes in the window.
  var windowBytes: Int { scanner.bytes.count }

  /// The current offset in the document.
  var offset: Int { before + scanner.offset }

  private func malformed(_ problem: XMLProblem) -> Problem {
    guard case .text(let line, let column) = XMLScanner.position(of: problem.offset, in: scanner.bytes) else {
      return .unreadable
    }
    return .malformed(problem, line: linesBefore + line, column: column)
  }

  /// Drops the window up to an offset and appends the next piece.
  private mutating func refill(keepingFrom offset: Int) throws(Problem) {
    let piece: [UInt8]
    do throws(ReadError) { piece = try source.read() } catch { throw .unreadable }
    if piece.isEmpty { hasEnded = true }
    malformedCount += scanner.malformedCount
    declarationBytes += scanner.declarationBytes
    linesBefore += scanner.bytes[..<offset].count { $0 == UInt8(ascii: "\n") }
    controlBytes += scanner.bytes[..<offset].count { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    before += offset
    scanner = XMLScanner(Array(scanner.bytes[offset...]) + piece)
  }
}
