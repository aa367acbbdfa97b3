public import Foundation
import Link
import LinkTransport
import Synchronization

/// The connection between a phone's app and its watch's, over Wristwire's link.
///
/// A process that a conductor has started as a phone or a watch has one; in any other ``isSupported()`` is false,
/// unless `WRISTWIRE_SUPPORTED=1` is set.
open class WCSession: NSObject {
  let runtime: SessionRuntime
  private let listener = Mutex(WeakDelegate())
  let observers = Mutex(Observers())

  /// There is one session; apps use ``default``.
  init(_ runtime: SessionRuntime) {
    self.runtime = runtime
    super.init()
    runtime.session = self
  }

  /// Creates a session that belongs to no run, for subclasses in an app's tests; on devices there is only ``default``.
  public override init() {
    runtime = SessionRuntime(options: SessionOptions(), isSupported: false)
    super.init()
    runtime.session = self
  }

  /// Whether this process is a phone or a watch of a run, or `WRISTWIRE_SUPPORTED=1` asks for a session without a run.
  open class func isSupported() -> Bool { ProcessSession.isSupported }

  /// The process's only session.
  open class var `default`: WCSession { ProcessSession.shared }

  /// A weak reference.
  open weak var delegate: (any WCSessionDelegate)? {
    get { listener.withLock { $0.delegate } }
    set {
      let delegate = Unchecked(newValue)
      listener.withLock { $0.delegate = delegate.value }
    }
  }

  var hasDelegate: Bool { delegate != nil }

  // MARK: Activation

  /// Starts the activation; the delegate is called when it completes.
  open func activate() { runtime.activate(hasDelegate: hasDelegate) }

  open var activationState: WCSessionActivationState { runtime.condition.withLock { runtime.activationState } }

  /// Whether received content has not been delivered yet.
  open var hasContentPending: Bool { whileActive(false) { $0.contentPending > 0 } }

  // MARK: The counterpart

  open var isPaired: Bool { whileActive(false) { $0.isPaired } }
  /// On a watch: whether its phone has the app.
  open var isWatchAppInstalled: Bool { whileActive(false) { $0.isCounterpartInstalled } }
  /// On a phone: whether its watch has the app.
  open var isCompanionAppInstalled: Bool { whileActive(false) { $0.isCounterpartInstalled } }
  open var isComplicationEnabled: Bool {
    whileActive(false) { $0.role == .phone && $0.isComplicationEnabled && $0.isCounterpartInstalled }
  }
  open var remainingComplicationUserInfoTransfers: Int { whileActive(0) { $0.remainingComplications } }
  /// A folder for data that belongs to the watch; another one after a switch of watches.
  open var watchDirectoryURL: URL? { whileActive(nil) { $0.watchDirectory } }
  open var isReachable: Bool {
    whileActive(false) {
      $0.activationState == .activated && $0.isPaired && !$0.isWatchOnly && $0.withNode { $0.session.isReachable }
    }
  }
  /// On a watch: whether its phone is unreachable because it was restarted and not unlocked since.
  open var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool { whileActive(false) { $0.withNode(\.isPeerLocked) } }

  // MARK: Messages

  /// Sends a message to a reachable counterpart; exactly one of the handlers is called, once, if both are given.
  open func sendMessage(
    _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
  ) {
    runtime.send(
      Payload.bytes(of: message), flags: .dictionary,
      MessageHandlers(reply: replyHandler.map { .dictionary($0) }, error: errorHandler), hasDelegate: hasDelegate)
  }

  /// Sends plain bytes like a message.
  open func sendMessageData(
    _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
  ) {
    runtime.send(
      [UInt8](data), flags: [], MessageHandlers(reply: replyHandler.map { .data($0) }, error: errorHandler),
      hasDelegate: hasDelegate)
  }

  // MARK: Contexts

  /// The context last set; empty before the first.
  open var applicationContext: [String: Any] {
    whileActive([:]) { $0.withNode { $0.session.applicationContext }.flatMap { Payload.dictionary($0) } ?? [:] }
  }

  /// The context last received; empty before the first.
  open var receivedApplicationContext: [String: Any] {
    whileActive([:]) { $0.withNode { $0.session.receivedApplicationContext }.flatMap { Payload.dictionary($0) } ?? [:] }
  }

  /// Sets the context: the latest one always arrives; an unchanged one is not sent.
  open func updateApplicationContext(_ applicationContext: [String: Any]) throws {
    try runtime.updateApplicationContext(
      Payload.bytes(of: applicationContext), isEmpty: applicationContext.isEmpty, hasDelegate: hasDelegate)
  }

  // MARK: User infos

