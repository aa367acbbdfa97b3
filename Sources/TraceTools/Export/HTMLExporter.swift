package import Link

/// `--format html`: the whole run as one self-contained page for a browser.
package struct HTMLExporter: TraceExporter {
  package static let name = "html"
  package static let about = "the run as one page: timeline, story, verdict; no network"
  package static let suffixes = [".html", ".htm"]
  package static let isReadable = false

  private var collector: ReportCollector

  /// The command that makes the same run again.
  var repeatCommand: String {
    get { collector.repeatCommand }
    set { collector.repeatCommand = newValue }
  }

  package init(_ subject: ExportSubject, into bytes: inout [UInt8]) { collector = ReportCollector(subject) }

  package mutating func observe(_ event: TraceEvent, line: Int, into bytes: inout [UInt8]) {
    collector.observe(event, line: line)
  }

  package mutating func finish(_ ending: ExportEnding, into bytes: inout [UInt8]) -> [String] {
    let data = collector.finish(ending)
    ReportPage.append(title: collector.title, data: data, to: &bytes)
    return collector.notices
  }
}
