import Foundation
import Testing

@testable import Experiments

@Suite struct SweepMergeTests {
  private static func line(_ seed: UInt64, _ name: String = "a", digest: String? = nil) -> String {
    let finding = SweepLine.Finding(invariant: "causality", time: 5, detail: "late \"x\"")
    return SweepLine(
      scenario: name, seed: seed, hasPassed: digest == nil, traceDigest: digest,
      violations: digest == nil ? [] : [finding]
    ).text
  }

  private static func merge(
    _ files: [[String]], _ arguments: [String] = []
  ) throws -> (child: CommandChild, joined: String) {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for (index, lines) in files.enumerated() {
      paths.append(try folder.write("\(index).jsonl", lines.map { $0 + "\n" }.joined()))
    }
    let child = try CommandChild.call(["merge"] + paths + ["--out", folder.path("all.jsonl")] + arguments)
    return (child, (try? String(contentsOfFile: folder.path("all.jsonl"), encoding: .utf8)) ?? "")
  }

  @Test func `a line is read back unchanged`() throws {
    for line in [
      SweepLine(scenario: "a \"b\"", seed: .max, hasPassed: true),
      SweepLine(
        scenario: "ü", seed: 0, hasPassed: false, traceDigest: "00ff",
        violations: [SweepLine.Finding(invariant: "x", time: 1 << 60, detail: "line\nfeed")]),
    ] {
      #expect(try SweepLine(line.text, file: "f", line: 1) == line)
      #expect(!line.text.contains("\n"))
    }
    #expect(
      Self.line(7) == #"{"scenario":"a","seed":"7","verdict":"pass","traceDigest":null,"violations":[]}"#)
    let number = #"{"scenario":"a","seed":7,"verdict":"pass","traceDigest":null,"violations":[],"more":1}"#
    #expect(try SweepLine(number, file: "f", line: 1).seed == 7)
  }

  @Test func `what shards wrote is one result, whatever the order of the files`() throws {
    let files = [[Self.line(2), Self.line(3), Self.line(0, "b")], [Self.line(0), Self.line(1)], [Self.line(1, "b")]]
    let (child, joined) = try Self.merge(files)
    #expect(child.status == 0, "\(child.errors)")
    let expected = [0, 1, 2, 3].map { Self.line($0) } + [0, 1].map { Self.line($0, "b") }
    #expect(joined == expected.map { $0 + "\n" }.joined())
    #expect(try Self.merge(files.reversed()).joined == joined)
    #expect(child.output.contains("a: 4 of 4 seeds passed\nb: 2 of 2 seeds passed"))
  }

  @Test func `what is missing is named, in the middle and at the ends`() throws {
    let files = [[Self.line(2), Self.line(3)], [Self.line(7), Self.line(10)]]
    let (child, joined) = try Self.merge(files)
    #expect(child.status == 1)
    #expect(child.output.contains("; 5 missing: 4..<7, 8..<10"), "\(child.output)")
    #expect(joined.split(separator: "\n").count == 4)
    let (wanted, _) = try Self.merge(files, ["--seeds", "0..<12"])
    #expect(wanted.output.contains("; 8 missing: 0..<2, 4..<7, 8..<10, 11..<12"), "\(wanted.output)")
    let (whole, _) = try Self.merge([[Self.line(0)], [Self.line(1)]], ["--seeds", "0..<2"])
    #expect(whole.status == 0)
  }

  @Test func `seeds are counted to the last one`() throws {
    let (child, _) = try Self.merge([[Self.line(0), Self.line(.max)]])
    #expect(child.status == 1)
    #expect(child.output.contains("; 18,446,744,073,709,551,614 missing: 1..<18446744073709551615"), "\(child.output)")
  }

