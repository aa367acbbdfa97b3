@testable import Link
@testable import TraceTools

enum PcapngTarget: FuzzTarget {
  static let name = "pcapng"
  static let about =
    "the pcapng exporter over any trace; its blocks have the same length at both ends and fill the file"
  static let lengthMax = 16_384
  static var words: [String] { ["frame.sent", "frame.delivered", "frame.dropped", "\"id\":", "\"bytes\":"] }

  static let exporter = PcapngExporter.name

  static func seeds(_ tree: SourceTree) -> [[UInt8]] { tree.traceParts(count: 30) }

  static func run(_ bytes: [UInt8]) {
    guard let written = ReportTarget.export(bytes, PcapngExporter.self) else { return }
    func number(_ offset: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(written[offset + $1]) << (8 * $1) }
    }
    var offset = 0
    while offset < written.count {
      precondition(written.count - offset >= 12, "a block breaks off")
      let length = number(offset + 4)
      precondition(length >= 12 && length % 4 == 0 && length <= written.count - offset, "a block of \(length) bytes")
      precondition(number(offset + length - 4) == length, "a block with two lengths")
      offset += length
    }
  }
}
