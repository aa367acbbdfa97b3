import Foundation
import SessionClient5
import SessionClient6
import Testing
import WatchConnectivity

/// What an app's own source files say, spelled as Apple spells it; that this file compiles is most of the test.
@Suite struct `Surface` {
  @Test func `without a run sessions are not supported`() {
    #expect(!WCSession.isSupported())
    #expect(WCSession.default === WCSession.default)
    #expect(WCSession.default.activationState == .notActivated)
  }

  @Test func `before activation everything is false or empty`() {
    let session = WCSession.default
    #expect(!session.isReachable && !session.isPaired && !session.isWatchAppInstalled)
    #expect(!session.isCompanionAppInstalled && !session.isComplicationEnabled && !session.hasContentPending)
    #expect(!session.iOSDeviceNeedsUnlockAfterRebootForReachability)
    #expect(session.remainingComplicationUserInfoTransfers == 0)
    #expect(session.applicationContext.isEmpty && session.receivedApplicationContext.isEmpty)
    #expect(session.outstandingUserInfoTransfers.isEmpty && session.outstandingFileTransfers.isEmpty)
    #expect(session.watchDirectoryURL == nil)
  }

  @Test func `states have the raw values of the framework`() {
    #expect(WCSessionActivationState.notActivated.rawValue == 0)
    #expect(WCSessionActivationState.inactive.rawValue == 1)
    #expect(WCSessionActivationState.activated.rawValue == 2)
    #expect(WCSessionActivationState(rawValue: 3) == nil)
  }

  @Test func `every member has the type that apps expect`() {
    let _: (WCSession) -> (Data, ((Data) -> Void)?, ((any Error) -> Void)?) -> Void = WCSession.sendMessageData
    let _: (WCSession) -> ([String: Any], (([String: Any]) -> Void)?, ((any Error) -> Void)?) -> Void =
      WCSession.sendMessage
    let _: (WCSession) -> ([String: Any]) throws -> Void = WCSession.updateApplicationContext
    let _: (WCSession) -> ([String: Any]) -> WCSessionUserInfoTransfer = WCSession.transferUserInfo
    let _: (WCSession) -> ([String: Any]) -> WCSessionUserInfoTransfer = WCSession.transferCurrentComplicationUserInfo
    let _: (WCSession) -> (URL, [String: Any]?) -> WCSessionFileTransfer = WCSession.transferFile
    let _: () -> Bool = WCSession.isSupported
    let _: (WCSession) -> () -> Void = WCSession.activate
    let _: (WCSessionUserInfoTransfer) -> () -> Void = WCSessionUserInfoTransfer.cancel
    let _: (WCSessionFileTransfer) -> () -> Void = WCSessionFileTransfer.cancel
    let _: [KeyPath<WCSession, Bool>] = [
      \.isReachable, \.isPaired, \.isWatchAppInstalled, \.isCompanionAppInstalled, \.isComplicationEnabled,
      \.hasContentPending, \.iOSDeviceNeedsUnlockAfterRebootForReachability,
    ]
    let _: [KeyPath<WCSession, [String: Any]>] = [\.applicationContext, \.receivedApplicationContext]
    let _: KeyPath<WCSession, Int> = \.remainingComplicationUserInfoTransfers
    let _: KeyPath<WCSession, WCSessionActivationState> = \.activationState
    let _: KeyPath<WCSession, [WCSessionUserInfoTransfer]> = \.outstandingUserInfoTransfers
    let _: KeyPath<WCSession, [WCSessionFileTransfer]> = \.outstandingFileTransfers
    let _: KeyPath<WCSessionFileTransfer, Progress> = \.progress
    let _: KeyPath<WCSessionFileTransfer, WCSessionFile> = \.file
    let _: KeyPath<WCSessionFileTransfer, Bool> = \.isTransferring
    let _: KeyPath<WCSessionFile, URL> = \.fileURL
    let _: KeyPath<WCSessionFile, [String: Any]?> = \.metadata
    let _: KeyPath<WCSessionUserInfoTransfer, [String: Any]> = \.userInfo
    let _: KeyPath<WCSessionUserInfoTransfer, Bool> = \.isTransferring
    let _: KeyPath<WCSessionUserInfoTransfer, Bool> = \.isCurrentComplicationInfo
    let _: KeyPath<WCSession, URL?> = \.watchDirectoryURL
    let _: ReferenceWritableKeyPath<WCSession, (any WCSessionDelegate)?> = \.delegate
    // Defaults, as in the framework.
    WCSession.default.sendMessage([:], replyHandler: nil)
    WCSession.default.sendMessageData(Data(), replyHandler: nil)
    WCSession.default.transferUserInfo()
    WCSession.default.transferCurrentComplicationUserInfo()
    #expect(WCSession.default.delegate == nil)
  }

