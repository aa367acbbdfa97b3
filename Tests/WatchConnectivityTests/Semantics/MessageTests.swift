import Foundation
import Link
import Testing

@testable import WatchConnectivity

/// What `sendMessage` and `sendMessageData` do.
@Suite struct `Messages` {
  @Test func `a message without reply handler reaches the method without one`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.session(.watch).sendMessage(["a": 1], replyHandler: nil)
    pair.session(.phone).sendMessageData(Data([1, 2, 3]), replyHandler: nil)
    pair.run(for: .seconds(1))
    #expect(phone.log.all("message") == ["message a:1"])
    #expect(watch.log.all("data") == ["data 3"])
    #expect(phone.log.all("request").isEmpty)
  }

  @Test func `a message with reply handler gets its answer, once`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    phone.answer = { ["echo": $0["a"] ?? 0] }
    let pair = try SessionPair.together(watch, phone)
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1]) {
      log.note("reply \($0.spelled)")
    } errorHandler: { _ in
      log.note("error")
    }
    pair.session(.watch).sendMessageData(Data([9])) {
      log.note("data \($0.count)")
    } errorHandler: { _ in
      log.note("error")
    }
    pair.run(for: .seconds(30))
    #expect(log.all == ["reply echo:1", "data 1"])
    #expect(phone.log.all("request") == ["request a:1"])
  }

  @Test func `an app without the method for it fails the request with 7014`() throws {
    let pair = try SessionPair.together(WholeApp(), BareApp())
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1]) { _ in
      log.note("reply")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.session(.watch).sendMessageData(Data([1])) { _ in
      log.note("reply")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.run(for: .seconds(1))
    #expect(log.all == ["7014", "7014"])
  }

  @Test func `a delegate that forwards to several is not to blame for one that lacks the method`() throws {
    let phone = WholeApp()
    let (whole, watch) = (WholeApp(), ForwardingApp())
    watch.children = [BareApp(), whole, BareApp()]
    let pair = try SessionPair.together(watch, phone)
    let log = AppLog()
    pair.session(.phone).sendMessage(["a": 1], replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.session(.phone).sendMessage(["b": 1]) {
      log.note("answer \($0.spelled)")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.session(.phone).transferUserInfo(["c": 1])
    pair.run(for: .seconds(5))
    #expect(log.all == ["answer b:1"])
    #expect(whole.log.all == ["message a:1", "request b:1", "info c:1"])
  }

  @Test func `a message without reply handler fails once with 7014 where the app has no method for it`() throws {
    let (watch, phone) = (WholeApp(), BareApp())
    let pair = try SessionPair.together(watch, phone)
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1], replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.session(.watch).sendMessageData(Data([1]), replyHandler: nil) { log.note(Optional($0).spelled) }
    // One that is taken fails nowhere.
    pair.session(.phone).sendMessage(["a": 1], replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.run(for: .seconds(30))
    #expect(log.all == ["7014", "7014"])
    #expect(watch.log.all("message") == ["message a:1"])
  }

  @Test func `what has arrived is not remembered`() throws {
    let pair = try SessionPair.together(WholeApp(), WholeApp())
    for _ in 0..<300 { pair.session(.watch).sendMessage(["a": 1], replyHandler: nil) { _ in } }
    pair.run(for: .seconds(1))
    #expect(pair.watch.runtime?.handlers.isEmpty == true)
  }

  @Test func `a lost message without reply handler fails with 7007 when the cut is noticed, once`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let log = AppLog()
    pair.begin(PlannedFault(LossFault(.independent(.always))))
    pair.session(.watch).sendMessage(["a": 1], replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.session(.watch).sendMessage(["b": 1]) { _ in
      log.note("reply")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.run(for: .seconds(5))
    #expect(log.all.isEmpty)
    pair.setLink(up: false)
    pair.run(for: .seconds(5))
    #expect(log.all == ["7007", "7007"])
    pair.setLink(up: true)
    pair.run(for: .seconds(60))
    #expect(log.all.count == 2 && phone.log.all("message").isEmpty)
  }

  @Test func `a message that dies with the counterpart's app fails with 7014`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let log = AppLog()
    pair.kill(.watch)
    pair.session(.phone).sendMessage(["a": 1], replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.run(for: .seconds(1))
    try pair.launch(.watch, WholeApp())
    pair.run(for: .seconds(2))
    #expect(log.all == ["7014"])
  }

  @Test func `a message that is not received for five minutes fails with 7012`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair()
    pair.replyTimeout = RuntimeSetup(role: .watch, seed: 1, folder: "/").replyTimeout
    try pair.launch(.watch, watch)
    try pair.launch(.phone, phone)
    pair.run(for: .seconds(1))
    pair.begin(PlannedFault(LossFault(.independent(.always))))
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1], replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.run(for: .seconds(299))
    #expect(log.all.isEmpty)
    pair.run(for: .seconds(2))
    #expect(log.all == ["7012"])
  }

  @Test func `an app without a companion fails with 7019`() throws {
    let pair = try SessionPair()
    pair.options.isWatchOnly = true
    try pair.launch(.watch, WholeApp())
    try pair.launch(.phone, WholeApp())
    pair.run(for: .seconds(1))
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1], replyHandler: nil) { log.note(Optional($0).spelled) }
    #expect(throws: WCError(.watchOnlyApp)) { try pair.session(.watch).updateApplicationContext(["a": 1]) }
    pair.run(for: .seconds(1))
    #expect(log.all == ["7019"])
    #expect(!pair.session(.watch).isCompanionAppInstalled && !pair.session(.watch).isReachable)
  }

  @Test func `a request that is never answered fails with 7012 after the deadline`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    phone.answer = { _ in nil }
    let pair = try SessionPair.together(watch, phone)
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1]) { _ in
      log.note("reply")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.run(for: .milliseconds(9_900))
    #expect(log.all.isEmpty)
    pair.run(for: .milliseconds(300))
    #expect(log.all == ["7012"])
  }

  @Test func `a reply that cannot be sent fails the request with 7011`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    phone.answer = { _ in ["bad": NSNull()] }
    let pair = try SessionPair.together(watch, phone)
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1]) { _ in
      log.note("reply")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.run(for: .seconds(1))
    #expect(log.all == ["7011"])
    phone.answer = { _ in ["large": Data(count: 70_000)] }
    pair.session(.watch).sendMessage(["a": 1]) { _ in
      log.note("reply")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.run(for: .seconds(1))
    #expect(log.all == ["7011", "7011"])
  }

  @Test func `a second call of a reply block is ignored`() throws {
    let phone = TwiceAnswering()
    let pair = try SessionPair.together(WholeApp(), phone)
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1]) { log.note($0.spelled) }
    pair.run(for: .seconds(1))
    #expect(log.all == ["n:1"])
  }

  @Test func `a method that only a subclass of the delegate's class has is not seen`() throws {
    final class Late: BareApp, @unchecked Sendable {
      func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
      ) { replyHandler([:]) }
    }
    let pair = try SessionPair.together(WholeApp(), Late())
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": 1]) {
      log.note($0.spelled)
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    pair.run(for: .seconds(1))
    #expect(log.all == ["7014"])
  }

  @Test func `messages arrive in the order in which they were sent`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    for number in 0..<50 { pair.session(.watch).sendMessage(["n": number], replyHandler: nil) }
    pair.run(for: .seconds(1))
    #expect(phone.log.all("message") == (0..<50).map { "message n:\($0)" })
  }
}

private final class TwiceAnswering: NSObject, WCSessionDelegate {
  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
  ) {}
  func session(
    _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
  ) {
    replyHandler(["n": 1])
    replyHandler(["n": 2])
  }
}
