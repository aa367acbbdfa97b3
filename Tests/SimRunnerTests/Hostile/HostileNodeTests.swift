import Foundation
import Link
import LinkTestSupport
import Testing

/// Nodes that lie in their frames, their lines and their last words: a run judges them, and ends in good order.
@Suite(.serialized) struct `hostile nodes` {
  private static let python = "/usr/bin/python3"
  private static let hasPython = FileManager.default.isExecutableFile(atPath: python)

  private static func run(_ deed: String) throws -> Tool.Result {
    let nodes = PackageRoot.url.appending(path: "Tests/Nodes").path
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try Tool(
      [
        "run", "\(nodes)/foreign-watch.json5", "--watch-cmd", "\(python) \(nodes)/hostile.py \(deed)", "--trace",
        "t.jsonl",
      ], in: folder
    ).finish()
    #expect(try Tool.leftovers(in: folder) == ["t.jsonl"])
    // Whoever checks the trace sees what the run saw.
    let check = try Tool(["check", "t.jsonl"], in: folder).finish()
    #expect(check.status == (result.status == 3 ? 1 : result.status), "\(check.output)\(check.errors)")
    return result
  }

  @Test(.enabled(if: hasPython)) func `numbers at their bounds end in a verdict`() throws {
    let result = try Self.run("bounds")
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("no-silent-refusal is broken"))
    #expect(result.output.contains("FAIL  "))
  }

  @Test(.enabled(if: hasPython)) func `a node that declares itself dead is not believed`() throws {
    let result = try Self.run("acquit")
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("reserved-events is broken"))
    #expect(result.output.contains("the watch wrote node.killed"))
    #expect(result.output.contains("the watch wrote end"))
    // The story does not believe it either.
    #expect(!result.output.contains("its app crashes"))
  }

  @Test(.enabled(if: hasPython)) func `a node that reports its own frame as received is refused`() throws {
    let result = try Self.run("sent")
    #expect(result.status == 3)
    #expect(result.output.contains("sent a line frame.sent, which only the conductor writes"))
  }

  @Test(.enabled(if: hasPython)) func `a node's last words forge no verdict`() throws {
    let result = try Self.run("forge")
    #expect(result.status == 3)
    let all = result.output + result.errors
    #expect(all.contains(#"gave up: nothing\u000APASS"#), "\(all)")
    #expect(!all.split(separator: "\n").contains { $0.hasPrefix("PASS") })
    #expect(!all.unicodeScalars.contains { $0 != "\n" && TerminalText.mustBeEscaped($0) })
  }
}
