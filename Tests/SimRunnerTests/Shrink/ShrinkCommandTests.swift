import Foundation
import Testing

@testable import Experiments

@Suite struct ShrinkCommandTests {
  private static let cut = """
    { scenario: "cut/and dried", seed: 3, duration: "3m", link: { profile: "ideal" },
      workout: { source: { model: { distance: 10000, pace: "5:00/km" } } },
      faults: [{ at: 33.3, for: 31.7, disconnect: {} }, { at: 70, for: 3, loss: { probability: 0.5 } }],
      expect: [{ never: "liveness.disconnected" }] }
    """

  @Test func `the small scenario is written under the name and the seed, and fails when it is run`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.cut.utf8).write(to: folder.appending(path: "s.json5"))
    let result = try Tool(["shrink", "s.json5", "--seed", "8"], in: folder).finish()
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.output.contains("shrunk  1 of 2 faults, "))
    #expect(result.output.contains("saved   cut-and-dried-8.json5"))
    #expect(try Tool.leftovers(in: folder, besides: ["s.json5"]) == ["cut-and-dried-8.json5"])
    let again = try Tool(["run", "cut-and-dried-8.json5", "--mode", "in-process"], in: folder).finish()
    #expect(again.status == 1)
    #expect(again.output.contains("cut/and dried-8, seed 8"))
    #expect(again.output.contains("not met: "))
  }

  @Test func `the JSON object says what is left, and the file goes where it is asked to`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", Self.cut)
    let child = try CommandChild.run(["shrink", path, "--out", folder.path("small.json5"), "--json"])
    #expect(child.status == 1)
    let object = try child.object()
    #expect(object["seed"] as? String == "3" && object["invariant"] as? String == "expectation-1")
    #expect((object["faults"] as? [Any])?.count == 1 && object["faultsBefore"] as? Int == 2)
    #expect(object["saved"] as? String == folder.path("small.json5"))
    #expect(folder.names.contains("small.json5"))
  }

  @Test func `a run that passes leaves nothing, and is 0`() throws {
    let text = Self.cut.replacing("never: \"liveness.disconnected\"", with: "count: \"end\", exactly: 1")
    let folder = try TemporaryFolder()
    let child = try CommandChild.run(
      ["shrink", folder.write("s.json5", text), "--out", folder.path("small.json5"), "--json"])
    #expect(child.status == 0)
    #expect(try child.object()["verdict"] as? String == "pass")
    #expect(child.errors.contains("all held, nothing to shrink"))
    #expect(!folder.names.contains("small.json5"))
  }

  @Test func `a name of nothing that could be wrong is refused, and leaves nothing`() throws {
    for (name, expected) in [
      ("liveness-dedline", "did you mean \"liveness-deadline\"?"), ("expectation-2", "did you mean \"expectation-1\"?"),
      ("sunshine", "expected one of "),
    ] {
      let result = try Tool.run(["shrink", "s.json5", "--invariant", name], files: ["s.json5": Self.cut])
      #expect(result.status == 2 && result.output == "")
      #expect(result.errors.contains("--invariant: found \"\(name)\"") && result.errors.contains(expected))
    }
    let held = try Tool.run(["shrink", "s.json5", "--invariant", "play-once"], files: ["s.json5": Self.cut])
    #expect(held.status == 0)
    #expect(held.output.contains("play-once holds, nothing to shrink"))
  }

  @Test func `a signal ends it after the run it is in, and what was found until then is written`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.cut.utf8).write(to: folder.appending(path: "s.json5"))
    // It is there before the first run begins.
    let result = try Tool(["shrink", "s.json5", "--json"], in: folder, signal: SIGINT).finish()
    #expect(result.status == 130)
    #expect(result.errors.hasSuffix("stopped early, after 1 run: there may be a smaller one\n"))
    #expect(result.output.contains("\"runs\":1,\"stopped\":true"))
    #expect(try Tool.leftovers(in: folder, besides: ["s.json5"]) == ["cut-and-dried-3.json5"])
    let again = try Tool(["run", "cut-and-dried-3.json5", "--mode", "in-process"], in: folder).finish()
    #expect(again.status == 1)
    #expect(again.output.contains("not met: "))
  }

  @Test func `a signal that comes when nothing is wrong says that nothing was`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = Self.cut.replacing("never: \"liveness.disconnected\"", with: "count: \"end\", exactly: 1")
    try Data(text.utf8).write(to: folder.appending(path: "s.json5"))
    let result = try Tool(["shrink", "s.json5"], in: folder, signal: SIGTERM).finish()
    #expect(result.status == 143)
    #expect(result.output == "cut/and dried, seed 3: all held, nothing to shrink\n")
    #expect(try Tool.leftovers(in: folder, besides: ["s.json5"]) == [])
  }

  @Test(arguments: [
    ["shrink"], ["shrink", "/nowhere.json5"], ["shrink", "s.json5", "--runs", "1"],
    ["shrink", "s.json5", "--seed", "x"],
    ["shrink", "s.json5", "--out", "/nowhere/at/all.json5"],
  ])
  func `2 for what cannot be shrunk`(arguments: [String]) throws {
    let result = try Tool.run(arguments, files: ["s.json5": Self.cut])
    #expect(result.status == 2)
    #expect(!result.errors.isEmpty)
  }

  @Test func `file names are harmless whatever a scenario is called`() {
    #expect(OutputName.safe("tunnel-at-2k") == "tunnel-at-2k")
    #expect(OutputName.safe("../a b/ü") == "..-a-b--")
    for name in ["", ".", "..", "///", "--"] { #expect(OutputName.safe(name) == "scenario", "\(name)") }
    #expect(OutputName.safe(String(repeating: "x", count: 500)).count == 100)
  }
}
