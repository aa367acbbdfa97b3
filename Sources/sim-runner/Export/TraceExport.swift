import Foundation
import Link

/// A trace that is read from a file and handed to an exporter, piece by piece.
enum TraceExport {
  /// Bytes that are kept before they are written.
  private static let pieceBytes = 1 << 18

  /// Exports a trace.
  ///
  /// - Parameters:
  ///   - path: The trace, or `-` for standard input.
  ///   - write: Takes the pieces of the exported file, in order.
  /// - Returns: What the user should know, a sentence each.
  /// - Throws: ``Failure/input(_:)`` at the first line that is no line of a trace, and for what `write` throws.
  static func run(
    _ path: String, as exporter: any TraceExporter.Type, window: ExportWindow,
    write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> [String] {
    try run(path, type: exporter, window: window, write: write)
  }

  private static func run<Exporter: TraceExporter>(
    _ path: String, type: Exporter.Type, window: ExportWindow, write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> [String] {
    let name = path == "-" ? "standard input" : path
    let file = try TraceFile(path, name: name)
    var reader = TraceReader()
    var exporter: Exporter?
    var digest = SHA256Stream()
    var bytes: [UInt8] = []
    var isAtEnd = false
    while !isAtEnd {
      let piece = try file.next()
      isAtEnd = piece.isEmpty
      if isAtEnd {
        reader.close()
      } else {
        digest.append(piece)
        reader.append(piece)
      }
      do throws(JSONError) {
        if exporter == nil, let header = try reader.readHeader() {
          let subject = ExportSubject(
            header: header, window: window, repeatCommand: ExportSubject.repeatCommand(of: header))
          exporter = Exporter(subject, into: &bytes)
        }
        guard exporter != nil else { continue }
        while let event = try reader.next() { exporter?.observe(event, line: reader.line, into: &bytes) }
      } catch {
        throw .input(PlainText.safe("\(name):\(error.description)"))
      }
      if bytes.count >= pieceBytes {
        try write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    let ending = ExportEnding(isTruncated: !reader.hasEnded, digest: Digest.text(digest.finish()))
    var notices = exporter?.finish(ending, into: &bytes) ?? []
    try write(bytes)
    if ending.isTruncated {
      notices.append("the trace is truncated after line \(reader.line): it has no \"end\" line; exported up to there")
    }
    return notices
  }
}
