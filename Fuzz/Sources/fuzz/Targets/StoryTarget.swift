@testable import Link
@testable import TraceTools

enum StoryTarget: FuzzTarget {
  static let name = "story"
  static let about = "the story of any trace"
  static let lengthMax = 16_384
  static var words: [String] { TraceTarget.words }

  static func seeds(_ tree: SourceTree) -> [[UInt8]] { tree.traceParts(count: 30) }

  static func run(_ bytes: [UInt8]) {
    var book: StoryBook?
    TraceTarget.read(bytes) {
      book = StoryBook(header: $0)
    } take: {
      book?.observe($0, line: $1)
    }
    for line in book?.finish() ?? [] { _ = line.rendered(isColored: false, columns: 80) }
  }
}
