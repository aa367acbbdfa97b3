import Foundation
import LinkTestSupport
import Testing

/// Programs whose runner was ended by SIGKILL, which leaves it no time for anything.
@Suite(.serialized) struct `Killed runners` {
  /// Whether a process is there and no zombie.
  private static func lives(_ process: Int32) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = stat.lastIndex(of: ")")
    else { return false }
    return !stat[end...].hasPrefix(") Z")
  }

  private static func wait(seconds: Double, until isTrue: () -> Bool) -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    while !isTrue() {
      guard Date() < limit else { return false }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return true
  }

  /// The numbers behind a word in a diary.
  private static func processes(_ word: String, in path: String) -> [Int32] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix(word) }.compactMap {
      Int32($0.split(separator: " ").last ?? "")
    }
  }

  @Test(arguments: [nil, "1x"])
  func `apps end with a killed runner, and so do children that left their process group`(time: String?) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "wck-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let scenario = "{ scenario: \"killed\", duration: \"100s\", link: { profile: \"ideal\" } }"
    try Data(scenario.utf8).write(to: URL(fileURLWithPath: "\(root)/s.json5"))
    // Another process of this test, which nothing may touch.
    let stranger = Process()
    stranger.executableURL = URL(fileURLWithPath: "/bin/sleep")
    stranger.arguments = ["300"]
    // It must not keep the output of the tests open.
    stranger.standardOutput = FileHandle.nullDevice
    stranger.standardError = FileHandle.nullDevice
    try stranger.run(killedAfter: 300)
    defer { kill(stranger.processIdentifier, SIGKILL) }
    let runner = Process()
    runner.executableURL = URL(fileURLWithPath: "\(ProbeRun.folder)/sim-runner")
    // In virtual time the run would be over too soon: the app is busy for its limit of processor time.
    let last = time == nil ? " 0.3:spin" : ""
    runner.arguments = [
      "run", "\(root)/s.json5", "--phone-cmd", "\(ProbeRun.folder)/SessionProbe \(root)/phone.log",
      "--watch-cmd", "\(ProbeRun.folder)/SessionProbe \(root)/watch.log 0.1:orphan:300 0.2:orphan:300\(last)",
    ]
    if let time { runner.arguments? += ["--time", time] }
    runner.standardOutput = FileHandle.nullDevice
    runner.standardError = FileHandle.nullDevice
    try runner.run(killedAfter: 120)
    func left() -> [Int32] { Self.processes("orphan", in: "\(root)/watch.log.orphans") }
    #expect(Self.wait(seconds: 60) { left().count == 2 })
    let all = Set(left() + Self.processes("app", in: "\(root)/watch.log"))
    #expect(all.count == 3 && all.allSatisfy { Self.lives($0) }, "\(all)")
    kill(runner.processIdentifier, SIGKILL)
    runner.waitUntilExit()
    #expect(Self.wait(seconds: 60) { !all.contains { Self.lives($0) } }, "\(all.filter { Self.lives($0) })")
    #expect(Self.lives(stranger.processIdentifier))
    for process in all where Self.lives(process) { kill(process, SIGKILL) }
  }
}
