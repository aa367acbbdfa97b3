import Foundation
import Link
import Testing

@testable import WatchConnectivity

/// From `activate()` to the end of a session.
@Suite struct `Activation` {
  @Test func `the delegate gets a callback when the session is activated`() throws {
    let app = WholeApp()
    let pair = try SessionPair()
    let session = try pair.launch(.phone, app)
    #expect(session.activationState == .notActivated)
    pair.run(for: .milliseconds(60))
    #expect(session.activationState == .activated)
    #expect(app.log.all.first == "activated 2 -")
  }

  @Test func `an activation completes in a later turn, after a drawn delay`() throws {
    var delays: Set<Int64> = []
    let pair = try SessionPair()
    for _ in 0..<8 {
      let app = WholeApp()
      let session = try pair.launch(.phone, app)
      pair.takeInstant()
      #expect(session.activationState == .notActivated && !session.isPaired)
      // The commonest mistake: the call on the next line.
      session.transferUserInfo(["n": 1])
      #expect(throws: WCError(.sessionNotActivated)) { try session.updateApplicationContext(["n": 1]) }
      pair.takeInstant()
      #expect(app.log.all == ["finished n:1 7004"])
      let begin = pair.now
      while session.activationState == .notActivated, pair.now < begin + .seconds(1) {
        pair.run(for: .milliseconds(1))
      }
      #expect(app.log.all.last == "activated 2 -")
      delays.insert((pair.now - begin).nanoseconds / 1_000_000)
      pair.kill(.phone)
    }
    #expect(delays.allSatisfy { SessionNode.activationDelay.contains($0) })
    #expect(delays.count > 3)
  }

