import Foundation
import LinkTestSupport
import Testing

/// Two apps as processes of their own, a conductor, and what can happen to them.
@Suite(.serialized) struct `Processes` {
  @Test(arguments: [nil, "5x"])
  func `two apps talk over every channel, and every invariant holds`(time: String?) throws {
    let run = try ProbeRun(
      watch: ["0.5:message:7", "0.6:request:8", "0.7:context:9", "0.8:infos:5", "0.9:file:100000"],
      phone: ["0.5:infos:3", "0.6:request:4"], time: time)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.trace.first?.contains("\"freeRunning\":[\"watch\",\"phone\"]") == (time != nil))
    #expect(run.phone.contains("message 7") && run.phone.contains("request 8") && run.phone.contains("context 9"))
    #expect(run.phone.filter { $0.hasPrefix("info") } == (0..<5).map { "info \($0)" })
    #expect(run.phone.contains("file 100000 100000") && run.watch.contains("sentFile 1.0"))
    #expect(run.watch.contains("reply 8") && run.phone.contains("reply 4"))
    #expect(run.watch.filter { $0.hasPrefix("info") } == (0..<3).map { "info \($0)" })
    #expect(run.watch.filter { $0.hasPrefix("finished") }.count == 5)
  }

  @Test func `a run of such apps cannot be replayed, and says so`() throws {
    let run = try ProbeRun(duration: "2s", time: "5x")
    #expect(run.status == 0, "\(run.text)")
    let replay = try run.replayed()
    #expect(replay.status == 2)
    #expect(replay.text.contains("found a watch with timers of its own"))
  }

  @Test func `what is queued survives SIGKILL of either app`() throws {
    let run = try ProbeRun(
      faults: """
        { for: "30s", disconnect: {} },
        { at: "20s", kill: "watch", restartAfter: "2s" },
        { at: "22s", kill: "phone", restartAfter: "3s" },
        """, duration: "50s",
      watch: ["0.1:infos:20", "0.1:context:5", "0.1:file:20000"], time: "5x")
    #expect(run.status == 0, "\(run.text)")
    #expect(run.events("node.killed").count == 2)
    // The second start does all of it again.
    let infos = run.phone.filter { $0.hasPrefix("info") }
    #expect(infos == (Array(0..<20) + Array(0..<20)).map { "info \($0)" }, "\(infos.count)")
    #expect(run.phone.filter { $0 == "file 20000 20000" }.count == 2)
    #expect(run.phone.contains("context 5"))
    #expect(run.events("transfer.queued").count == 42)
    #expect(run.watch.filter { $0.hasPrefix("finished") }.count == 40)
  }

  @Test(arguments: [("inbox.committed", "5x"), ("handler.committed", nil)] as [(String, String?)])
  func `an app that is killed at a crash point is handed the rest at its next start`(point: String, time: String?)
    throws
  {
    let run = try ProbeRun(
      faults: "{ kill: \"phone\", point: \"\(point)\", restartAfter: \"2s\" }", duration: "30s",
      watch: ["0.6:infos:20"], time: time)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.events("node.killed").first?.contains(point) == true)
    #expect(run.events("transfer.delivered").count == 20)
    #expect(run.phone.filter { $0.hasPrefix("info") } == (0..<20).map { "info \($0)" })
  }

  @Test func `a phone that was rebooted is out of reach until it is unlocked, and the watch can ask why`() throws {
    let run = try ProbeRun(faults: "{ at: \"10s\", reboot: \"phone\", unlockAfter: \"14s\" }", duration: "40s")
    #expect(run.status == 0, "\(run.text)")
    let told = run.watch.filter { $0.hasPrefix("reachable") }
    #expect(told == ["reachable true", "reachable false locked", "reachable true"])
  }

  @Test func `inspect shows what the sessions of apps keep`() throws {
    let run = try ProbeRun(
      faults: "{ disconnect: {} }, { at: \"10s\", kill: \"phone\" }", duration: "20s",
      watch: ["0.1:infos:3", "0.1:context:5"], phone: ["0.1:context:6"], inspects: true)
    #expect(run.inspected.contains("watch, started 1 time") && run.inspected.contains("phone, started 1 time"))
    #expect(run.inspected.contains("outbox.userInfo (3)"), "\(run.inspected)")
    #expect(run.inspected.contains("module WatchConnectivity"), "\(run.inspected)")
  }

  @Test func `a file that is deleted before its transfer has ended is an error, and a warning names it`() throws {
    let run = try ProbeRun(faults: "{ at: \"2s\", for: \"5s\", disconnect: {} }", watch: ["5:lostFile:1000"])
    #expect(run.status == 0, "\(run.text)")
    #expect(run.watch.contains("fileError 7013") && run.phone.filter { $0.hasPrefix("file") }.isEmpty)
    #expect(run.text.contains("[WC] transferFile: ") && run.text.contains("/lost-"), "\(run.text)")
    // An app that deletes its file in didFinish gets no warning.
    let proper = try ProbeRun(duration: "10s", watch: ["0.3:file:1000"])
    #expect(proper.watch.contains("sentFile 1.0") && !proper.text.contains("[WC]"), "\(proper.text)")
  }

  @Test func `each device has a home of its own, which outlives a restart of its app but not the run`() throws {
    for _ in 1...2 {
      let run = try ProbeRun(
        faults: "{ at: \"5s\", kill: \"phone\", restartAfter: \"1s\" }", duration: "12s", watch: ["0.5:home:watch"],
        phone: ["0.1:home:phone"], inspects: true)
      #expect(run.status == 0, "\(run.text)")
      #expect(run.watch.filter { $0.hasPrefix("home") } == ["home - - - -"])
      #expect(run.phone.filter { $0.hasPrefix("home") } == ["home - - - -", "home phone phone phone phone"])
      #expect(run.kept.contains("watch/home/Documents/probe.txt") && run.kept.contains("phone/home/tmp/probe.txt"))
    }
  }

  @Test func `variables that name no run are reported, and sessions are not supported`() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(ProbeRun.folder)/SessionProbe")
    process.arguments = ["--idioms"]
    process.environment = ["WRISTWIRE_SOCKET": "/nowhere", "WRISTWIRE_TOKEN": "t", "WRISTWIRE_ROLE": "fone"]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run(killedAfter: 300)
    let told = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && text.contains("handed 7002"))
    #expect(told.contains("$WRISTWIRE_ROLE: found fone, expected one of watch, phone"), "\(told)")
  }

  @Test func `an app with steady traffic does not hold up the end`() throws {
    let run = try ProbeRun(duration: "10s", watch: ["0.3:steady:40"], phone: ["0.3:steady:40"], time: "5x")
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("the run has reached its end"), "\(run.text)")
    #expect(run.phone.filter { $0 == "info -1" }.count > 5)
  }

  @Test func `what goes in the background has a delay of its own`() throws {
    let run = try ProbeRun(watch: ["0.2:context:1", "0.2:infos:2"], link: "")
    #expect(run.status == 0, "\(run.text)")
    let queued = try #require(run.events("transfer.queued").first?.firstMatch(of: /"t":(\d+)/))
    let arrived = try #require(run.events("transfer.delivered").first?.firstMatch(of: /"t":(\d+)/))
    let wait = try (#require(Double(arrived.1)) - #require(Double(queued.1))) / 1e9
    #expect((0.2...5.5) ~= wait, "\(wait) s")
    #expect(run.phone.contains("context 1") && run.phone.contains("info 1"))
  }

  @Test func `a scenario's event can unpair the watch`() throws {
    let run = try ProbeRun(
      duration: "60s", watch: ["0.5:infos:1", "20:infos:2"],
      phoneEvents: "{ at: \"10s\", do: \"unpairWatch\" }, { at: \"30s\", do: \"pairWatch\" }")
    #expect(run.status == 0, "\(run.text)")
    #expect(run.events("link.down").first?.contains("\"cause\":\"unpaired\"") == true)
    #expect(run.phone.filter { $0.hasPrefix("watch") } == ["watch paired false", "watch paired true"])
    #expect(run.phone.filter { $0.hasPrefix("info") } == ["info 0", "info 0", "info 1"])
    #expect(run.watch.filter { $0.hasPrefix("finished") }.count == 3)
  }

  @Test func `a message launches a phone's app that was killed`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"5s\", kill: \"phone\", restartAfter: \"1000s\" }", duration: "60s",
      watch: ["20:request:1", "20.5:message:2"])
    #expect(run.status == 0, "\(run.text)")
    let restarted = try #require(run.events("node.restarted").first)
    #expect(restarted.contains("\"cause\":\"message\"") && restarted.contains("\"target\":\"phone\""))
    #expect(run.events("node.restarted").count == 1)
    #expect(run.watch.contains("reply 1") && run.phone.contains("request 1") && run.phone.contains("message 2"))
    #expect(run.watch.filter { $0.hasPrefix("reachable") } == ["reachable true"])
    #expect(run.watch.filter { $0.hasPrefix("error") }.isEmpty)
  }

  @Test func `a message of the phone does not launch the watch's app`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"5s\", kill: \"watch\" }", duration: "40s", phone: ["0.5:context:1", "15:try:1"])
    #expect(run.events("node.restarted").isEmpty)
    #expect(run.phone.contains("error 7007") && run.phone.contains("reachable false"))
  }

  @Test func `a scenario can keep a killed app from being launched`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"5s\", kill: \"phone\", restartAfter: \"30s\" }", duration: "60s", watch: ["15:try:1"],
      phoneKeys: "launchedByMessages: false,")
    #expect(run.status == 0, "\(run.text)")
    #expect(run.events("node.restarted").isEmpty && run.watch.contains("error 7007"))
    #expect(run.watch.contains("reachable false"))
  }

  @Test func `a variable makes sessions supported in an app's own tests`() throws {
    let log = FileManager.default.temporaryDirectory.appending(path: "wcs-\(UUID().uuidString).log").path
    defer { try? FileManager.default.removeItem(atPath: log) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(ProbeRun.folder)/SessionProbe")
    process.arguments = [log, "0:context:1", "0.1:exit"]
    process.environment = ["WRISTWIRE_SUPPORTED": "1"]
    try process.run()
    process.waitUntilExit()
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines == ["activated 2", "error 7005"])
  }

  @Test func `a message wakes a sleeping phone`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"2s\", for: \"36s\", suspend: \"phone\" }", duration: "40s",
      watch: ["4:infos:1", "7.5:request:1"])
    #expect(run.status == 0, "\(run.text)")
    #expect(run.events("node.resumed").first?.contains("\"cause\":\"message\"") == true)
    #expect(run.watch.contains("reply 1") && run.phone.contains("info 0"))
  }

  @Test func `a switch of watches can be a scenario's event`() throws {
    let run = try ProbeRun(watch: [], phone: [], phoneEvents: "{ at: \"10s\", do: \"switchWatch\" }")
    #expect(run.status == 0, "\(run.text)")
    #expect(
      run.phone.filter { !$0.hasPrefix("reachable") } == ["activated 2", "inactive", "deactivated", "activated 2"])
  }

  @Test func `an app that does not activate its session after a switch of watches is a finding`() throws {
    let event = "{ at: \"5s\", do: \"switchWatch\" }"
    let run = try ProbeRun(duration: "20s", phone: ["forgetful"], phoneEvents: event)
    #expect(run.status == 1 && run.text.contains("session-reactivated is broken"), "\(run.text)")
    #expect(
      run.text.contains("[WC] sessionDidDeactivate(_:) was not followed by activate() within 10 s"), "\(run.text)")
    // A run that ends sooner cannot tell.
    let short = try ProbeRun(duration: "10s", phone: ["forgetful"], phoneEvents: event)
    #expect(short.status == 0 && !short.text.contains("[WC]"), "\(short.text)")
  }

  @Test func `a duplicated and lossy link changes nothing of what is queued`() throws {
    let run = try ProbeRun(
      faults: "{ duplicate: { probability: 0.5 } }, { loss: { probability: 0.2 } }", duration: "30s",
      watch: ["0.3:infos:60"])
    #expect(run.status == 0, "\(run.text)")
    #expect(run.phone.filter { $0.hasPrefix("info") } == (0..<60).map { "info \($0)" })
  }

  @Test func `a callback that waits for its own answer blocks the session until it gives up`() throws {
    let run = try ProbeRun(duration: "15s", watch: ["0.5:message:99", "0.6:message:1"])
    #expect(run.status == 0, "\(run.text)")
    #expect(run.phone.contains("blocked") && !run.phone.contains("answered"))
    let order = run.phone.filter { $0.hasPrefix("message") || $0 == "blocked" }
    #expect(order == ["message 99", "blocked", "message 1"])
    #expect(run.watch.contains("request 98"))
  }

  @Test func `an app against the simulated watch hears its snapshots`() throws {
    let run = try ProbeRun(duration: "20s", time: "5x", usesProbeAsWatch: false)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.trace.first?.contains("\"freeRunning\":[\"phone\"]") == true)
    #expect(run.phone.filter { $0.hasPrefix("message") }.count > 5)
  }

  @Test func `an app that dies by itself fails the run`() throws {
    let run = try ProbeRun(watch: ["0.5:crash"])
    #expect(
      run.status == 1 && run.text.contains("the watch's program ended by signal 9 (SIGKILL) at 0:0"), "\(run.text)")
    #expect(run.events("node.failed").first?.contains("its program ended by signal 9 (SIGKILL)") == true)
    #expect(run.trace.last?.contains("\"verdict\":\"fail\"") == true)
  }

  @Test func `the crash of an app is reported with its last lines and backtrace, without control characters`() throws {
    let run = try ProbeRun(duration: "100s", phone: ["0.5:fatal"])
    #expect(run.status == 1, "\(run.text)")
    let told = run.text.split(separator: "the phone's program ended by signal ").last ?? ""
    #expect(
      told.contains("the last that it printed:") && told.contains("Fatal error: the app's own words"), "\(run.text)")
    // Swift's runtime writes a backtrace unless that is switched off.
    if ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil {
      #expect(told.contains("its backtrace:") && told.contains("carryOut"), "\(run.text)")
    }
    #expect(!run.text.contains("\u{1B}"))
    #expect(run.text.contains("phone: SessionProbe/main.swift"), "\(run.text)")
  }

  @Test func `what apps write compiles and works`() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(ProbeRun.folder)/SessionProbe")
    process.arguments = ["--idioms"]
    process.environment = ["WRISTWIRE_WCLOG": "0"]
    let output = Pipe()
    process.standardOutput = output
    try process.run(killedAfter: 300)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(
      text.split(separator: "\n") == [
        "matched sessionNotSupported", "code 7002", "caught 7002", "only clause 7002", "cast 7002", "handed 7002",
        "keyed 1", "protocol false",
        "else true", "observed notActivated",
      ])
  }
}