  @Test func `the delegate is not kept alive`() {
    let session = WCSession.default
    var app: App? = App()
    session.delegate = app
    #expect(session.delegate === app)
    app = nil
    #expect(session.delegate == nil)
  }

  @Test func `a delegate needs no more than the end of the activation`() {
    let app: any WCSessionDelegate = App()
    app.sessionReachabilityDidChange(WCSession.default)
    app.session(WCSession.default, didReceiveUserInfo: [:])
  }

  @Test func `every method of the delegate is called as the app's own`() {
    // One that were no requirement of the protocol would be taken by the default.
    let app = WholeApp()
    let (delegate, session): (any WCSessionDelegate, WCSession) = (app, .default)
    delegate.session(session, activationDidCompleteWith: .activated, error: nil)
    delegate.sessionDidBecomeInactive(session)
    delegate.sessionDidDeactivate(session)
    delegate.sessionWatchStateDidChange(session)
    delegate.sessionCompanionAppInstalledDidChange(session)
    delegate.sessionReachabilityDidChange(session)
    delegate.session(session, didReceiveMessage: [:])
    delegate.session(session, didReceiveMessage: [:], replyHandler: { _ in })
    delegate.session(session, didReceiveMessageData: Data())
    delegate.session(session, didReceiveMessageData: Data(), replyHandler: { _ in })
    delegate.session(session, didReceiveApplicationContext: [:])
    delegate.session(session, didFinish: WCSessionUserInfoTransfer(), error: nil)
    delegate.session(session, didReceiveUserInfo: [:])
    delegate.session(session, didFinish: WCSessionFileTransfer(), error: nil)
    delegate.session(session, didReceive: WCSessionFile())
    #expect(
      app.log.all.map { $0.split(separator: " ")[0] } == [
        "activated", "inactive", "deactivated", "watchState", "companion", "reachable", "message", "request", "data",
        "dataRequest", "context", "finished", "info", "sentFile", "file",
      ])
  }

  @Test func `an app's tests can put doubles in place of files and transfers`() {
    let (file, transfer) = (FileDouble(), TransferDouble())
    #expect((file as WCSessionFile).fileURL.path == "/double" && (file as WCSessionFile).metadata?["a"] as? Int == 1)
    #expect((transfer as WCSessionFileTransfer).progress.totalUnitCount == 7)
    (transfer as WCSessionFileTransfer).cancel()
    #expect(transfer.isCancelled && !WCSessionUserInfoTransfer().isTransferring)
  }

  @Test func `an app's tests can put a double in place of the session`() {
    let double = SessionDouble()
    let session: WCSession = double
    session.sendMessage(["a": 1], replyHandler: nil)
    session.sendMessageData(Data([1]), replyHandler: nil)
    session.transferUserInfo(["a": 1])
    session.transferCurrentComplicationUserInfo(["a": 1])
    session.transferFile(URL(fileURLWithPath: "/double"), metadata: nil)
    try? session.updateApplicationContext(["a": 1])
    #expect(double.calls == ["message", "data", "info", "complication", "file", "context"])
    #expect(session.isReachable && session.applicationContext["a"] as? Int == 1)
  }

  @Test func `clients in Swift 5 and in Swift 6 mode compile without a warning`() async {
    // Their targets have warnings as errors.
    #expect(SessionClient5.sharedSession === SessionClient6.Constants.session)
    let error = await #expect(throws: WCError.self) { try await SessionClient6.Asker().ask() }
    #expect(error?.code == .sessionNotSupported)
  }

  @Test func `queues can be keys`() {
    #expect([DispatchQueue.main: 1][DispatchQueue.main] == 1)
  }

  private final class SessionDouble: WCSession {
    private(set) var calls: [String] = []

    override var isReachable: Bool { true }
    override var applicationContext: [String: Any] { ["a": 1] }
    override func sendMessage(
      _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) { calls.append("message") }
    override func sendMessageData(
      _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) { calls.append("data") }
    override func updateApplicationContext(_ applicationContext: [String: Any]) throws { calls.append("context") }
    override func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
      calls.append("info")
      return WCSessionUserInfoTransfer()
    }
    override func transferCurrentComplicationUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
      calls.append("complication")
      return WCSessionUserInfoTransfer()
    }
    override func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
      calls.append("file")
      return WCSessionFileTransfer()
    }
  }

  private final class FileDouble: WCSessionFile {
    override var fileURL: URL { URL(fileURLWithPath: "/double") }
    override var metadata: [String: Any]? { ["a": 1] }
  }

  private final class TransferDouble: WCSessionFileTransfer {
    private(set) var isCancelled = false
    override var progress: Progress { Progress(totalUnitCount: 7) }
    override func cancel() { isCancelled = true }
  }

  private final class App: NSObject, WCSessionDelegate {
    func session(
      _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}
  }
}