  @Test func `the activation after a switch of watches completes in a later turn, too`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.command(.phone, "switchWatch")
    pair.run(for: .milliseconds(1))
    let session = pair.session(.phone)
    session.activate()
    pair.takeInstant()
    #expect(session.activationState == .notActivated)
    pair.run(for: .milliseconds(60))
    #expect(session.activationState == .activated)
  }

  @Test func `activating again tells again, or is silent`() throws {
    for tells in [true, false] {
      let app = WholeApp()
      let pair = try SessionPair()
      pair.options.tellsReactivation = tells
      let session = try pair.launch(.phone, app)
      pair.run(for: .seconds(1))
      session.activate()
      pair.run(for: .seconds(1))
      #expect(app.log.all("activated").count == (tells ? 2 : 1))
    }
  }

  @Test func `without a run the activation fails with 7002`() {
    let app = WholeApp()
    var options = SessionOptions()
    options.logs = false
    let session = WCSession(SessionRuntime(options: options, isSupported: false))
    session.delegate = app
    session.activate()
    session.sendMessage([:], replyHandler: nil) { app.log.note(Optional($0).spelled) }
    session.transferUserInfo()
    session.runtime.settle()
    #expect(app.log.all == ["activated 0 7002", "7002", "finished  7002"])
    #expect(throws: WCError(.sessionNotSupported)) { try session.updateApplicationContext([:]) }
  }

  @Test func `without a run, a session that is supported by choice is that of a phone without a watch`() {
    let app = WholeApp()
    let session = WCSession(SessionRuntime(options: SessionOptions(), isWithoutRun: true))
    session.delegate = app
    #expect(throws: WCError(.sessionNotActivated)) { try session.updateApplicationContext([:]) }
    // The next line is reached before the later turn, on a loaded machine, too.
    session.runtime.queue.suspend()
    session.activate()
    session.transferUserInfo()
    session.runtime.queue.resume()
    session.runtime.settle()
    #expect(session.activationState == .activated)
    #expect(!session.isPaired && !session.isReachable && !session.isWatchAppInstalled)
    session.transferUserInfo()
    session.runtime.settle()
    #expect(app.log.all == ["finished  7004", "activated 2 -", "finished  7005"])
    #expect(throws: WCError(.deviceNotPaired)) { try session.updateApplicationContext([:]) }
  }

  @Test func `what came before the activation is handed over after it, and nothing before`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.kill(.phone)
    pair.session(.watch).transferUserInfo(["n": 1])
    try pair.session(.watch).updateApplicationContext(["c": 1])
    let later = WholeApp()
    let session = try pair.launch(.phone, later, activates: false)
    pair.run(for: .seconds(60))
    #expect(later.log.all.isEmpty)
    #expect(!session.isReachable && session.receivedApplicationContext.isEmpty)
    session.activate()
    pair.run(for: .seconds(60))
    #expect(later.log.all.first == "activated 2 -")
    #expect(later.log.all("info") == ["info n:1"])
    #expect(later.log.all("context") == ["context c:1"])
  }

  @Test func `a counterpart whose app has not activated its session is out of reach`() throws {
    let watch = WholeApp()
    let pair = try SessionPair()
    try pair.launch(.watch, watch)
    let phone = try pair.launch(.phone, WholeApp(), activates: false)
    pair.run(for: .seconds(5))
    #expect(!pair.session(.watch).isReachable)
    phone.activate()
    pair.run(for: .seconds(5))
    #expect(pair.session(.watch).isReachable && phone.isReachable)
  }

  // MARK: Preconditions

  private func codes(_ session: WCSession, _ pair: SessionPair, _ app: WholeApp?) throws -> [Int] {
    let log = AppLog()
    session.sendMessage(["a": NSNull()], replyHandler: nil) { log.note(Optional($0).spelled) }
    session.sendMessageData(Data(), replyHandler: nil) { log.note(Optional($0).spelled) }
    do { try session.updateApplicationContext(["a": NSNull()]) } catch { log.note(Optional(error).spelled) }
    session.transferUserInfo(["a": NSNull()])
    session.transferFile(URL(fileURLWithPath: "/nowhere"), metadata: nil)
    pair.run(for: .seconds(1))
    let told = (app?.log.all("finished") ?? []) + (app?.log.all("sentFile") ?? [])
    return (log.all + told.compactMap { $0.split(separator: " ").last.map(String.init) }).compactMap { Int($0) }
      .sorted()
  }

  @Test func `before the activation everything fails with 7004`() throws {
    let app = WholeApp()
    let pair = try SessionPair()
    let session = try pair.launch(.watch, app, activates: false)
    #expect(try codes(session, pair, app) == [Int](repeating: 7004, count: 5))
  }

  @Test func `without a delegate everything fails with 7003`() throws {
    let pair = try SessionPair.together(WholeApp(), WholeApp())
    let session = pair.session(.watch)
    session.delegate = nil
    #expect(try codes(session, pair, nil) == [7003, 7003, 7003])
  }

  @Test func `an unpaired phone's sends fail with 7005, and its activation succeeds`() throws {
    let app = WholeApp()
    let pair = try SessionPair()
    pair.options.isPaired = false
    let session = try pair.launch(.phone, app)
    pair.run(for: .seconds(1))
    #expect(session.activationState == .activated && !session.isPaired && !session.isWatchAppInstalled)
    #expect(try codes(session, pair, app) == [Int](repeating: 7005, count: 5))
  }

  @Test func `a missing counterpart wins over what else is wrong: 7006 on the phone, 7018 on the watch`() throws {
    for (role, code) in [(NodeRole.phone, 7006), (.watch, 7018)] {
      let (watch, phone) = (WholeApp(), WholeApp())
      let pair = try SessionPair.together(watch, phone)
      pair.tell(role, .peerInstalled(false))
      pair.run(for: .seconds(1))
      let app = role == .phone ? phone : watch
      #expect(!pair.session(role).isReachable && pair.session(role).isPaired)
      #expect(!pair.session(role).isWatchAppInstalled && !pair.session(role).isCompanionAppInstalled)
      #expect(app.log.all.last == (role == .phone ? "watchState false" : "companion false"))
      #expect(try codes(pair.session(role), pair, app) == [Int](repeating: code, count: 5))
      #expect(pair.session(role).outstandingUserInfoTransfers.isEmpty)
    }
  }

  @Test func `a wrong parameter wins over a counterpart out of reach`() throws {
    let pair = try SessionPair.together(WholeApp(), WholeApp())
    pair.setLink(up: false)
    pair.run(for: .seconds(1))
    let log = AppLog()
    pair.session(.watch).sendMessage(["a": NSNull()], replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.session(.watch).sendMessageData(Data(count: 65_537), replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.session(.watch).sendMessageData(Data(), replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.run(for: .seconds(1))
    #expect(log.all == ["7010", "7009", "7007"])
  }

  @Test func `roles read the counterpart's installation under either name`() throws {
    let pair = try SessionPair.together(WholeApp(), WholeApp())
    for role in [NodeRole.watch, .phone] {
      let session = pair.session(role)
      #expect(session.isPaired && session.isWatchAppInstalled && session.isCompanionAppInstalled)
    }
    #expect(pair.session(.phone).watchDirectoryURL != nil && pair.session(.watch).watchDirectoryURL == nil)
  }

  // MARK: Another watch

  @Test func `an unpaired watch and a missing complication change the watch's state`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let (session, log) = (pair.session(.phone), AppLog())
    pair.command(.phone, "disableComplication")
    pair.run(for: .seconds(1))
    #expect(!session.isComplicationEnabled && session.remainingComplicationUserInfoTransfers == 0)
    pair.command(.phone, "disableComplication")
    pair.command(.phone, "enableComplication")
    pair.run(for: .seconds(1))
    #expect(session.isComplicationEnabled && session.remainingComplicationUserInfoTransfers == 50)
    #expect(phone.log.all("watchState").count == 2)

    pair.begin(PlannedFault(LossFault(.independent(.always))))
    session.sendMessage(["a": 1], replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.command(.phone, "unpairWatch")
    pair.run(for: .seconds(1))
    session.sendMessage(["b": 1], replyHandler: nil) { log.note(Optional($0).spelled) }
    pair.run(for: .seconds(1))
    #expect(log.all == ["7005", "7005"])
    #expect(
      !session.isPaired && !session.isReachable && !session.isWatchAppInstalled && session.watchDirectoryURL == nil)
    // Also an app that is started meanwhile has no watch.
    pair.kill(.phone)
    let later = WholeApp()
    try pair.launch(.phone, later)
    pair.run(for: .seconds(1))
    #expect(!pair.session(.phone).isPaired)
    pair.command(.phone, "pairWatch")
    pair.run(for: .seconds(1))
    #expect(pair.session(.phone).isPaired && later.log.all("watchState") == ["watchState true"])
  }

  @Test func `a switch of watches is inactive, deactivated, and activated again by the app`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    watch.answer = { _ in nil }
    let pair = try SessionPair.together(watch, phone)
    let session = pair.session(.phone)
    let directory = session.watchDirectoryURL
    let log = AppLog()
    session.sendMessage(["a": 1]) { _ in
      log.note("reply")
    } errorHandler: {
      log.note(Optional($0).spelled)
    }
    phone.onCall = { line in
      guard line == "inactive" else { return }
      log.note("state \(session.activationState.rawValue) \(session.isReachable)")
      session.sendMessage(["b": 1], replyHandler: nil) { log.note("late \(Optional($0).spelled)") }
    }
    pair.run(for: .seconds(1))
    pair.command(.phone, "switchWatch")
    pair.run(for: .seconds(1))
    #expect(log.all == ["7016", "state 1 false", "late 7016"])
    #expect(phone.log.all("inactive") + phone.log.all("deactivated") == ["inactive", "deactivated"])
    #expect(session.activationState == .notActivated)

    pair.session(.watch).transferUserInfo(["n": 1])
    pair.run(for: .seconds(5))
    #expect(phone.log.all("info").isEmpty)
    session.activate()
    pair.run(for: .seconds(5))
    #expect(phone.log.all("activated").count == 2)
    #expect(phone.log.all("info") == ["info n:1"])
    #expect(session.watchDirectoryURL != directory && session.isReachable)
    #expect(watch.log.all("activated").count == 1)
    #expect(
      pair.phone.lines.filter { $0.name.text.hasPrefix("session.") }.map(\.name.text) == [
        "session.deactivated", "session.activated",
      ])
  }
}
