import Foundation
import LinkTestSupport
import Testing

/// The example on the first page of docs/internals/protocol.md is what people copy first.
@Suite struct ProtocolPageTests {
  /// The numbers of the records by name, as the page's own table has them.
  private static func types(_ page: String) -> [String: UInt8] {
    var types: [String: UInt8] = [:]
    for match in page.matches(of: #/\n\| (\d+) \| `(\w+)` \| (?:node|conductor|both) \|/#) {
      types[String(match.2)] = UInt8(match.1)
    }
    return types
  }

  @Test func `each record of the example has the type of its name and the length it says`() throws {
    let page = try String(contentsOf: PackageRoot.url.appending(path: "docs/internals/protocol.md"), encoding: .utf8)
    let types = Self.types(page)
    var seen = 0
    for match in page.matches(of: #/\n\| (?:node|conductor) \| `(\w+)`.*\| `([0-9a-fT ]+)` \|/#) {
      let token = String(repeating: "41 ", count: 32)
      let bytes = match.2.replacing("T ", with: token).split(separator: " ").compactMap { UInt8($0, radix: 16) }
      let length = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect(bytes.count == 4 + length, "\(match.1)")
      #expect(bytes[4] == types[String(match.1)], "\(match.1)")
      seen += 1
    }
    #expect(seen == 9)
  }
}
