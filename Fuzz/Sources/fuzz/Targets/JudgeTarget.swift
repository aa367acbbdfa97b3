@testable import Link
@testable import Simulator

enum JudgeTarget: FuzzTarget {
  static let name = "judge"
  static let about = "every invariant over any trace"
  static let lengthMax = 16_384
  static var words: [String] { TraceTarget.words }

  static func seeds(_ tree: SourceTree) -> [[UInt8]] { tree.traceParts(count: 30) }

  static func run(_ bytes: [UInt8]) {
    var judge: RunJudge?
    TraceTarget.read(bytes) {
      judge = RunJudge(header: $0, expectations: [])
    } take: { event, line in
      judge?.observe(event, line: line)
    }
    _ = judge?.finish()
  }
}
