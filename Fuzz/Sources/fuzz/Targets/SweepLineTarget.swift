@testable import Experiments

enum SweepLineTarget: FuzzTarget {
  static let name = "sweep-lines"
  static let about = "lines of a sweep's results; a line that was read is read again from what is written of it"
  static let words = ["\"scenario\":", "\"seed\":", "\"verdict\":", "\"violations\":", "\"fail\"", "\"traceDigest\":"]

  static func seeds(_ tree: SourceTree) -> [[UInt8]] {
    [
      #"{"scenario":"a","seed":"1","verdict":"pass","traceDigest":null,"violations":[]}"#,
      #"{"scenario":"a","seed":"2","verdict":"fail","traceDigest":"00","violations":[{"invariant":"x","t":5,"detail":"y"}]}"#,
    ].map { Array($0.utf8) }
  }

  static func run(_ bytes: [UInt8]) {
    guard let line = try? SweepLine(String(decoding: bytes, as: UTF8.self), file: "x", line: 1) else { return }
    guard let again = try? SweepLine(line.text, file: "x", line: 1) else { preconditionFailure("cannot be read again") }
    precondition(again == line, "another line")
  }
}
