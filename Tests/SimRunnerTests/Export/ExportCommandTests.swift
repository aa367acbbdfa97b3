import Foundation
import Link
import Testing

@testable import TraceTools

@Suite struct ExportCommandTests {
  private let folder: TemporaryFolder
  private let trace: String

  init() throws {
    folder = try TemporaryFolder()
    trace = try folder.write("run.jsonl", try TraceFixture.shared.get().text)
  }

  @Test(arguments: ["r.html", "r.pftrace", "r.pcapng", "r.mmd", "r.svg", "r.gpx"])
  func `the name of the output says the format`(name: String) throws {
    let child = try CommandChild.call(["export", trace, "-o", folder.path(name)])
    #expect(child.status == 0, "\(child.errors)")
    #expect(child.output.isEmpty)
    let format = try #require(ExporterCatalog.exporter(format: nil, output: name)).name
    let piped = try CommandChild.call(["export", trace, "--format", format])
    #expect(piped.status == 0)
    #expect(try CommandChild.call(["export", trace, "--format", format, "-o", "-"]).output == piped.output)
    let written = try Data(contentsOf: URL(filePath: folder.path(name)))
    #expect(Data(piped.output.utf8).count >= written.count / 2)
    #expect(folder.names == [name, "run.jsonl"].sorted())
  }

  @Test(arguments: [
    ["export"], ["export", "TRACE"], ["export", "TRACE", "--format", "pdf"], ["export", "TRACE", "-o", "x.doc"],
    ["export", "TRACE", "--format", "svg", "--from", "soon"], ["export", "nowhere.jsonl", "--format", "html"],
    ["export", "TRACE", "--format", "svg", "--from", "2m", "--to", "1m"],
  ])
  func `2 for bad usage, and nothing is left`(words: [String]) throws {
    let child = try CommandChild.call(words.map { $0 == "TRACE" ? trace : $0 })
    #expect(child.status == 2)
    #expect(child.output.isEmpty && !child.errors.isEmpty)
    #expect(folder.names == ["run.jsonl"])
  }

  @Test func `3 for an output that cannot be written`() throws {
    let child = try CommandChild.call(["export", trace, "--format", "html", "-o", "/nowhere/at/all.html"])
    #expect(child.status == 3)
    #expect(child.errors.contains("/nowhere/at/all.html: error: the export cannot be written: No such file"))
  }

  @Test func `a misspelt format gets a hint`() throws {
    let child = try CommandChild.call(["export", trace, "--format", "perfeto"])
    #expect(child.errors.contains("did you mean \"perfetto\"?"))
  }

  @Test(arguments: ExporterCatalog.all.map { $0.name })
  func `what is no trace is refused with its place, and a torn one exported with a note`(format: String) throws {
    let lines = try TraceFixture.shared.get().lines
    let bad = try folder.write("bad.jsonl", (lines.prefix(20) + ["{\"t\":1}", lines[20]]).map { $0 }.fileText)
    let refused = try CommandChild.call(["export", bad, "--format", format, "-o", folder.path("x")])
    #expect(refused.status == 2)
    #expect(refused.errors.hasPrefix("\(bad):21:"))
    #expect(!folder.names.contains("x"))
    let torn = try folder.write("torn.jsonl", Array(try TraceFixture.shared.get().text.dropLast(40)))
    let child = try CommandChild.call(["export", torn, "--format", format, "-o", folder.path("y")])
    #expect(child.status == 0, "\(child.errors)")
    #expect(child.errors.contains("torn.jsonl: note: the trace is truncated after line"))
    #expect(folder.names.contains("y"))
  }

  @Test func `a trace of nothing but a header is exported in every format`() throws {
    let path = try folder.write("empty.jsonl", HandTrace.bytes([]))
    for exporter in ExporterCatalog.all {
      let child = try CommandChild.call(["export", path, "--format", exporter.name, "-o", folder.path("e")])
      #expect(child.status == 0, "\(exporter.name): \(child.errors)")
    }
  }

  @Test func `hostile numbers crash no exporter`() throws {
    let wild = [
      #"{"t":0,"node":"watch","event":"frame.sent","id":-9223372036854775808,"to":"","bytes":-1}"#,
      #"{"t":0,"node":"link","event":"frame.duplicated","id":-9223372036854775808,"copies":9223372036854775807}"#,
      #"{"t":0,"node":"link","event":"frame.delivered","id":-9223372036854775808,"copy":-1}"#,
      #"{"t":5,"node":"edge","event":"frame.sent","id":1,"to":"runner","bytes":9223372036854775807}"#,
      #"{"t":6,"node":"watch","event":"snapshot","distance":9e17,"currentHR":9223372036854775807,"state":"running"}"#,
      #"{"t":7,"node":"runner","event":"fault.begin"}"#, #"{"t":8,"node":"phone","event":"audio.start"}"#,
      #"{"t":9,"node":"runner","event":"violation","t0":9223372036854775807,"lines":[9223372036854775807,-5,99]}"#,
      #"{"t":9223372036854775807,"node":"phone","event":"liveness.disconnected","lastFresh":{"t":"x"}}"#,
    ]
    let path = try folder.write("wild.jsonl", HandTrace.bytes(wild))
    for exporter in ExporterCatalog.all {
      let child = try CommandChild.call(["export", path, "--format", exporter.name, "-o", folder.path("w")])
      #expect(child.status == 0, "\(exporter.name): \(child.errors)")
    }
  }

  @Test func `a run writes its report`() throws {
    let scenario = try folder.write("s.json5", TraceFixture.scenario(expect: "[]"))
    let child = try CommandChild.run([
      "run", scenario, "--mode", "in-process", "--report", folder.path("r.html"), "--json",
    ])
    #expect(child.status == 0)
    let digest = try #require(try child.object()["traceDigest"] as? String)
    let page = try String(contentsOf: URL(filePath: folder.path("r.html")), encoding: .utf8)
    #expect(page.contains("\"digest\":\"\(digest)\""))
    #expect(page.contains("--seed 7"))
    #expect(page.contains("\"verdict\":\"pass\""))
  }

  @Test func `a report that cannot be written is refused before the run`() throws {
    let scenario = try folder.write("s.json5", TraceFixture.scenario(expect: "[]"))
    let child = try CommandChild.run(["run", scenario, "--report", "/nowhere/at/all.html"])
    #expect(child.status == 2)
    #expect(!child.output.contains("the workout begins"))
  }
}
