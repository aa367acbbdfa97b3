package import Console
package import Link

/// Writes a trace in another format; each format is a file and a line in ``ExporterCatalog``.
///
/// An exporter observes the events one by one and writes output as early as possible, so that its memory depends on
/// what it shows, not on the length of the trace.
package protocol TraceExporter: SendableMetatype {
  /// The name for `--format`.
  static var name: String { get }
  /// Its purpose in a few words.
  static var about: String { get }
  /// The suffixes of its files, the usual one first.
  static var suffixes: [String] { get }
  /// Whether it is text that can be read on a terminal.
  static var isReadable: Bool { get }

  /// Begins a file; `bytes` receives its beginning.
  init(_ subject: ExportSubject, into bytes: inout [UInt8])
  /// Exports the next event; `line` is its line number in the trace.
  mutating func observe(_ event: TraceEvent, line: Int, into bytes: inout [UInt8])
  /// Writes the rest of the file.
  ///
  /// - Returns: Notes for the user about the file, one sentence each.
  mutating func finish(_ ending: ExportEnding, into bytes: inout [UInt8]) -> [String]
}

/// What is exported.
package struct ExportSubject {
  /// The trace's first line.
  var header: TraceHeader
  /// The exported stretch.
  var window = ExportWindow()
  /// The command that makes the same run again.
  var repeatCommand: String
  /// What the scenario says of itself; empty if it is not known: a trace does not have it.
  var about = ""

  /// The command for a trace of which only the header is known: the scenario's file may have another name.
  static func repeatCommand(of header: TraceHeader) -> String {
    let seed = String(header.seed)
    if header.scenario == "demo" { return CommandWords.join(["sim-runner", "demo", "--seed", seed]) }
    return CommandWords.join(["sim-runner", "run", "\(header.scenario).json5", "--seed", seed])
  }
}

/// A stretch of a run, both ends included.
package struct ExportWindow {
  package var from: VirtualTime
  /// Nil for the trace's end.
  package var to: VirtualTime?

  package init(from: VirtualTime = .start, to: VirtualTime? = nil) { (self.from, self.to) = (from, to) }

  /// Whether it is the whole run.
  var isWhole: Bool { from == .start && to == nil }

  func contains(_ time: VirtualTime) -> Bool { time >= from && (to.map { time <= $0 } ?? true) }

  /// The part of a stretch that lies in the window; nil if none does.
  func clip(_ begin: VirtualTime, _ end: VirtualTime) -> (begin: VirtualTime, end: VirtualTime)? {
    let (begin, end) = (max(begin, from), to.map { min(end, $0) } ?? end)
    return begin <= end ? (begin, end) : nil
  }
}

/// How a trace ended.
package struct ExportEnding {
  /// Whether it has no `end` line.
  var isTruncated: Bool
  /// SHA-256 of the trace's bytes, in hexadecimal; nil if unknown.
  var digest: String?
}

/// Every format that a trace can be exported to.
package enum ExporterCatalog {
  /// In the order of the help.
  package static let all: [any TraceExporter.Type] = [
    HTMLExporter.self,
    TextExporter.self,
    PerfettoExporter.self,
    OTLPExporter.self,
    PcapngExporter.self,
    MermaidExporter.self,
    SVGExporter.self,
    GPXExporter.self,
  ]

  /// The exporter with a name, or one that a file's name suggests, if any.
  package static func exporter(format: String?, output: String?) -> (any TraceExporter.Type)? {
    if let format { return all.first { $0.name == format } }
    guard let output else { return nil }
    return all.first { type in type.suffixes.contains { output.hasSuffix($0) } }
  }
}

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
