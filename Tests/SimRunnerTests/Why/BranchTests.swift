import Foundation
import Link
import Testing

@testable import Experiments
@testable import TraceTools
@testable import Console

@Suite struct `Branches of a run` {
  @Test func `a branch shares every line before its instant, and differs after it`() throws {
    let trace = try PlantedRun.trace("late-pause", isPlanted: false)
    let at = VirtualTime.start + .seconds(60)
    let branch = try Branch(of: trace, at: at, fault: "{ for: '40s', disconnect: {} }")
    #expect(branch.prefixLines == trace.events.prefix { $0.time < at }.count && branch.prefixLines > 100)
    let decisions = (Decision.all(of: trace), Decision.all(of: branch.other))
    let first = try #require(zip(decisions.0, decisions.1).first { $0.text != $1.text || $0.time != $1.time })
    #expect(first.1.time >= at)
    #expect(branch.other.events.contains { $0.name.text == "liveness.disconnected" })
    let again = try Branch(of: trace, at: at, fault: "{ for: '50s', disconnect: {} }")
    #expect(again.prefixDigest == branch.prefixDigest)
  }

  @Test func `a fault that cannot be read is bad input`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(try PlantedRun.trace("late-pause", isPlanted: false).bytes).write(to: folder.appending(path: "t.jsonl"))
    for (fault, said) in [
      ("{ disconect: {} }", "disconnect"), ("{ at: '5s', disconnect: {} }", "found the key at"), ("[", "--fault:"),
    ] {
      let result = try Tool(["branch", "t.jsonl", "--at", "1:00", "--fault", fault], in: folder).finish()
      #expect(result.status == 2 && result.errors.contains(said), "\(result.errors)")
    }
    let good = try Tool(
      ["branch", "t.jsonl", "--at", "1:00", "--fault", "{ for: '40s', disconnect: {} }", "--json"], in: folder
    ).finish()
    #expect(good.status == 1 && good.output.contains("\"prefixDigest\""), "\(good.output)\(good.errors)")
  }
}
