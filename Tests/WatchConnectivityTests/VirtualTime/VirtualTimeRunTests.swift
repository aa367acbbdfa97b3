import Foundation
import LinkTestSupport
import Testing

/// Apps in virtual time: ordinary nodes, whose runs are repeatable to the byte.
@Suite(.serialized) struct `Virtual time` {
  private static let faults = """
    { at: "3s", for: "2s", disconnect: {} },
    { at: "8s", kill: "phone", restartAfter: "1s" },
    { kill: "watch", point: "outbox.committed", restartAfter: "2s" },
    { duplicate: { probability: 0.3 } },
    """
  private static let watch = ["0.5:message:7", "0.6:request:8", "0.7:now", "0.8:infos:5", "1:tick:900", "6:file:50000"]

  /// The lines behind the header, which names a folder of its own in every run.
  private func run(seed: Int = 3, _ options: [String] = []) throws -> (trace: [Substring], notes: [String]) {
    let run = try ProbeRun(
      faults: Self.faults, duration: "30s", watch: Self.watch, phone: ["0.5:infos:3", "0.6:request:4", "0.7:now"],
      time: nil, seed: seed, options: options)
    #expect(run.status == 0, "\(run.text)")
    return (Array(run.trace.dropFirst()), run.watch + run.phone)
  }

