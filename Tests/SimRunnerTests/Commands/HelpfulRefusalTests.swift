import Foundation
import Testing

/// Refusals that say what to do instead.
@Suite struct HelpfulRefusalTests {
  private static let scenario = "{ scenario: \"x\", duration: \"3m\" }"

  @Test func `an event alone is answered with what is missing`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", String(Self.scenario.dropLast()) + ", expect: [{ event: \"link.down\" }] }")
    let child = try CommandChild.call(["validate", path])
    let text = child.output + child.errors
    #expect(child.status == 2, "\(text)")
    #expect(text.contains("expect[0]: found only \"event\", expected beside it \"within\""), "\(text)")
    #expect(text.contains("{ count: \"link.down\", atLeast: 1 }") && !text.contains("did you mean"), "\(text)")
    // As the message advises.
    let advised = String(Self.scenario.dropLast()) + ", expect: [{ count: \"link.down\", atLeast: 1 }] }"
    #expect(try CommandChild.call(["validate", folder.write("t.json5", advised)]).status == 0)
  }

  @Test(arguments: [
    ("{ scenario: \"x\", duration: \"3m\" }", "found a scenario, expected a trace; to run it: "),
    ("// About it.\n{\n  \"scenario\": \"x\",\n}", "found a scenario, expected a trace; to run it: "),
    ("{\"t_send\": 0, \"t_recv\": 0.1}\n", "found a capture, expected a trace; to fit a link: "),
    ("{\"other\": 1}\n", "a header without \"trace\""),
  ])
  func `a file that is no trace is named`(text: String, said: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("file", text)
    for words in [["check", path], ["story", path], ["diff", path, path]] {
      let child = try CommandChild.call(words)
      #expect(child.status == 2 && child.errors.contains(said), "\(words[0]): \(child.errors)")
    }
  }

  @Test func `a page in a container needs its published port`() throws {
    let folder = try TemporaryFolder()
    let child = try CommandChild.call(["open", folder.write("s.json5", Self.scenario), "--in-container"])
    #expect(child.status == 2 && child.errors.contains("--in-container: found no --port"), "\(child.errors)")
  }

  @Test(arguments: [
    ("late", "; did you mean \"late-pause\""), ("false-alrm", "; did you mean \"false-alarm\"?"),
    ("zzz", ", expected a name that sim-runner plants lists"), ("", ", expected a name that sim-runner plants lists"),
  ])
  func `an unknown plant gets a short answer`(name: String, said: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", Self.scenario)
    let child = try CommandChild.call(["run", path, "--plant", name])
    #expect(child.status == 2 && child.errors.contains(said) && child.errors.utf8.count < 300, "\(child.errors)")
  }

  @Test func `an output file has the same option everywhere`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", Self.scenario)
    for (number, word) in ["-o", "--out", "--output", "--trace"].enumerated() {
      #expect(try CommandChild.run(["run", path, word, folder.path("\(number).jsonl"), "--quiet"]).status == 0)
    }
    let traces = try (0..<4).map { try Data(contentsOf: URL(filePath: folder.path("\($0).jsonl"))) }
    #expect(Set(traces).count == 1)
    let export = ["export", folder.path("0.jsonl"), "--format", "text", "--from", "0"]
    #expect(try CommandChild.call(export + ["--out", folder.path("a.txt")]).status == 0)
    let sweep = ["sweep", path, "--seeds", "1", "-o", folder.path("r.jsonl")]
    #expect(try CommandChild.run(sweep).status == 0 && folder.names.contains("r.jsonl"))
    let story = try CommandChild.call(["story", folder.path("0.jsonl"), "--from", "0"])
    #expect(story.status == 0 && !story.output.isEmpty, "\(story)")
  }
}
