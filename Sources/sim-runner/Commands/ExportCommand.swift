import TraceTools
import Console
import Foundation
import Link
import LinkTransport

/// `sim-runner export`: converts a trace to other formats.
enum ExportCommand: Command {
  static let name = "export"
  static let about = "a trace as a report, or for Perfetto, Wireshark, a document, a map"
  static let usage = "TRACE [--format FORMAT] [-o FILE] [--from TIME] [--to TIME]"
  static let options: [Option] = [
    .value("--format", "FORMAT", ExporterCatalog.all.map { $0.name }.joined(separator: ", ")),
    .output("--output", "FILE", "write here (also -o; without it, and for -, standard output)"),
    .value("--from", "TIME", "only events from this time on: 11m, 90s"),
    .value("--to", "TIME", "only events up to this time"),
  ]
  static let details =
    """
    TRACE is a file of JSON lines (docs/internals/trace-format.md), or - for standard input; nothing else is read.
    Without --format the name of the output decides.


    """ + PlainText.columns(ExporterCatalog.all.map { [$0.name, $0.about] }, indent: 2).joined(separator: "\n")
      + """


      A truncated trace is exported as far as it goes, with a warning. docs/looking.md explains how to open each format.
      Exit status: 0 exported; 2 the file is no trace; 3 the output cannot be written.
      """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the trace")
    let output = arguments.value("--output").flatMap { $0 == "-" ? nil : $0 }
    let exporter = try exporter(arguments.value("--format"), output: output)
    let window = try window(arguments)
    guard let output else {
      guard exporter.isReadable || !Terminal.isTerminal else {
        throw .input("\(exporter.name) is not for a terminal: -o FILE says where it goes")
      }
      var writeError: Int32 = 0
      let notices = try TraceExport.run(path, as: exporter, window: window) { bytes throws(Failure) in
        if writeError == 0 { writeError = Terminal.write(bytes, to: 1) }
      }
      guard writeError == 0 || writeError == EPIPE else {
        throw .environment("standard output cannot be written: \(SystemText.of(writeError))")
      }
      return printNotices(notices, path: path)
    }
    let file = try OutputFile(output, as: .export, missingFolderIsInput: false)
    let notices = try TraceExport.run(path, as: exporter, window: window) { bytes throws(Failure) in
      try file.put(bytes)
    }
    try file.commit()
    return printNotices(notices, path: path)
  }

  private static func exporter(_ format: String?, output: String?) throws(Failure) -> any TraceExporter.Type {
    if let exporter = ExporterCatalog.exporter(format: format, output: output) { return exporter }
    let names = ExporterCatalog.all.map { $0.name }
    guard let format else {
      let found = output.map { "found \"\($0)\", whose name says no format" } ?? "found no format"
      throw .input("\(found), expected --format \(names.joined(separator: "|"))")
    }
    throw .input("--format: found \"\(TerminalText.escape(format))\"\(PlainText.hint(for: format, among: names))")
  }

  private static func window(_ arguments: Arguments) throws(Failure) -> ExportWindow {
    var window = ExportWindow()
    if let from = try time("--from", arguments) { window.from = from }
    window.to = try time("--to", arguments)
    if let to = window.to, to < window.from {
      throw .input("--to: found a time before --from, expected a later one")
    }
    return window
  }

  private static func time(_ option: String, _ arguments: Arguments) throws(Failure) -> VirtualTime? {
    guard let text = arguments.value(option) else { return nil }
    if text == "0" { return .start }
    do throws(DurationText.Failure) { return .start + (try DurationText.parse(text)) } catch {
      throw .input("\(option): found \"\(TerminalText.escape(text))\", expected \(error.expected)")
    }
  }

  private static func printNotices(_ notices: [String], path: String) -> Int32 {
    for notice in notices { Terminal.error("\(path): note: \(TerminalText.escape(notice))") }
    return 0
  }
}
