package import Console
import Link

/// Reads a trace from a file and passes it to an exporter, piece by piece.
package enum TraceExport {
  /// How many bytes are buffered before they are written.
  private static let pieceBytes = 1 << 18

  /// Exports a trace.
  ///
  /// - Parameters:
  ///   - path: The trace, or `-` for standard input.
  ///   - write: Receives the pieces of the exported file, in order.
  /// - Returns: Notes for the user, one sentence each.
  /// - Throws: ``Failure/input(_:)`` at the first line that is no line of a trace, and for what `write` throws.
  package static func run<Exporter: TraceExporter>(
    _ path: String, as type: Exporter.Type, window: ExportWindow, write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> [String] {
    var exporter: Exporter?
    var bytes: [UInt8] = []
    let read = try TraceFile.read(path) { header in
      let subject = ExportSubject(
        header: header, window: window, repeatCommand: ExportSubject.repeatCommand(of: header))
      exporter = Exporter(subject, into: &bytes)
    } take: { event, line in
      if event.isBelieved { exporter?.observe(event, line: line, into: &bytes) }
    } endPiece: { () throws(Failure) in
      guard bytes.count >= pieceBytes else { return }
      try write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    let ending = ExportEnding(isTruncated: read.isTruncated, digest: read.digest)
    var notices = exporter?.finish(ending, into: &bytes) ?? []
    try write(bytes)
    if ending.isTruncated {
      notices.append("the trace is truncated after line \(read.line): it has no \"end\" line; exported up to there")
    }
    return notices
  }
}
