@testable import Link
@testable import TraceTools
@testable import WatchSim

enum ReportTarget: FuzzTarget {
  static let name = "report"
  static let about = "every text exporter over any trace; the report's data cannot leave its script"
  static let lengthMax = 16_384
  static var words: [String] { TraceTarget.words + ["</script>", "<!--", "]]>"] }

  static func seeds(_ tree: SourceTree) -> [[UInt8]] { tree.traceParts(count: 30) }

  static func run(_ bytes: [UInt8]) {
    for exporter in ExporterCatalog.all where exporter.name != PcapngTarget.exporter {
      guard let written = export(bytes, exporter) else { return }
      if exporter.name == HTMLExporter.name {
        precondition(count(Array("</script".utf8), in: written) == scripts, "the data ends its script")
      }
    }
  }

  /// How many scripts the page of a small trace has.
  private static let scripts: Int = {
    let header = #"{"trace":"wristwire","version":1,"scenario":"a","seed":"1","startedAt":"2026-04-12T06:30:00Z","#
    let rest = #""timeZone":"UTC","utcOffsets":[[0,0]],"duration":1000000000}"# + "\n"
    let page = export(Array((header + rest).utf8), HTMLExporter.self)
    return page.map { count(Array("</script".utf8), in: $0) } ?? -1
  }()

  /// A trace in another format; nil if it has no header.
  static func export(_ bytes: [UInt8], _ type: any TraceExporter.Type) -> [UInt8]? {
    func open<Exporter: TraceExporter>(_ type: Exporter.Type) -> [UInt8]? {
      var exporter: Exporter?
      var written: [UInt8] = []
      TraceTarget.read(bytes) { header in
        exporter = Exporter(ExportSubject(header: header, repeatCommand: "again"), into: &written)
      } take: { event, line in
        if event.isBelieved { exporter?.observe(event, line: line, into: &written) }
      }
      guard exporter != nil else { return nil }
      _ = exporter?.finish(ExportEnding(isTruncated: true), into: &written)
      return written
    }
    return open(type)
  }

  private static func count(_ word: [UInt8], in bytes: [UInt8]) -> Int {
    var found = 0
    var index = 0
    while index + word.count <= bytes.count {
      if bytes[index] == word[0], bytes[index..<index + word.count].elementsEqual(word) { found += 1 }
      index += 1
    }
    return found
  }
}
