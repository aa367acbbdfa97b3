import Foundation
import Link
import Testing

@testable import Experiments
@testable import TraceTools
@testable import Console

/// A phone in another language plays a whole run; its trace is judged and fed back as any other.
@Suite struct ForeignPhoneTests {
  private static let nodes = CommandChild.packageRoot.appending(path: "Tests/Nodes")

  /// Runs its scenario and writes the trace into a folder.
  private func run(in folder: TemporaryFolder) throws -> String {
    let trace = folder.path("t.jsonl")
    let phone = Self.nodes.appending(path: "phone.py").path()
    let run = try CommandChild.run([
      "run", Self.nodes.appending(path: "foreign-phone.json5").path(), "--phone-cmd", "python3 \(phone)", "--trace",
      trace,
    ])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    return trace
  }

  @Test func `it fits on a few pages`() throws {
    let text = try String(contentsOf: Self.nodes.appending(path: "phone.py"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  @Test func `its run holds, is judged and is fed back`() throws {
    let folder = try TemporaryFolder()
    let trace = try run(in: folder)
    #expect(try CommandChild.call(["check", trace]).status == 0)
    let recorded = try RecordedTrace(trace)
    #expect(recorded.events.count { $0.name == "snapshot.fresh" } > 100)
    // Our phone hears the same and believes the same, though it says more.
    let outcome = try PhoneReplay.run(recorded, workout: nil)
    for kind in ["snapshot", "run", "liveness", "message"] {
      let counts = try #require(outcome.difference.counts.first { $0.kind == kind })
      #expect(counts.counts.keys.sorted { $0.rawValue < $1.rawValue } == [.same], "\(kind): \(counts.counts)")
    }
    let watch = try CommandChild.run(["replay", trace, "--watch-only", "--phone-cmd", "built-in", "--json"])
    #expect(watch.status == 0, "\(watch.errors)")
    let refused = try CommandChild.call(["replay", trace, "--watch-only"])
    #expect(refused.status == 2 && refused.errors.contains("--phone-cmd names the program"), "\(refused.errors)")
  }
}