  @Test func `what is missing are wanted seeds, and others are named`() throws {
    let files = [[Self.line(1), Self.line(2)], [Self.line(7), Self.line(9)]]
    let (child, joined) = try Self.merge(files, ["--seeds", "0..<5"])
    #expect(child.status == 1)
    #expect(
      child.output.contains("a: 4 of 4 seeds passed, 2 of them not among those wanted; 3 missing: 0..<1, 3..<5\n"),
      "\(child.output)")
    #expect(joined.split(separator: "\n").count == 4)
    let (json, _) = try Self.merge(files, ["--seeds", "1..<3", "--json"])
    #expect(json.status == 0)
    let sums = try #require(json.object()["scenarios"] as? [[String: Any]])
    #expect(sums.first?["outside"] as? Int == 2)
  }

  @Test func `a file without an end, and one that is no text, are refused at their beginning`() throws {
    let child = try CommandChild.call(["merge", "/dev/zero"])
    #expect(child.status == 2)
    #expect(child.errors.contains("/dev/zero: error: found a zero byte at offset 0, expected text"), "\(child.errors)")
  }

  @Test func `a byte order mark is part of no line, and a place in a line has the line's number`() throws {
    let marked = "\u{FEFF}" + Self.line(1)
    let (child, joined) = try Self.merge([[marked], [Self.line(0)]])
    #expect(child.status == 0)
    #expect(joined == "\(Self.line(0))\n\(Self.line(1))\n")
    let (torn, _) = try Self.merge([[Self.line(0), String(Self.line(1).dropLast())]])
    #expect(torn.status == 2)
    #expect(torn.errors.contains("0.jsonl:2:") && torn.errors.contains("opened at line 2,"), "\(torn.errors)")
  }

  @Test func `a doubled seed is kept once, and one with two results is reported with its places`() throws {
    let (doubled, joined) = try Self.merge([[Self.line(0), Self.line(1)], [Self.line(1), Self.line(2)]])
    #expect(doubled.status == 0)
    #expect(doubled.output.contains("3 of 3 seeds passed, 1 doubled"))
    #expect(joined.split(separator: "\n").count == 3)
    let (torn, kept) = try Self.merge([[Self.line(0), Self.line(1)], [Self.line(1, digest: "ab")]])
    #expect(torn.status == 1)
    #expect(torn.output.contains("seed 1: two results that differ: "))
    #expect(torn.output.contains("0.jsonl:2 and "))
    #expect(kept.contains(Self.line(1)) && !kept.contains("ab"))
  }

  @Test func `a failed seed is an exit status of 1, and counted in the JSON`() throws {
    let (child, _) = try Self.merge([[Self.line(0), Self.line(1, digest: "ab")]], ["--json"])
    #expect(child.status == 1)
    let sums = try #require(child.object()["scenarios"] as? [[String: Any]])
    #expect(sums.first?["passed"] as? Int == 1 && sums.first?["failed"] as? Int == 1)
  }

  @Test(arguments: [
    ("nonsense", ":1:1: error: "), (#"{"scenario":"a"}"#, ":1:1: error: the key \"seed\" is missing"),
    (
      #"{"scenario":"a","seed":"x","verdict":"pass","traceDigest":null,"violations":[]}"#,
      ":1:24: error: seed: found string \"x\""
    ),
    (#"{"scenario":"a","seed":"1","verdict":"maybe","traceDigest":null,"violations":[]}"#, "expected \"pass\" or"),
    (#"[]"#, "expected an object"),
  ])
  func `a line that is none ends with 2 and its place`(line: String, expected: String) throws {
    let (child, joined) = try Self.merge([[line]])
    #expect(child.status == 2)
    #expect(child.errors.contains(expected), "\(child.errors)")
    #expect(joined == "")
  }

  @Test func `without a file to write to, the result goes to standard output and the rest elsewhere`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.jsonl", Self.line(1) + "\n")
    let child = try CommandChild.call(["merge", path])
    #expect(child.output == Self.line(1) + "\n")
    #expect(child.errors.contains("1 of 1 seed passed"))
    #expect(try CommandChild.call(["merge"]).status == 2)
    #expect(try CommandChild.call(["merge", "/nowhere.jsonl"]).status == 2)
  }
}