  @Test(arguments: [
    "{ at: 0, reboot: \"phone\", unlockAfter: 30 }", "{ at: \"5ms\", reboot: \"watch\", unlockAfter: 30 }",
    "{ at: \"10ms\", kill: \"phone\", restartAfter: \"30s\" }",
    "{ at: 0, kill: \"watch\", restartAfter: \"30s\" }",
  ])
  func `an app that dies in its first milliseconds and stays dead is a result`(_ fault: String) throws {
    let run = try ProbeRun(faults: fault, duration: "5s", time: nil)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.events("node.killed").count == 1 && run.events("end").count == 1)
  }

  @Test func `a transfer on the line after activate fails with 7004, in either time`() throws {
    for time in [nil, "5x"] {
      let run = try ProbeRun(
        duration: "3s",
        expect: "{ count: \"app.early\", where: { state: 0 }, exactly: 2 }, { never: \"transfer.queued\" }",
        watch: ["0:early"], phone: ["0:early"], time: time)
      #expect(run.status == 0, "\(run.text)")
      #expect(run.watch.prefix(2).sorted() == ["activated 2", "infoError 7004"], "\(run.watch)")
    }
  }

  @Test func `fresh runs of a seed are equal to the byte, in trace and in what the apps did`() throws {
    let first = try run()
    #expect(first.trace.count > 100)
    for _ in 0..<4 {
      let again = try run()
      #expect(again.trace == first.trace)
      #expect(again.notes == first.notes)
    }
  }

  @Test func `another seed, another order of threads, and jitter each give another run`() throws {
    let first = try run()
    #expect(try run(seed: 4).trace != first.trace)
    #expect(try run(["--jitter", "20"]).trace != first.trace)
    // The same draws, whatever the order of threads: the seed alone decides them.
    let other = try run(["--threads-seed", "9", "--threads", "fair"])
    func drawn(_ notes: [String]) -> [Substring] {
      notes.filter { $0.hasPrefix("now ") }.compactMap { $0.split(separator: " ").dropFirst(2).first }
    }
    #expect(Set(drawn(other.notes)) == Set(drawn(first.notes)) && drawn(first.notes).count == 4)
  }

  @Test func `a restarted app goes on at its instant, with draws of its own`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"5s\", kill: \"watch\", restartAfter: \"1s\" }", duration: "10s", watch: ["0.5:now"], time: nil)
    #expect(run.status == 0, "\(run.text)")
    let notes = run.watch.filter { $0.hasPrefix("now ") }.map { $0.split(separator: " ") }
    #expect(notes.map { $0[1] } == ["1767254400500", "1767254406500"])
    #expect(Set(notes.map { $0[2] }).count == 2 && Set(notes.map { $0[3] }).count == 2)
  }

  @Test(arguments: [1, 101]) func `a file that is used after its callback is found gone within 20 seeds`(first: Int)
    throws
  {
    let isFound = try (first..<first + 20).contains { seed in
      let run = try ProbeRun(
        duration: "5s", expect: "{ never: \"app.moved\", where: { exists: false } }", watch: ["1:file:100"],
        phone: ["0:movesLate"], time: nil, seed: seed)
      #expect(run.status <= 1 && run.events("app.moved").count == 1, "\(run.text)")
      return run.status == 1
    }
    #expect(isFound)
  }

  @Test func `an app's timers end with the run, and what is queued still arrives`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"8s\", for: \"30s\", disconnect: {} }", duration: "10s", watch: ["0.1:tick:500", "9:infos:3"],
      time: nil)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.watch.filter { $0.hasPrefix("tick") }.count == 20)
    #expect(run.phone.filter { $0.hasPrefix("info") } == ["info 0", "info 1", "info 2"])
    let end = try #require(run.trace.last?.split(separator: ",").first?.split(separator: ":").last)
    #expect(try #require(Int64(end)) < 60_000_000_000)
  }

  @Test func `a suspended app stands still, timers and all`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"3s\", for: \"4s\", suspend: \"watch\" }", duration: "10s",
      watch: ["0.5:tick:1000"],
      time: nil)
    #expect(run.status == 0, "\(run.text)")
    let ticks = run.watch.compactMap { line in line.hasPrefix("tick ") ? Int64(line.dropFirst(5)) : nil }
    let seconds = ticks.map { Double($0 - 1_767_254_400_000) / 1_000 }
    #expect(seconds.contains(2.5) && !seconds.contains { $0 >= 3 && $0 < 7 } && seconds.contains(7), "\(seconds)")
  }

  @Test func `a skewed clock is the app's date, and no timer follows it`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"2s\", clockSkew: { node: \"watch\", offset: \"-1h\" } }", duration: "10s",
      watch: ["1:now", "4:now"], time: nil)
    #expect(run.status == 0, "\(run.text)")
    let dates = run.watch.filter { $0.hasPrefix("now ") }.map { $0.split(separator: " ")[1] }
    #expect(dates == ["1767254401000", "1767250804000"])
  }

  @Test func `the header names the programs, and replay runs them again`() throws {
    let run = try ProbeRun(duration: "5s", watch: ["0.5:infos:2"], time: nil)
    #expect(run.status == 0, "\(run.text)")
    let header = try #require(run.trace.first)
    #expect(header.contains("\"programs\":{\"watch\":{\"command\":") && !header.contains("freeRunning"))
    #expect(header.contains("\"virtualTime\":{\"version\":1,\"threads\":\"pct\",\"jitterMilliseconds\":0}"))
    // The folder of the run has gone, and with it the file in which the app takes its notes: it does not need it.
    let again = try run.replayed()
    #expect(again.status == 0 && again.text.contains("and the same bytes"), "\(again.text)")
    let phoneOnly = try run.replayed(["--phone-only"])
    #expect(
      phoneOnly.status == 2 && phoneOnly.text.contains("found a phone played by the program"), "\(phoneOnly.text)")
  }

  @Test func `replay refuses a program that is not the one of the trace`() throws {
    var run = try ProbeRun(duration: "2s", time: nil)
    let header = try #require(run.trace.first)
    let digest = try #require(header.range(of: "\"sha256\":\""))
    var other = String(header)
    other.replaceSubrange(digest.upperBound..<other.index(digest.upperBound, offsetBy: 4), with: "beef")
    run.trace[0] = other[...]
    let refused = try run.replayed()
    #expect(refused.status == 2 && refused.text.contains("expected beef"), "\(refused.text)")
    let named = try run.replayed(["--watch-cmd", "\(ProbeRun.folder)/SessionProbe /dev/null"])
    #expect(named.status == 0, "\(named.text)")
  }

  @Test func `an app against the built-in watch is repeatable, too`() throws {
    let first = try ProbeRun(duration: "20s", phone: ["1:infos:2"], time: nil, usesProbeAsWatch: false)
    #expect(first.status == 0, "\(first.text)")
    #expect(first.phone.filter { $0.hasPrefix("message") }.count > 5)
    let again = try ProbeRun(duration: "20s", phone: ["1:infos:2"], time: nil, usesProbeAsWatch: false)
    #expect(again.trace.dropFirst() == first.trace.dropFirst())
  }

  @Test func `the watch of a trace runs against the app again, another one, or the built-in phone`() throws {
    let run = try ProbeRun(phone: ["0.5:fact:ready"], time: nil, usesProbeAsWatch: false)
    #expect(run.status == 0, "\(run.text)")
    let again = try run.replayed(["--watch-only"])
    #expect(again.status == 0 && again.text.contains("facts     1 ready"), "\(again.text)")
    let other = try run.replayed([
      "--watch-only", "--phone-cmd", "\(ProbeRun.folder)/SessionProbe /dev/null 0.5:fact:other",
    ])
    #expect(other.status == 0 && other.text.contains("facts     1 other"), "\(other.text)")
    let ours = try run.replayed(["--watch-only", "--phone-cmd", "built-in"])
    #expect(ours.status == 0 && ours.text.contains("coach  "), "\(ours.text)")
    let watch = try run.replayed(["--watch-only", "--watch-cmd", "/bin/cat"])
    #expect(watch.status == 2 && watch.text.contains("expected --phone-cmd alone"), "\(watch.text)")
    let phone = try run.replayed(["--phone-only", "--phone-cmd", "built-in"])
    #expect(phone.status == 2 && phone.text.contains("found a phone played by the program"), "\(phone.text)")
  }

  // MARK: Findings

  @Test(arguments: [false, true])
  func `a getter that waits for the callbacks meets one that waits for main`(isOn: Bool) throws {
    let run = try ProbeRun(
      faults: isOn ? "{ at: \"1s\", for: \"10s\", gettersBlock: \"phone\" }" : "", watch: ["2.1:message:96"],
      phone: ["0:onAct:look"], time: nil, phoneKeys: "acts: [{ at: \"2s\", do: \"look\", with: { seconds: 0.5 } }],",
      keys: "checks: { noMainThreadStall: { longerThan: \"1s\" } },")
    #expect(run.status == (isOn ? 1 : 0), "\(run.text)")
    #expect(run.text.contains("app-noMainThreadStall") == isOn, "\(run.text)")
    #expect(run.events("app.tapped").count == (isOn ? 0 : 1))
    #expect(run.phone.contains("on main") == !isOn)
  }

  @Test(arguments: ["500ms", "3s"])
  func `a wrist that is down for a moment gives one callback where the quirk is on`(begin: String) throws {
    // The absence begins after the quirk, or before it.
    let run = try ProbeRun(
      faults: """
        { at: "1s", for: "3s", suspend: "watch" },
        { at: "\(begin)", for: "5s", reachabilityEdgeLost: "phone", brief: true }
        """, duration: "10s", phone: ["8:try:1"], time: nil, link: "supervision: \"4s\", backgroundDelay: \"0s\"")
    #expect(run.status == 0, "\(run.text)")
    #expect(run.phone.filter { $0.hasPrefix("reachable") }.count == 2, "\(run.phone)")
    #expect(run.events("reachability").filter { $0.contains("\"told\":false") }.count == 1)
    #expect(run.watch.contains("message 1"), "\(run.watch)")
  }

  @Test func `a deadlock fails the run, with threads and owners`() throws {
    let run = try ProbeRun(watch: ["0.5:deadlock"], time: nil)
    #expect(run.status == 1, "\(run.text)")
    let failed = try #require(run.events("node.failed").first)
    #expect(failed.contains("\"cause\":\"deadlock\"") && failed.contains("held by thread"), "\(failed)")
    #expect(failed.contains("\"t\":600000000,"))
    #expect(run.text.contains("the watch's app at 0:00.600: deadlock"), "\(run.text)")
  }

  @Test func `a thread that never waits fails the run, with its calls`() throws {
    let run = try ProbeRun(phone: ["0.5:spin"], time: nil)
    #expect(run.status == 1, "\(run.text)")
    let failed = try #require(run.events("node.failed").first)
    #expect(failed.contains("\"cause\":\"busy\"") && failed.contains("carryOut"), "\(failed)")
  }

  @Test func `what virtual time cannot control is a line of the trace`() throws {
    let run = try ProbeRun(duration: "5s", watch: ["0.5:network", "0.6:child"], time: nil)
    #expect(run.status == 0, "\(run.text)")
    let found = run.events("app.finding")
    #expect(found.first?.contains("\"t\":500000000,\"node\":\"watch\"") == true, "\(found)")
    #expect(found.first?.contains("\"kind\":\"network\"") == true, "\(found)")
    #expect(found.contains { $0.contains("\"kind\":\"child\"") && $0.contains("/bin/true") }, "\(found)")
  }

  // MARK: Bad input

  @Test func `an app that is linked statically is refused`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wcs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The probe's file without the header that names its dynamic linker.
    var bytes = try Data(contentsOf: URL(filePath: "\(ProbeRun.folder)/SessionProbe"))
    let table = bytes[32..<40].reversed().reduce(0) { $0 << 8 | Int($1) }
    let count = Int(bytes[56]) | Int(bytes[57]) << 8
    for index in 0..<count where bytes[table + index * 56] == 3 { bytes[table + index * 56] = 0 }
    let program = folder.appending(path: "static").path
    #expect(FileManager.default.createFile(atPath: program, contents: bytes, attributes: [.posixPermissions: 0o755]))
    let run = try ProbeRun(time: nil, options: ["--watch-cmd", program], usesProbeAsWatch: false)
    #expect(run.status == 2 && run.text.contains("found a program that is linked statically"), "\(run.text)")
  }

  @Test func `a program that cannot be started is refused`() throws {
    for (program, expected) in [
      ("/nothing/here", "found no file /nothing/here"), ("no-such-program-here", "in $PATH"),
      ("/etc/passwd", "which is not executable"), ("/etc", "found no file /etc"),
    ] {
      let run = try ProbeRun(time: nil, options: ["--watch-cmd", program], usesProbeAsWatch: false)
      #expect(run.status == 2 && run.text.contains(expected), "\(run.text)")
    }
  }

  @Test func `a file that is neither a program nor a script is refused`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wcn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A shell would run the first as a script, and what is empty as one that succeeds.
    for text in ["exec sleep 60", "", "\u{7F}EL"] {
      let path = folder.appending(path: "data").path
      #expect(
        FileManager.default.createFile(
          atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o755]))
      let run = try ProbeRun(time: nil, options: ["--watch-cmd", path], usesProbeAsWatch: false)
      #expect(run.status == 2 && run.text.contains("neither an ELF file nor a script"), "\(run.text)")
    }
  }

  @Test func `a process that leaves its app's group ends with the run`() throws {
    // Of a number of seconds that no other process has.
    let seconds = UInt32.random(in: 100_000...999_999_999)
    let run = try ProbeRun(
      time: nil,
      options: ["--watch-cmd", "sh -c 'setsid sleep \(seconds) & setsid setsid sleep \(seconds) & sleep 1; exit 3'"],
      usesProbeAsWatch: false)
    #expect(run.status == 1 && run.text.contains("exited with status 3"), "\(run.text)")
    let commands = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { UInt32($0) != nil }.compactMap
    {
      try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8)
    }
    #expect(!commands.contains { $0.contains("\(seconds)") })
  }

  @Test func `a script that starts an app is refused`() throws {
    let run = try ProbeRun(
      time: nil, options: ["--watch-cmd", "sh -c 'exec \(ProbeRun.folder)/SessionProbe /dev/null'"],
      usesProbeAsWatch: false)
    #expect(run.status == 2 && run.text.contains("expected the path of the program itself"), "\(run.text)")
  }

  @Test func `an app that exits at once fails the run`() throws {
    let run = try ProbeRun(watch: ["nothing"], time: nil, options: [], usesProbeAsWatch: true)
    #expect(run.status == 1 && run.text.contains("the watch's program ended by signal"), "\(run.text)")
    let left = try ProbeRun(watch: ["0.5:exitWith:7"], time: nil)
    #expect(left.status == 1 && left.text.contains("the watch's program exited with status 7 at 0:00"), "\(left.text)")
  }

  @Test func `a program that does not join, or as the other device, fails the run and says so`() throws {
    for (program, expected) in [
      ("/bin/cat", "the watch's program exited with status 0 at 0:00, before it joined the run"),
      ("/bin/cat", "a node joins by activating its session of WatchConnectivity"),
      ("\(ProbeRun.folder)/sim-runner phone", "a join as the phone, expected the watch"),
    ] {
      let run = try ProbeRun(time: nil, options: ["--watch-cmd", program], usesProbeAsWatch: false)
      #expect(run.status == 1 && run.text.replacing(/\s+/, with: " ").contains(expected), "\(run.text)")
    }
  }

  @Test func `bad words for threads and jitter are refused`() throws {
    for (words, expected) in [
      (["--threads", "lottery"], "expected fair, pct or fifo"), (["--jitter", "60001"], "expected 0 to 60000"),
      (["--threads-seed", "x"], "--threads-seed"),
    ] {
      let run = try ProbeRun(time: nil, options: words)
      #expect(run.status == 2 && run.text.contains(expected), "\(run.text)")
    }
  }
}
