import WatchConnectivity
import WristwireSupport

// An app that does what its arguments say and writes down what happens to it:
//
//   SessionProbe LOG [SECONDS:VERB[:ARGUMENT]]...
//
// It is written as an app for the devices is: nothing here knows of a simulator.

/// A file that lines are appended to, each at once.
final class Diary: @unchecked Sendable {
  private let handle: FileHandle
  private let lock = NSLock()

  init(_ path: String) {
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    // Without a place for its diary the app still works.
    handle = FileHandle(forWritingAtPath: path) ?? .nullDevice
    _ = try? handle.seekToEnd()
  }

  func note(_ line: String) {
    lock.lock()
    handle.write(Data("\(line)\n".utf8))
    lock.unlock()
  }
}

final class App: NSObject, WCSessionDelegate {
  let diary: Diary
  let start: TimeInterval
  private let begin = DispatchTime.now()
  private var isFirstActivation = true
  private let queue = DispatchQueue(label: "actions")
  private var timers: [DispatchSourceTimer] = []
  private var spins = 0
  private var counted = 0
  private var received = 0
  /// The context that is on the screen.
  private var shown = 0
  /// Whether the message 50 has come, after which no user info should.
  private var isOver = false
  private let actions: [(at: TimeInterval, verb: String, argument: String)]

  init(_ diary: Diary, _ words: [String]) {
    self.diary = diary
    start = ProcessInfo.processInfo.systemUptime
    actions = words.map { word in
      let parts = word.split(separator: ":", maxSplits: 2).map(String.init)
      return (TimeInterval(parts[0]) ?? 0, parts[1], parts.count > 2 ? parts[2] : "0")
    }
  }

  func run() {
    for action in actions where action.verb == "onAct" {
      Simulation.onAct(action.argument) { [diary, self] act in
        dispatchPrecondition(condition: .onQueue(.main))
        diary.note("act \(act.name)")
        if let seconds = act.number("seconds") { Thread.sleep(forTimeInterval: seconds) }
        // As a view does that shows it.
        _ = WCSession.default.isReachable
        Simulation.record("tapped", ["act": act.name, "plan": act.integer("plan")])
        if act.name == "show" { Simulation.record("shown", ["n": self.shown]) }
      }
    }
    if actions.contains(where: { $0.verb == "decoder" }) {
      struct Undecodable: Error {}
      Simulation.nameData { data in
        let text = String(decoding: data, as: UTF8.self)
        if text == "bad" { throw Undecodable() }
        return "named \(text)"
      }
    }
    guard WCSession.isSupported() else { return diary.note("not supported") }
    let session = WCSession.default
    session.delegate = self
    if actions.contains(where: { $0.verb == "factFirst" }) {
      Simulation.record("first", ["n": 1, "map": ["a": ["b": [1]]]])
    }
    session.activate()
    guard actions.contains(where: { $0.verb == "early" }) else { return }
    // A beginner's mistake: the activation is not complete yet.
    Simulation.record("early", ["state": session.activationState.rawValue])
    session.transferUserInfo(["n": 1])
  }

  private func act() {
    // At the given seconds of the start, however long the activation takes; of a later activation, of that.
    let base = isFirstActivation ? begin : .now()
    isFirstActivation = false
    for action in actions {
      queue.asyncAfter(deadline: base + action.at) { [self] in carryOut(action.verb, action.argument) }
    }
  }

