import Foundation
import LinkTestSupport
import Testing

/// What works on the built-in nodes works on apps: scenarios that name them, sweeps, shrinking, torture.
@Suite(.serialized) struct `Sweeps of apps` {
  /// A folder with the probe and a scenario that names it.
  private struct Place: ~Copyable {
    let path = FileManager.default.temporaryDirectory.appending(path: "wca-\(UUID().uuidString)").path

    init(_ scenario: String) throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: "\(path)/probe", withDestinationPath: "\(ProbeRun.folder)/SessionProbe")
      try Data(scenario.utf8).write(to: URL(filePath: "\(path)/s.json5"))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func run(_ words: [String]) throws -> (status: Int32, text: String) {
      let process = Process()
      process.executableURL = URL(filePath: "\(ProbeRun.folder)/sim-runner")
      process.arguments = words
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run(killedAfter: 300)
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, text)
    }

    func files(in folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
    }

    func text(_ file: String) throws -> String { try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8) }
  }

  private static func scenario(watch: String, phone: String = "", _ more: String = "") -> String {
    """
    { scenario: "apps", seed: 5, replyTimeout: "60s", duration: "20s", link: { profile: "ble-running" },
      watch: { command: "./probe /dev/null \(watch)" }, phone: { command: "./probe /dev/null \(phone)" }, \(more) }
    """
  }

  @Test(arguments: [false, true])
  func `the default nemesis finds an app that takes its context from the callback alone`(reads: Bool) throws {
    let place = try Place(
      """
      { scenario: "cold", duration: "10m", link: { profile: "ble-running" }, phone: { command: "./probe /dev/null 2:context:7" },
        watch: { command: "./probe /dev/null 0:onAct:show\(reads ? " 0:readsContext" : "")",
          acts: [{ at: "598s", do: "show" }] },
        expect: [{ count: "app.shown", where: { n: 7 }, exactly: 1 }] }
      """)
    let sweep = try place.run([
      "sweep", "\(place.path)/s.json5", "--nemesis", "--seeds", "0..<40", "--keep-going", "--no-shrink", "--out",
      "\(place.path)/out.jsonl", "--failures", "\(place.path)/failures",
    ])
    #expect(sweep.status == (reads ? 0 : 1), "\(sweep.text)")
    #expect(sweep.text.contains("expectation-1") == !reads, "\(sweep.text)")
  }

  @Test func `a file that is moved on the main thread is gone within twenty seeds, though it comes once`() throws {
    let place = try Place(
      Self.scenario(
        watch: "0:movesLate", phone: "2:file:100",
        "expect: [{ never: \"app.moved\", where: { exists: false } }, { count: \"app.moved\", exactly: 1 }]"))
    let sweep = try place.run([
      "sweep", "\(place.path)/s.json5", "--seeds", "0..<20", "--keep-going", "--no-shrink", "--out",
      "\(place.path)/out.jsonl", "--failures", "\(place.path)/failures",
    ])
    #expect(sweep.status == 1 && sweep.text.contains("expectation-1"), "\(sweep.text)")
    #expect(!sweep.text.contains("expectation-2"), "\(sweep.text)")
  }

  private static let race = "0.5:race 1:race 1.5:race 2:race"

  @Test func `a scenario can name its apps, relative to its folder, for run and test`() throws {
    let place = try Place(
      Self.scenario(watch: "0.5:infos:2", "expect: [{ count: \"transfer.delivered\", exactly: 2 }]"))
    let run = try place.run(["run", "\(place.path)/s.json5", "--trace", "\(place.path)/t.jsonl"])
    #expect(run.status == 0, "\(run.text)")
    let header = try #require(try place.text("t.jsonl").split(separator: "\n").first)
    #expect(header.contains("\"command\":\"./probe /dev/null 0.5:infos:2\""))
    let tested = try place.run(["test", "\(place.path)/s.json5", "--junit", "\(place.path)/j.xml"])
    #expect(tested.status == 0 && tested.text.contains("1 of 1 passed"), "\(tested.text)")
    #expect(try place.text("j.xml").contains("name=\"apps\""))
    // The command line wins: this watch sends nothing.
    let other = try place.run(["test", "\(place.path)/s.json5", "--watch-cmd", "\(place.path)/probe /dev/null"])
    #expect(other.status == 1, "\(other.text)")
    let inProcess = try place.run(["run", "\(place.path)/s.json5", "--mode", "in-process"])
    #expect(inProcess.status == 2 && inProcess.text.contains("expected processes"), "\(inProcess.text)")
  }

  @Test func `the order of threads finds a race, which is shrunk, saved and repeated from its file`() throws {
    let place = try Place(Self.scenario(watch: Self.race, "faults: [{ at: \"5s\", for: \"1s\", disconnect: {} }]"))
    let sweep = try place.run([
      "sweep", "\(place.path)/s.json5", "--seeds", "5..<6", "--threads-seeds", "0..<40", "--keep-going", "--out",
      "\(place.path)/out.jsonl", "--failures", "\(place.path)/failures",
    ])
    #expect(sweep.status == 1 && sweep.text.contains("program-ended"), "\(sweep.text)")
    #expect(sweep.text.contains("the watch's program exited with status 9"), "\(sweep.text)")
    #expect(try place.text("out.jsonl").split(separator: "\n").count == 40)
    let files = try place.files(in: "failures")
    let saved = try #require(files.first { $0.hasSuffix(".json5") })
    #expect(files.count == 3)
    let text = try place.text("failures/\(saved)")
    #expect(text.contains("command: \"../probe /dev/null") && text.contains("threadsSeed") && !text.contains("faults"))
    let traces = try (0..<2).map { number in
      let again = try place.run([
        "run", "\(place.path)/failures/\(saved)", "--run-programs", "--trace", "\(place.path)/again-\(number).jsonl",
      ])
      #expect(again.status == 1 && again.text.contains("exited with status 9"), "\(again.text)")
      return try place.text("again-\(number).jsonl")
    }
    #expect(traces[0] == traces[1])
    let trace = try #require(files.first { $0.hasSuffix(".jsonl") })
    let replay = try place.run(["replay", "\(place.path)/failures/\(trace)", "--run-programs"])
    #expect(replay.status == 0 && replay.text.contains("and the same bytes"), "\(replay.text)")
    // Some order shows nothing: the race is no sure thing.
    #expect(sweep.text.contains("of 40 seeds passed"))
  }

  @Test func `a sweep draws no crash point that an app cannot pass, and two jobs give the results of one`() throws {
    let place = try Place(
      Self.scenario(
        watch: "0.5:infos:5 1:file:9000", phone: "2:context:3",
        "nemesis: { meanInterval: \"2s\", meanDuration: \"2s\", kinds: [\"kill\", \"loss\", \"suspend\"] }"))
    var results: [String] = []
    for jobs in ["1", "2"] {
      let sweep = try place.run([
        "sweep", "\(place.path)/s.json5", "--seeds", "0..<12", "--jobs", jobs, "--digests", "--out",
        "\(place.path)/\(jobs).jsonl", "--coverage", "\(place.path)/c.json", "--failures", "\(place.path)/f",
      ])
      #expect(sweep.status == 0, "\(sweep.text)")
      results.append(try place.text("\(jobs).jsonl"))
    }
    #expect(results[0] == results[1])
    #expect(results[0].split(separator: "\n").count == 12)
    // Shards are merged as ever.
    for shard in ["1/2", "2/2"] {
      let part = try place.run([
        "sweep", "\(place.path)/s.json5", "--seeds", "0..<12", "--shard", shard, "--digests", "--out",
        "\(place.path)/part-\(shard.first ?? "0").jsonl", "--failures", "\(place.path)/f",
      ])
      #expect(part.status == 0, "\(part.text)")
    }
    let merged = try place.run(["merge", "\(place.path)/part-1.jsonl", "\(place.path)/part-2.jsonl"])
    #expect(merged.status == 0, "\(merged.text)")
    let plan = try place.run(["run", "\(place.path)/s.json5", "--save", "\(place.path)/saved.json5", "--seed", "3"])
    #expect(plan.status == 0, "\(plan.text)")
    #expect(!(try place.text("saved.json5")).contains("script."))
  }

  @Test func `a deadlock is shrunk to a run of its kind`() throws {
    let place = try Place(Self.scenario(watch: "3:deadlock", "faults: [{ at: \"1s\", for: \"1s\", disconnect: {} }]"))
    let shrunk = try place.run(["shrink", "\(place.path)/s.json5", "--out", "\(place.path)/small.json5"])
    #expect(shrunk.status == 1, "\(shrunk.text)")
    let text = try place.text("small.json5")
    #expect(
      text.contains("The watch's app: thread") && text.contains("held by") && !text.contains("faults:"), "\(text)")
    let again = try place.run(["run", "\(place.path)/small.json5", "--run-programs"])
    #expect(again.status == 1 && again.text.contains("deadlock"), "\(again.text)")
  }

  @Test func `apps that are killed at random moments keep every invariant`() throws {
    let place = try Place(Self.scenario(watch: "0.5:infos:20 1:file:90000", phone: "1:infos:10"))
    let torture = try place.run(["torture", "\(place.path)/s.json5", "--kills", "10"])
    #expect(torture.status == 0 && torture.text.contains("PASS"), "\(torture.text)")
  }

  @Test func `an app that ends by itself ends the torture`() throws {
    let place = try Place(Self.scenario(watch: "0.5:exitWith:7"))
    // So many kills that a run which does not end fails by its time limit alone.
    let torture = try place.run(["torture", "\(place.path)/s.json5", "--kills", "400"])
    #expect(torture.status == 1 && torture.text.contains("FAIL"), "\(torture.text)")
    // Half a second after one of its starts: a kill may come before.
    #expect(torture.text.contains("the watch's program exited with status 7 at 0:0"), "\(torture.text)")
  }

  @Test func `a sweep starts its apps as copies of one process, and has the traces of apps that are executed`() throws {
    let place = try Place(
      Self.scenario(
        watch: "0.5:infos:3 1:file:9000", phone: "2:context:3",
        "faults: [{ at: \"4s\", kill: \"phone\", restartAfter: \"1s\" }], checks: { restartKeeps: {} }"))
    let sweep = try place.run([
      "sweep", "\(place.path)/s.json5", "--seeds", "7..<10", "--jobs", "1", "--digests", "--out",
      "\(place.path)/out.jsonl", "--failures", "\(place.path)/f",
    ])
    #expect(sweep.status == 0, "\(sweep.text)")
    let lines = try place.text("out.jsonl").split(separator: "\n")
    #expect(lines.count == 3)
    for (seed, line) in zip(7..<10, lines) {
      let run = try place.run(["run", "\(place.path)/s.json5", "--seed", "\(seed)", "--json"])
      let key = "\"traceDigest\":\""
      let start = try #require(run.text.range(of: key), "\(run.text)").upperBound
      #expect(line.contains("\(key)\(run.text[start...].prefix { $0 != "\"" })\""), "\(line)\n\(run.text)")
    }
  }

  @Test func `settings of apps without an app are refused`() throws {
    let place = try Place("{ scenario: \"none\", duration: \"2s\" }")
    for words in [["--threads", "fair"], ["--jitter", "5"]] {
      let run = try place.run(["run", "\(place.path)/s.json5"] + words)
      #expect(run.status == 2 && run.text.contains("the run has no app"), "\(run.text)")
    }
    let sweep = try place.run(["sweep", "\(place.path)/s.json5", "--seeds", "0..<2", "--threads-seeds", "0..<2"])
    #expect(sweep.status == 2 && sweep.text.contains("has no app"), "\(sweep.text)")
    let bad = try Place(
      "{ scenario: \"bad\", watch: { command: \"'x\" }, apps: { threads: \"lottery\", jitter: \"2m\" } }")
    let found = try bad.run(["validate", "\(bad.path)/s.json5"])
    #expect(found.status == 2, "\(found.text)")
    for part in ["watch.command", "apps.threads", "apps.jitter"] { #expect(found.text.contains(part), "\(found.text)") }
  }
}
