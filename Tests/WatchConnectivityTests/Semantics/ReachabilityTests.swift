import Foundation
import Link
import Testing

@testable import WatchConnectivity

/// What an app learns of its counterpart, and the quirks of the framework that reach it.
@Suite struct `Reachability` {
  @Test func `both sides get a callback when the link comes and goes`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    #expect(pair.session(.watch).isReachable && pair.session(.phone).isReachable)
    pair.setLink(up: false)
    pair.run(for: .seconds(1))
    #expect(!pair.session(.watch).isReachable)
    pair.setLink(up: true)
    pair.run(for: .seconds(1))
    #expect(watch.log.all("reachable") == ["reachable true", "reachable false", "reachable true"])
    #expect(phone.log.all("reachable") == ["reachable true", "reachable false", "reachable true"])
  }

  @Test func `a message wakes a sleeping phone, which answers`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.suspend(.phone)
    pair.run(for: .seconds(1))
    pair.session(.watch).transferUserInfo(["n": 1])
    try pair.session(.watch).updateApplicationContext(["c": 1])
    pair.run(for: .seconds(5))
    #expect(phone.log.all("info").isEmpty && phone.log.all("context").isEmpty)
    #expect(pair.session(.watch).isReachable)
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1]) { log.note($0.spelled) }
    pair.run(for: .seconds(1))
    #expect(log.all == ["a:1"])
    #expect(phone.log.all("info") == ["info n:1"] && phone.log.all("context") == ["context c:1"])
  }

  @Test func `a sleeping watch is not woken, and hears what is queued when it goes on`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.suspend(.watch)
    pair.tell(.phone, .peer(isRunning: false))
    pair.run(for: .seconds(1))
    #expect(!pair.session(.phone).isReachable)
    for number in 0..<3 { pair.session(.phone).transferUserInfo(["n": number]) }
    pair.suspend(.watch, false)
    pair.tell(.phone, .peer(isRunning: true))
    pair.run(for: .seconds(30))
    #expect(watch.log.all("info") == ["info n:0", "info n:1", "info n:2"])
    #expect(pair.session(.phone).isReachable)
  }

  @Test func `callbacks do not overlap, and none is on the main queue`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let depth = AtomicCount()
    phone.onCall = { _ in
      #expect(depth.change(1) == 1)
      Thread.sleep(forTimeInterval: 0.001)
      #expect(depth.change(-1) == 0)
    }
    let pair = try SessionPair.together(watch, phone)
    for number in 0..<20 {
      pair.session(.watch).transferUserInfo(["n": number])
      pair.session(.watch).sendMessage(["n": number], replyHandler: { _ in })
      try pair.session(.watch).updateApplicationContext(["n": number])
    }
    pair.run(for: .seconds(10))
    #expect(phone.log.all("info").count == 20 && phone.log.all("request").count == 20)
  }

  @Test func `content is pending while it has not been handed over`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let session = pair.session(.phone)
    let seen = AppLog()
    phone.onCall = { if $0.hasPrefix("info") { seen.note("\(session.hasContentPending)") } }
    pair.session(.watch).transferUserInfo(["n": 1])
    pair.run(for: .seconds(1))
    #expect(seen.all == ["true"] && !session.hasContentPending)
  }

  @Test func `a property can be observed`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let seen = AppLog()
    let observation = pair.session(.watch).observe(\.isReachable, options: [.initial, .new]) { session, change in
      seen.note("\(change.newValue ?? false)")
    }
    pair.setLink(up: false)
    pair.run(for: .seconds(1))
    pair.setLink(up: true)
    pair.run(for: .seconds(1))
    observation.invalidate()
    pair.setLink(up: false)
    pair.run(for: .seconds(1))
    #expect(seen.all == ["true", "false", "true"])
  }

  @Test func `a watch learns that its phone was restarted and is locked`() throws {
    let pair = try SessionPair.together(WholeApp(), WholeApp())
    #expect(!pair.session(.watch).iOSDeviceNeedsUnlockAfterRebootForReachability)
    pair.tell(.watch, .peerLocked(true), again: false)
    pair.run(for: .seconds(1))
    #expect(pair.session(.watch).iOSDeviceNeedsUnlockAfterRebootForReachability)
    pair.tell(.watch, .peerLocked(false), again: false)
    pair.run(for: .seconds(1))
    #expect(!pair.session(.watch).iOSDeviceNeedsUnlockAfterRebootForReachability)
  }

  @Test func `what an app sends after the end of the run has no effect`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let (session, log) = (pair.session(.watch), AppLog())
    session.transferUserInfo(["owed": 1])
    pair.tell(.watch, .runEnds)
    pair.run(for: .seconds(1))
    session.sendMessage(["a": 1]) { _ in
      log.note("reply")
    } errorHandler: { _ in
      log.note("error")
    }
    try session.updateApplicationContext(["a": 1])
    #expect(!session.transferUserInfo(["late": 1]).isTransferring)
    #expect(!session.transferFile(URL(fileURLWithPath: #filePath), metadata: nil).isTransferring)
    pair.run(for: .seconds(60))
    #expect(phone.log.all("info") == ["info owed:1"] && phone.log.all("request").isEmpty && log.all.isEmpty)
    #expect(phone.log.all("context").isEmpty && phone.log.all("file").isEmpty)
    #expect(session.outstandingUserInfoTransfers.isEmpty && pair.watch.lines("transfer.refused").isEmpty)
    // What is asked of it is still answered.
    pair.session(.phone).sendMessage(["b": 1]) { log.note("reply \($0.spelled)") }
    pair.run(for: .seconds(1))
    #expect(log.all == ["reply b:1"])
  }

  // MARK: Quirks

  @Test(arguments: [("notReachable", "7007"), ("deliveryFailed", "7014"), ("transferTimedOut", "7017")])
  func `a phantom of reachability loses messages, which fail`(error: String, code: String) throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair()
    pair.replyTimeout = .seconds(300)
    try pair.launch(.watch, watch)
    try pair.launch(.phone, phone)
    pair.run(for: .seconds(1))
    pair.tell(.watch, .quirk(.phantomReachable, isOn: true, error: SessionError(rawValue: error)))
    pair.setLink(up: false)
    pair.run(for: .seconds(1))
    #expect(pair.session(.watch).isReachable)
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1]) { _ in
      log.note("reply")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.session(.watch).sendMessage(["b": 1], replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.run(for: .seconds(61))
    #expect(log.all == [code, code] && phone.log.all("request").isEmpty && phone.log.all("message").isEmpty)
  }

  @Test func `an answer can be lost, and the request had its effect`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair(faults: [PlannedFault(ReplyLostFault())])
    try pair.launch(.watch, watch)
    try pair.launch(.phone, phone)
    pair.run(for: .seconds(1))
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1]) { _ in
      log.note("reply")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.run(for: .seconds(11))
    #expect(log.all == ["7012"] && phone.log.all("request") == ["request a:1"])
  }

  @Test func `an outage of one direction lets the other through`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.begin(PlannedFault(OneWayFault(from: .phone)))
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1]) { _ in
      log.note("reply")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.session(.watch).transferUserInfo(["n": 1])
    pair.session(.phone).transferUserInfo(["n": 2])
    pair.run(for: .seconds(11))
    #expect(log.all == ["7012"] && phone.log.all("request") == ["request a:1"])
    #expect(phone.log.all("info") == ["info n:1"] && watch.log.all("finished").isEmpty)
    #expect(watch.log.all("info").isEmpty && pair.session(.phone).isReachable)
  }

  @Test func `copies of frames are handed over once`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.begin(PlannedFault(DuplicateFault(probability: .always, copies: 3)))
    pair.session(.watch).sendMessage(["a": 1], replyHandler: nil)
    pair.session(.watch).transferUserInfo(["n": 1])
    try pair.session(.watch).updateApplicationContext(["c": 1])
    pair.run(for: .seconds(5))
    #expect(phone.log.all("message").count == 1 && phone.log.all("info").count == 1)
    #expect(phone.log.all("context").count == 1)
    #expect(pair.phone.lines("message.duplicate").count == 3)
  }

  @Test func `an edge of reachability can be lost, and the property be stuck`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.tell(.watch, .quirk(.reachabilityEdgeLost, isOn: true))
    pair.tell(.phone, .quirk(.reachabilityStuck, isOn: true))
    pair.setLink(up: false)
    pair.run(for: .seconds(1))
    #expect(!pair.session(.watch).isReachable && watch.log.all("reachable") == ["reachable true"])
    #expect(pair.session(.phone).isReachable && phone.log.all("reachable") == ["reachable true"])
  }

  @Test func `what was handled last comes again after a crash where the quirk is on`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.tell(.phone, .quirk(.deliveredTwice, isOn: true))
    for number in 1...2 { pair.session(.watch).transferUserInfo(["n": number]) }
    pair.run(for: .seconds(1))
    pair.kill(.phone)
    let later = WholeApp()
    try pair.launch(.phone, later)
    pair.run(for: .seconds(5))
    #expect(later.log.all("info") == ["info n:2"])
    #expect(pair.phone.lines("transfer.redelivered").count == 1)
  }

  @Test func `a finish can be lost`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.tell(.watch, .quirk(.finishLost, isOn: true))
    pair.session(.watch).transferUserInfo(["n": 1])
    pair.run(for: .seconds(5))
    #expect(phone.log.all("info") == ["info n:1"] && watch.log.all("finished").isEmpty)
    #expect(pair.session(.watch).outstandingUserInfoTransfers.count == 1)
  }

  @Test func `a stalled queue lets the oldest go with each new one`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.tell(.watch, .quirk(.queueStall, isOn: true))
    pair.run(for: .seconds(1))
    pair.session(.watch).transferUserInfo(["n": 1])
    pair.run(for: .seconds(60))
    #expect(phone.log.all("info").isEmpty)
    pair.session(.watch).transferUserInfo(["n": 2])
    pair.run(for: .seconds(60))
    #expect(phone.log.all("info") == ["info n:1"])
  }

  /// Starts the phone's app again, three times, over a context that its device received while the app slept.
  private static func contexts(_ quirk: SessionQuirk?) throws -> [[String]] {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    if let quirk { pair.tell(.phone, .quirk(quirk, isOn: true)) }
    pair.suspend(.phone)
    pair.run(for: .seconds(1))
    try pair.session(.watch).updateApplicationContext(["n": 1])
    pair.run(for: .seconds(2))
    var logs = [phone.log.all("context")]
    for _ in 0..<3 {
      pair.kill(.phone)
      let app = WholeApp()
      try pair.launch(.phone, app)
      pair.run(for: .seconds(5))
      #expect(pair.session(.phone).receivedApplicationContext["n"] as? Int == 1)
      logs.append(app.log.all("context"))
    }
    return logs
  }

  @Test func `a context is announced while it waits, and not again at the next starts`() throws {
    #expect(try Self.contexts(nil) == [[], ["context n:1"], [], []])
  }

  @Test func `a context that is there at a start comes without a callback where the quirk is on`() throws {
    #expect(try Self.contexts(.contextUnannounced) == [[], [], [], []])
  }

  @Test func `a context is announced at every start where the quirk is on`() throws {
    #expect(try Self.contexts(.contextRepeated) == [[], ["context n:1"], ["context n:1"], ["context n:1"]])
  }

  @Test func `a property that is stuck at unreachable can let messages through`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.setLink(up: false)
    pair.run(for: .seconds(1))
    pair.tell(.watch, .quirk(.reachabilityUntrue, isOn: true))
    pair.run(for: .seconds(1))
    pair.setLink(up: true)
    pair.run(for: .seconds(5))
    let session = pair.session(.watch)
    #expect(!session.isReachable)
    let log = AppLog()
    session.sendMessage(["m": 1]) {
      log.note($0.spelled)
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.run(for: .seconds(5))
    #expect(log.all == ["m:1"] && !session.isReachable)
  }

  @Test func `contexts come in a burst on waking where the quirk is on`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.tell(.watch, .quirk(.contextBurst, isOn: true))
    pair.suspend(.watch)
    for number in 1...4 {
      try pair.session(.phone).updateApplicationContext(["n": number])
      pair.run(for: .seconds(2))
    }
    pair.suspend(.watch, false)
    pair.run(for: .seconds(2))
    #expect(watch.log.all("context").count > 1 && watch.log.all("context").last == "context n:4")
  }
}

/// A count that several threads change.
private final class AtomicCount: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func change(_ by: Int) -> Int {
    lock.lock()
    defer { lock.unlock() }
    count += by
    return count
  }
}
