import Foundation
package import Link

/// Reads a trace piece by piece, in memory that does not grow with the file.
package struct TraceFile {
  /// The result of reading a trace.
  package struct Ending {
    package var header: TraceHeader
    /// The number of the last line, from 1.
    package var line: Int
    /// Whether it has no `end` line.
    package var isTruncated: Bool
    /// SHA-256 of the file's bytes, in hexadecimal.
    package var digest: String
  }

  private let handle: FileHandle
  private let name: String
  private static let pieceBytes = 1 << 16

  private init(_ path: String, name: String) throws(Failure) {
    self.name = name
    if path == "-" {
      handle = .standardInput
      return
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .input("\(path): error: no such file")
    }
    guard !isFolder.boolValue else { throw .input("\(path): error: found a folder, expected a trace") }
    guard let handle = FileHandle(forReadingAtPath: path) else { throw .input("\(path): error: cannot be read") }
    self.handle = handle
  }

  /// Reads a trace from its first line to its last.
  ///
  /// - Parameters:
  ///   - path: The file, or `-` for standard input.
  ///   - begin: Receives the header, before any event.
  ///   - take: Receives each event with its line number.
  ///   - endPiece: Called after the lines of each piece; may throw to stop reading.
  /// - Throws: ``Failure/input(_:)`` for a file that cannot be read, and at the first line that is no line of a trace.
  package static func read(
    _ path: String, begin: (TraceHeader) -> Void, take: (TraceEvent, _ line: Int) -> Void,
    endPiece: () throws(Failure) -> Void = {}
  ) throws(Failure) -> Ending {
    let name = path == "-" ? "standard input" : path
    let file = try TraceFile(path, name: name)
    var reader = TraceReader()
    var header: TraceHeader?
    var digest = SHA256Stream()
    var isAtEnd = false
    var hasBegun = false
    // To name a file that is no trace: one without a line feed fails at its end only.
    var head: [UInt8] = []
    while !isAtEnd {
      let piece = try file.next()
      if !hasBegun { try CompressedInput.check(piece, path: path) }
      if !hasBegun { head = piece }
      hasBegun = true
      isAtEnd = piece.isEmpty
      if isAtEnd {
        reader.close()
      } else {
        digest.append(piece)
        reader.append(piece)
      }
      do throws(JSONError) {
        if header == nil, let found = try reader.readHeader() {
          header = found
          begin(found)
        }
        guard header != nil else { continue }
        while let event = try reader.next() { take(event, reader.line) }
      } catch {
        if header == nil, let other = OtherFile(head) {
          throw .input(TerminalText.escape("\(name): error: \(other.text(path))"))
        }
        throw .input(TerminalText.escape("\(name):\(error.description)"))
      }
      try endPiece()
    }
    guard let header else { preconditionFailure("a closed trace has a header or an error") }
    return Ending(
      header: header, line: reader.line, isTruncated: !reader.hasEnded, digest: Digest.text(digest.finish()))
  }

  /// The next piece; empty at the end.
  private func next() throws(Failure) -> [UInt8] {
    do {
      return [UInt8](try handle.read(upToCount: Self.pieceBytes) ?? Data())
    } catch {
      throw .input("\(name): error: cannot be read: \(error.systemText)")
    }
  }
}
