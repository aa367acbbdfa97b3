import Foundation
import LinkTestSupport
import Testing

/// A run of apps follows from programs, scenario and seed, whatever the runner's own environment is.
@Suite(.serialized) struct `Environments of apps` {
  private static let environments: [[String: String]] = [
    [:], ["PADDING": String(repeating: "x", count: 200)], ["LANG": "de_DE.UTF-8", "LC_ALL": "C", "TZ": "Asia/Tokyo"],
    ["HOME": "/tmp/a/rather/long/path/of/somebody/else", "USER": "somebody", "XDG_CONFIG_HOME": "/nowhere"],
    [
      "PADDING": String(repeating: "y", count: 20_000), "PATH": "/usr/bin:/bin:/usr/games",
      "SWIFT_BACKTRACE": "color=no",
    ],
  ]
  private static let verbs = ["0.3:hashes", "0.5:message:7", "0.8:infos:3", "1:now"]

  /// The lines behind the header, which names a folder of its own in every run.
  private func lines(
    seed: Int, _ environment: [String: String], in folder: String? = nil, _ options: [String] = [],
    programs: String? = nil
  ) throws -> [Substring] {
    let run = try ProbeRun(
      faults: "{ at: \"2s\", kill: \"watch\", restartAfter: \"500ms\" }", duration: "5s", watch: Self.verbs,
      phone: Self.verbs, time: nil, seed: seed, options: options, environment: environment, folder: folder,
      programs: programs)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.events("app.hashes").count == 3)
    return Array(run.trace.dropFirst())
  }

  @Test func `twenty seeds are equal in every environment and folder`() throws {
    for seed in 1...20 {
      let first = try lines(seed: seed, [:])
      let environment = Self.environments[1 + seed % 4]
      #expect(try lines(seed: seed, environment, in: seed % 2 == 0 ? "/usr/share" : "/") == first, "seed \(seed)")
    }
    for environment in Self.environments { #expect(try lines(seed: 1, environment) == lines(seed: 1, [:])) }
  }

  /// A new folder for a test whose path has a length.
  private func makeFolder(_ length: Int) throws -> String {
    let path = "/tmp/wcl-\(UUID().uuidString)"
    let folder = path + "/" + String(repeating: "x", count: max(1, length - path.count - 1))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  private func remove(_ folder: String) {
    try? FileManager.default.removeItem(at: URL(fileURLWithPath: folder).deletingLastPathComponent())
  }

  @Test(arguments: [43, 44, 50, 59, 61])
  func `folders of every length give one trace`(length: Int) throws {
    let folder = try makeFolder(length)
    defer { remove(folder) }
    // Without room in memory the state is in TMPDIR, too.
    let others: [[String: String]] = [["TMPDIR": folder], ["TMPDIR": folder, "XDG_RUNTIME_DIR": folder]]
    let first = try lines(seed: 3, [:])
    for environment in others { #expect(try lines(seed: 3, environment) == first, "\(environment)") }
    #expect(try lines(seed: 3, [:], ["--state-dir", "\(folder)/state"]) == first)
  }

  @Test(arguments: [43, 58, 90, 150])
  func `an app may be built in any folder`(length: Int) throws {
    let folder = try makeFolder(length)
    defer { remove(folder) }
    // Copied by a process of its own: what this one writes is busy in every child that another test starts meanwhile.
    let names = ["SessionProbe", "sim-runner", "libVirtualTime.so"]
    let copy = try Process.run(
      URL(fileURLWithPath: "/bin/cp"), arguments: names.map { "\(ProbeRun.folder)/\($0)" } + [folder])
    copy.waitUntilExit()
    #expect(copy.terminationStatus == 0)
    #expect(try lines(seed: 3, [:], programs: folder) == lines(seed: 3, [:]))
  }

  @Test func `an app sees the same paths in every run, and nothing of the run's own`() throws {
    let run = try ProbeRun(duration: "2s", watch: ["0.3:paths"], time: nil, seed: 3)
    let line = try #require(run.events("app.paths").first)
    #expect(line.contains("\"home\":\"/proc/self/fd/200/home\""), "\(line)")
    #expect(line.contains("\"resolved\":\"/proc/self/fd/200/home\""), "\(line)")
    #expect(line.contains("\"folder\":\"/proc/self/fd/200/home\""), "\(line)")
    #expect(line.contains("\"program\":\"/proc/self/fd/202\""), "\(line)")
    #expect(line.contains("\"arguments\":\"SessionProbe\""), "\(line)")
    #expect(line.contains("\"own\":\"none\"") && line.contains("\"child\":\"a folder\""), "\(line)")
  }

  @Test func `an app gets no variable of ours, and those of the scenario and the command line`() throws {
    func values(_ options: [String], keys: String = "") throws -> Substring {
      let run = try ProbeRun(
        duration: "2s", watch: ["0.3:hashes"], time: nil, options: options, keys: keys,
        environment: ["PADDING": "ours", "OWN": "mine"])
      #expect(run.status == 0, "\(run.text)")
      return try #require(run.events("app.hashes").first)
    }
    #expect(try values([]).contains("\"own\":\"none\",\"padding\":\"none\""))
    #expect(try values(["--env", "OWN"]).contains("\"own\":\"mine\",\"padding\":\"none\""))
    #expect(try values(["--env", "OWN=a=b", "--env", "PADDING="]).contains("\"own\":\"a=b\",\"padding\":\"\""))
    let keys = "apps: { environment: [\"OWN=scenario\", \"TZ=Asia/Tokyo\"] },"
    #expect(try values([], keys: keys).contains("\"zone\":\"Asia/Tokyo\""))
    // A scenario passes on what is ours, and says so where it is not set.
    #expect(try values([], keys: "apps: { environment: [\"OWN\", \"PADDING\"] },").contains("\"own\":\"mine\""))
    let unset = try ProbeRun(duration: "2s", time: nil, keys: "apps: { environment: [\"NOT_SET_ANYWHERE\"] },")
    #expect(unset.status == 2 && unset.text.contains("apps.environment: found \"NOT_SET_ANYWHERE\""), "\(unset.text)")
    #expect(try values(["--env", "OWN=line"], keys: keys).contains("\"own\":\"line\""))
  }

  @Test func `run and sweep have one digest of a trace`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "wce-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let probe = "\(ProbeRun.folder)/SessionProbe"
    let scenario = """
      { scenario: "digests", duration: "3s", link: { profile: "ideal" },
        watch: { command: "\(probe) /dev/null 0.3:hashes 0.5:infos:3" },
        phone: { command: "\(probe) /dev/null 0.3:hashes 1:now" },
        checks: { sameAsIdeal: false }, faults: [{ at: "1s", kill: "watch", restartAfter: "500ms" }] }
      """
    try Data(scenario.utf8).write(to: URL(fileURLWithPath: "\(root)/s.json5"))
    func digests(_ words: [String]) throws -> [String] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "\(ProbeRun.folder)/sim-runner")
      process.arguments = words
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run(killedAfter: 300)
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return text.matches(of: /"traceDigest":"([0-9a-f]{64})"/).map { String($0.1) }
    }
    let swept = try digests(["sweep", "\(root)/s.json5", "--seeds", "5-7", "--digests", "--jobs", "1"])
    let run = try (5...7).flatMap { try digests(["run", "\(root)/s.json5", "--json", "--seed", "\($0)"]) }
    #expect(swept.count == 3 && swept == run)
  }

  @Test func `a trace remembers what its apps were given`() throws {
    let run = try ProbeRun(duration: "2s", watch: ["0.3:own"], time: nil, options: ["--env", "OWN=mine"])
    #expect(run.events("app.own").first?.contains("mine") == true)
    #expect(run.trace.first?.contains("\"environment\":[\"OWN=mine\"]") == true)
    let again = try run.replayed()
    #expect(again.status == 0 && again.text.contains("and the same bytes"), "\(again.text)")
  }

  @Test(arguments: [
    ("HOME=/x", "expected a variable that the run does not set itself"), ("LD_PRELOAD=/x.so", "LD_..."),
    ("WRISTWIRE_VT_SEED=3", "expected a variable"), ("=x", "expected NAME=VALUE"), ("9A=x", "expected NAME=VALUE"),
    ("A B=x", "expected NAME=VALUE"), ("NOT_SET_ANYWHERE", "which is not set; expected NAME=VALUE"),
  ])
  func `a variable that cannot be set is refused`(text: String, expected: String) throws {
    let run = try ProbeRun(duration: "2s", time: nil, options: ["--env", text])
    #expect(
      run.status == 2 && run.text.contains("--env: found \"\(text)\"") && run.text.contains(expected), "\(run.text)")
    guard text.contains("=") else { return }
    let scenario = try ProbeRun(duration: "2s", time: nil, keys: "apps: { environment: [\"\(text)\"] },")
    #expect(scenario.status == 2 && scenario.text.contains("apps.environment[0]"), "\(scenario.text)")
  }
}
