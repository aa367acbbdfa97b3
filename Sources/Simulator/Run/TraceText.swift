import Foundation
package import Link

/// The text of a trace, for quoting: in memory at first, then in a temporary file.
///
/// The file is unlinked, so nothing is left of it however this process ends.
package final class TraceText {
  /// Limit in memory, in bytes.
  static let memoryBytesMax = 1 << 20
  /// Limit in all, in bytes; a longer trace is quoted by line numbers only.
  static let bytesMax = 8 << 30
  private static let pieceBytes = 1 << 16

  /// What is not in the file yet.
  private var bytes: [UInt8] = []
  private var file: FileHandle?
  private var fileBytes = 0
  private var isComplete = true

  package init() {}

  package func append(_ piece: [UInt8]) {
    guard isComplete, fileBytes + bytes.count + piece.count <= Self.bytesMax else { return giveUp() }
    bytes += piece
    if bytes.count >= Self.memoryBytesMax { spill() }
  }

  private func giveUp() {
    isComplete = false
    bytes = []
    file = nil
  }

  /// Moves memory to the file; a full disk costs the quotes, not the run.
  private func spill() {
    do {
      let file = try file ?? Self.unnamedFile()
      self.file = file
      try file.write(contentsOf: bytes)
      fileBytes += bytes.count
      bytes.removeAll(keepingCapacity: true)
    } catch { giveUp() }
  }

  private static func unnamedFile() throws -> FileHandle {
    var template = Array(FileManager.default.temporaryDirectory.appending(path: "trace-XXXXXX").path().utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Calls `body` for each event of the trace with its line; stops at a line that cannot be read.
  package func forEachEvent(_ body: (TraceEvent, Int) -> Void) {
    var reader = TraceReader()
    var hasHeader = false
    forEachPiece { piece in
      reader.append(Array(piece))
      do {
        if !hasHeader { hasHeader = try reader.readHeader() != nil }
        while hasHeader, let event = try reader.next() { body(event, reader.line) }
        return true
      } catch {
        return false
      }
    }
  }

  /// Calls `body` for each piece of the text, in order, until it returns false; for none if the text is incomplete.
  package func forEachPiece(_ body: (ArraySlice<UInt8>) -> Bool) {
    guard isComplete else { return }
    var offset = 0
    while offset < fileBytes, let file {
      guard (try? file.seek(toOffset: UInt64(offset))) != nil,
        let piece = try? file.read(upToCount: min(Self.pieceBytes, fileBytes - offset)), !piece.isEmpty
      else { break }
      offset += piece.count
      guard body(Array(piece)[...]) else { break }
    }
    // Later pieces are appended.
    if let file { _ = try? file.seekToEnd() }
    if offset == fileBytes, !bytes.isEmpty { _ = body(bytes[...]) }
  }
}
