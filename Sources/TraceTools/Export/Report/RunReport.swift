package import Console
import Foundation
package import Link

/// The report of a running run: collected event by event, written at its end.
package final class RunReport {
  /// The option that asks for one.
  package static let option = Option.output("--report", "FILE", "write the run as a page here (HTML; see also export)")

  private let file: OutputFile
  private var exporter: HTMLExporter
  private var bytes: [UInt8] = []
  private var hasEnded = false

  /// - Parameter about: What the scenario says of itself.
  /// - Throws: For a path that cannot be written, before anything runs.
  package init(_ path: String, header: TraceHeader, about: String) throws(Failure) {
    file = try OutputFile(path, as: .report)
    exporter = HTMLExporter(ExportSubject(header: header, repeatCommand: "", about: about), into: &bytes)
  }

  /// Observes the next event of the run.
  package func observe(_ event: TraceEvent, line: Int) {
    exporter.observe(event, line: line, into: &bytes)
    if event.name == TraceEnd.name { hasEnded = true }
  }

  /// Writes the page; called once.
  ///
  /// - Parameter repeatCommand: The command that makes the same run again, which is known at its end.
  package func finish(digest: String?, repeatCommand: String) throws(Failure) {
    exporter.repeatCommand = repeatCommand
    _ = exporter.finish(ExportEnding(isTruncated: !hasEnded, digest: digest), into: &bytes)
    try file.finish(bytes)
  }
}
