package import Console
import Foundation
import LinkTransport

/// The destination of a sweep's lines: a file, standard output, or none.
package final class SweepOutput {
  private let file: OutputFile?
  /// Whether they go to standard output, which is then reserved for them.
  package let isOnStandardOutput: Bool
  private var buffer: [UInt8] = []

  /// - Parameters:
  ///   - path: The file; `-` for standard output; nil for standard output unless it is a terminal.
  ///   - isJSON: Whether standard output is reserved for another object.
  package init(_ path: String?, isJSON: Bool) throws(Failure) {
    if let path, path != "-" {
      file = try OutputFile(path, as: .results)
      isOnStandardOutput = false
      return
    }
    if path == "-", isJSON {
      throw .input("--out - and --json cannot be combined: both write to standard output")
    }
    file = nil
    isOnStandardOutput = path == "-" || !isJSON && !Terminal.isTerminal
  }

  package func write(_ line: String) throws(Failure) {
    guard file != nil || isOnStandardOutput else { return }
    buffer += line.utf8
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Flushes the buffer.
  func flush() throws(Failure) {
    if let file {
      try file.put(buffer)
    } else if isOnStandardOutput {
      // The reader has closed its end, as in `| head`: further seeds would be useless.
      let code = Terminal.write(String(decoding: buffer, as: UTF8.self), to: 1)
      guard code == 0 else {
        buffer.removeAll()
        throw .environment("standard output: error: the results cannot be written: \(SystemText.of(code))")
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Moves the file to its final name.
  package func commit() throws(Failure) {
    try flush()
    try file?.commit()
  }
}