  /// Queues a dictionary, which arrives reliably and in order.
  @discardableResult
  open func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
    runtime.transferUserInfo(userInfo, isComplication: false, hasDelegate: hasDelegate)
  }

  /// Queues a dictionary ahead of ordinary ones, within a daily budget; on a watch it is an ordinary one.
  @discardableResult
  open func transferCurrentComplicationUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
    runtime.transferUserInfo(userInfo, isComplication: true, hasDelegate: hasDelegate)
  }

  /// Queued dictionaries that have not arrived, in the order of queueing.
  open var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] {
    whileActive([]) { $0.userInfoTransfers }
  }

  // MARK: Files

  /// Queues a file, which arrives completely or not at all.
  @discardableResult
  open func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
    runtime.transferFile(file, metadata: metadata, hasDelegate: hasDelegate)
  }

  /// Queued files that have not arrived, in the order of queueing.
  open var outstandingFileTransfers: [WCSessionFileTransfer] { whileActive([]) { $0.fileTransfers } }

  /// A value of an activated or inactive session; `otherwise` in any other state.
  func whileActive<Value>(_ otherwise: Value, _ value: (SessionRuntime) -> Value) -> Value {
    runtime.waitAsGetter()
    return runtime.condition.withLock {
      runtime.activationState == .notActivated || runtime.keeper == nil ? otherwise : value(runtime)
    }
  }
}

/// Joins the run before `main`, and holds the app until its first grant; called by Sources/CSessionStart.
@_cdecl("wristwire_session_start") func startBeforeMain() {
  guard let clock = VirtualClock.shared, ProcessSession.isInRun else { return }
  _ = ProcessSession.shared
  clock.holdMainThread()
}

/// A weak reference to a delegate.
private struct WeakDelegate: @unchecked Sendable {
  weak var delegate: (any WCSessionDelegate)?
}

/// The session of this process.
enum ProcessSession {
  private static let options = SessionOptions(variable: NodeEnvironment.variable)

  private static let environment: (node: NodeEnvironment, folder: String)? = {
    // Without any of the variables the process is simply no node of a run; with some of them it was meant to be one.
    let names = [
      NodeEnvironment.socketName, NodeEnvironment.roleName, NodeEnvironment.tokenName, NodeEnvironment.stateName,
    ]
    guard names.contains(where: { NodeEnvironment.variable($0) != nil }) else { return nil }
    do throws(NodeClientError) {
      let node = try NodeEnvironment()
      guard node.role != .edge else {
        throw .environment(name: NodeEnvironment.roleName, found: node.role.text, expected: "watch or phone")
      }
      guard let folder = node.state, !folder.isEmpty else {
        throw .environment(name: NodeEnvironment.stateName, found: "nothing", expected: "the folder of the device")
      }
      return (node, folder)
    } catch {
      if options.logs {
        let reason = error.description
        FileHandle.standardError.write(Data("[WC] sessions are not supported: \(TerminalText.escape(reason))\n".utf8))
      }
      return nil
    }
  }()

  static var isSupported: Bool { environment != nil || options.isSupportedWithoutRun }

  /// Whether this process is a node of a run.
  static var isInRun: Bool { environment != nil }

  static var shared: WCSession { only.value }

  private static let only: Unchecked<WCSession> = {
    let runtime = SessionRuntime(
      options: options, role: environment?.node.role ?? .phone, isSupported: isSupported,
      isWithoutRun: environment == nil)
    let session = WCSession(runtime)
    // A node must join soon, whether its app activates the session at once or not.
    if let environment { ConductorThread.start(runtime, environment.node, folder: environment.folder) }
    return Unchecked(session)
  }()
}

extension SessionRuntime {
  fileprivate var isCounterpartInstalled: Bool {
    isPaired && !isWatchOnly && withNode { $0.session.isPeerInstalled }
  }

  fileprivate var remainingComplications: Int {
    guard role == .phone, isComplicationEnabled, isCounterpartInstalled else { return 0 }
    return withNode { $0.session.remainingComplicationTransfers(clock: $0.reading(at: now)) }
  }

  fileprivate var watchDirectory: URL? {
    guard role == .phone, isCounterpartInstalled, let folder = setup?.folder else { return nil }
    let path = "\(folder)/Watch/\(pairing)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return URL(fileURLWithPath: path, isDirectory: true)
  }
}

/// The state of a session's activation.
public enum WCSessionActivationState: Int, Sendable {
  /// Nothing can be sent, and nothing is delivered.
  case notActivated = 0
  /// A phone's session whose watch is being switched: nothing new can be sent, but what the old watch sent still
  /// arrives.
  case inactive = 1
  /// Everything works.
  case activated = 2
}