  private func carryOut(_ verb: String, _ argument: String) {
    let session = WCSession.default
    let number = Int(argument) ?? 0
    // However long the handshake takes: what is sent by message waits for it, and what comes later in its turn.
    if verb == "message" || verb == "request" || verb == "data" {
      while !session.isReachable { Thread.sleep(forTimeInterval: 0.02) }
    }
    switch verb {
    case "message", "try":
      session.sendMessage(["n": number], replyHandler: nil) { self.diary.note("error \(code($0))") }
    case "request":
      session.sendMessage(["n": number]) {
        self.diary.note("reply \($0["n"] ?? "?")")
      } errorHandler: {
        self.diary.note("error \(code($0))")
      }
    case "infos": for count in 0..<number { session.transferUserInfo(["n": count]) }
    case "context":
      do { try session.updateApplicationContext(["n": number]) } catch { diary.note("error \(code(error))") }
    case "file":
      let url = URL(fileURLWithPath: NSTemporaryDirectory() + "probe-\(UUID().uuidString)")
      try? Data(count: number).write(to: url)
      session.transferFile(url, metadata: ["bytes": number])
    case "lostFile":
      let url = URL(fileURLWithPath: NSTemporaryDirectory() + "lost-\(UUID().uuidString)")
      try? Data(count: number).write(to: url)
      session.transferFile(url, metadata: ["bytes": number])
      try? FileManager.default.removeItem(at: url)
    case "steady":
      // A message and a user info every so many milliseconds, for as long as the app lives.
      while true {
        session.sendMessage(["n": -1], replyHandler: nil) { _ in }
        session.transferUserInfo(["n": -1])
        Thread.sleep(forTimeInterval: Double(number) / 1_000)
      }
    case "hertz":
      // A message every so many milliseconds, where somebody hears it.
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now(), repeating: .milliseconds(number))
      timer.setEventHandler {
        if session.isReachable { session.sendMessage(["distance": 1.0, "seconds": 2.0], replyHandler: nil) { _ in } }
      }
      timer.activate()
      timers.append(timer)
    case "onAct", "decoder", "records", "factFirst", "early", "readsContext", "movesLate": break
    case "data": session.sendMessageData(Data(argument.utf8), replyHandler: nil) { _ in }
    case "fact":
      Simulation.record(
        argument, ["line": "km\u{1B}3", "half": 0.5, "isLive": true, "none": nil as Int?, "list": [1, 2]])
    case "print": print("wristwire: \(argument)")
    case "facts": for index in 0..<number { Simulation.record("many", ["n": index]) }
    case "owed":
      diary.note("owed \(session.outstandingUserInfoTransfers.count) \(session.outstandingFileTransfers.count)")
    case "home": diary.note("home \(useHome(argument))")
    case "now":
      diary.note("now \(Int64(Date().timeIntervalSince1970 * 1_000)) \(UUID()) \(Int.random(in: 0..<1_000_000))")
    case "tick":
      // A line every so many milliseconds, for as long as the app lives.
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now(), repeating: .milliseconds(number))
      timer.setEventHandler { [self] in diary.note("tick \(Int64(Date().timeIntervalSince1970 * 1_000))") }
      timer.activate()
      timers.append(timer)
    case "deadlock":
      let (first, second) = (NSLock(), NSLock())
      for (one, other) in [(first, second), (second, first)] {
        Thread.detachNewThread {
          one.lock()
          Thread.sleep(forTimeInterval: 0.1)
          other.lock()
        }
      }
    case "race":
      // An app's mistake: between reading and writing the counter another thread may count.
      let lock = NSLock()
      let group = DispatchGroup()
      for name in ["one", "two"] {
        DispatchQueue(label: name).async(group: group) { [self] in
          lock.lock()
          let before = counted
          lock.unlock()
          lock.lock()
          counted = before + 1
          lock.unlock()
        }
      }
      group.notify(queue: queue) { [self] in
        if counted != 2 { exit(9) }
        counted = 0
      }
    case "spin": while number >= 0 { spins &+= 1 }
    case "child":
      let child = Process()
      child.executableURL = URL(fileURLWithPath: "/bin/true")
      try? child.run()
      child.waitUntilExit()
    case "orphan":
      let child = Process()
      // A shell's job leads no group, so that setsid does not fork, and $! is the process that stays.
      child.executableURL = URL(fileURLWithPath: "/bin/sh")
      child.arguments = ["-c", "setsid sleep \(argument) & echo orphan $! >> \(CommandLine.arguments[1]).orphans"]
      try? child.run()
      diary.note("app \(getpid())")
    case "waitChild":
      let child = Process()
      child.executableURL = URL(fileURLWithPath: "/bin/sleep")
      child.arguments = [argument]
      try? child.run()
      var status: Int32 = -1
      waitpid(child.processIdentifier, &status, 0)
      diary.note("child \(status)")
    case "shell": system("sleep \(argument)")
    case "exec": execv(words[0], [strdup(words[0]), strdup(words[1]), nil])
    case "poll": while number >= 0 { usleep(0) }
    case "hashes": recordHashes()
    case "paths": recordPaths()
    case "network": close(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    case "fatal": fatalError("the app's own words\u{1B}[2K")
    case "exitWith": exit(Int32(number))
    case "crash": kill(getpid(), SIGKILL)
    case "own": Simulation.record("own", ["value": ProcessInfo.processInfo.environment["OWN"] ?? "none"])
    case "stop": kill(getpid(), SIGSTOP)
    case "exit": exit(0)
    default: diary.note("unknown \(verb)")
    }
  }

  /// Records what depends on hash tables, addresses and the environment.
  private func recordHashes() {
    let names = ["distance", "elapsed", "heartRate", "pace", "state", "lap", "cadence", "power", "kind"]
    let values = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let text = (try? JSONEncoder().encode(values)).map { String(decoding: $0, as: UTF8.self) } ?? "none"
    final class Item {
      let name: String
      init(_ name: String) { self.name = name }
    }
    let items = names.map { Item($0) }
    let byIdentity = Set(items.map { ObjectIdentifier($0) })
    let order = byIdentity.compactMap { id in items.first { ObjectIdentifier($0) == id }?.name }
    var local = 0
    let place = withUnsafePointer(to: &local) { Int(bitPattern: $0) }
    Simulation.record(
      "hashes",
      [
        "json": text, "set": Set(names).joined(separator: " "), "identity": order.joined(separator: " "),
        "stack": place, "zone": TimeZone.current.identifier, "day": Calendar.current.component(.hour, from: Date()),
        "padding": ProcessInfo.processInfo.environment["PADDING"] ?? "none",
        "own": ProcessInfo.processInfo.environment["OWN"] ?? "none",
      ])
  }

  /// Records where the app thinks it is.
  private func recordPaths() {
    let home = NSHomeDirectory()
    let variables = ProcessInfo.processInfo.environment
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", "test -d \"$TMPDIR\""]
    try? child.run()
    child.waitUntilExit()
    Simulation.record(
      "paths",
      [
        "home": home, "resolved": URL(fileURLWithPath: home).resolvingSymlinksInPath().path,
        "folder": FileManager.default.currentDirectoryPath, "program": Bundle.main.bundlePath,
        "arguments": CommandLine.arguments[0],
        "own": ["LD_PRELOAD", "WRISTWIRE_FILL", "WRISTWIRE_VT_RUN"].compactMap { variables[$0] }.first ?? "none",
        "child": child.terminationStatus == 0 ? "a folder" : "none",
      ])
  }

  /// Notes what an earlier start has left in each place that an app keeps things in, and leaves something there.
  private func useHome(_ name: String) -> String {
    let files = FileManager.default
    let places: [(String, URL?)] = [
      ("documents", files.urls(for: .documentDirectory, in: .userDomainMask).first),
      ("caches", files.urls(for: .cachesDirectory, in: .userDomainMask).first),
      ("temporary", files.temporaryDirectory),
    ]
    var found = places.map { place, url in
      guard let file = url?.appendingPathComponent("probe.txt") else { return "no \(place)" }
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? "-"
      do { try Data(name.utf8).write(to: file) } catch { return "\(place) not written: \(error)" }
      return text
    }
    found.append(UserDefaults.standard.string(forKey: "probe") ?? "-")
    UserDefaults.standard.set(name, forKey: "probe")
    _ = UserDefaults.standard.synchronize()
    return found.joined(separator: " ")
  }

  // MARK: Delegate

  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
  ) {
    diary.note("activated \(activationState.rawValue)")
    if actions.contains(where: { $0.verb == "readsContext" }) {
      shown = session.receivedApplicationContext["n"] as? Int ?? shown
    }
    act()
  }
  func sessionDidBecomeInactive(_ session: WCSession) { diary.note("inactive") }
  func sessionDidDeactivate(_ session: WCSession) {
    diary.note("deactivated")
    #if os(iOS)
      let isForgotten = false
    #else
      let isForgotten = words.contains("forgetful")
    #endif
    if !isForgotten { session.activate() }
  }
  func sessionWatchStateDidChange(_ session: WCSession) { diary.note("watch paired \(session.isPaired)") }
  func sessionReachabilityDidChange(_ session: WCSession) {
    let isLocked = session.iOSDeviceNeedsUnlockAfterRebootForReachability
    diary.note("reachable \(session.isReachable)\(isLocked ? " locked" : "")")
  }
  func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
    diary.note("message \(message["n"] ?? "?")")
    if message["n"] as? Int == 50 { isOver = true }
    if message["n"] as? Int == 97 { Thread.sleep(forTimeInterval: 1) }
    if message["n"] as? Int == 96 { DispatchQueue.main.sync { diary.note("on main") } }
    if message["n"] as? Int == 100 { while true { Thread.sleep(forTimeInterval: 3_600) } }
    guard message["n"] as? Int == 99 else { return }
    // An app's mistake: the answer would come on the very queue that waits for it.
    let answered = DispatchSemaphore(value: 0)
    session.sendMessage(["n": 98]) { _ in
      answered.signal()
    } errorHandler: { _ in
      answered.signal()
    }
    diary.note(answered.wait(timeout: .now() + 0.3) == .timedOut ? "blocked" : "answered")
  }
  func session(
    _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
  ) {
    diary.note("request \(message["n"] ?? "?")")
    replyHandler(message)
  }
  func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
    diary.note("context \(applicationContext["n"] ?? "?")")
    shown = applicationContext["n"] as? Int ?? shown
  }
  func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
    diary.note("info \(userInfo["n"] ?? "?")")
    guard actions.contains(where: { $0.verb == "records" }) else { return }
    // The one counts what was handed over, the other what this process has seen.
    Simulation.record("counted", ["n": userInfo["n"]])
    Simulation.record("applied", ["n": userInfo["n"], "isOver": isOver])
    received += 1
    Simulation.record("total", ["n": received])
  }
  func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: Error?) {
    diary.note(error.map { "infoError \(code($0))" } ?? "finished \(userInfoTransfer.userInfo["n"] ?? "?")")
  }
  func session(_ session: WCSession, didReceive file: WCSessionFile) {
    let size = (try? Data(contentsOf: file.fileURL))?.count ?? -1
    diary.note("file \(size) \(file.metadata?["bytes"] ?? "?")")
    guard actions.contains(where: { $0.verb == "movesLate" }) else { return }
    // An app's mistake: when the main thread comes to it, this method may have returned.
    let path = file.fileURL.path
    DispatchQueue.main.async { Simulation.record("moved", ["exists": FileManager.default.fileExists(atPath: path)]) }
  }
  func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: Error?) {
    diary.note(error.map { "fileError \(code($0))" } ?? "sentFile \(fileTransfer.progress.fractionCompleted)")
    try? FileManager.default.removeItem(at: fileTransfer.file.fileURL)
  }
}

func code(_ error: Error) -> Int { (error as? WCError)?.code.rawValue ?? -1 }

let words = CommandLine.arguments
if words.dropFirst().first == "--idioms" {
  for line in idioms() { print(line) }
  exit(0)
}
if words.dropFirst().first == "--hands" {
  let hands = Hands(device: words.count > 2 ? words[2] : "phone")
  hands.run()
  dispatchMain()
}
guard words.count > 1 else {
  print("usage: SessionProbe LOG [SECONDS:VERB[:ARGUMENT]]...")
  exit(2)
}
// An app that never touches its session.
if words.contains("idle") { dispatchMain() }
let app = App(Diary(words[1]), words.dropFirst(2).filter { $0 != "forgetful" })
app.run()
dispatchMain()
