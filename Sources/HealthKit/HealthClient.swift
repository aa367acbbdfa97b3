import DeviceClient
import Dispatch
import Foundation
import HealthSim
import WatchConnectivity

/// This process's connection to the health daemon of its device.
///
/// The proxies of sessions and queries are found by their numbers.
package final class HealthClient: @unchecked Sendable {
  package static let shared = HealthClient()

  typealias Reply = DeviceClient.Reply
  typealias Completion = (Reply) -> Void

  private let lock = NSLock()
  /// All answers come on it, in order; an app must hop to the main queue itself.
  let answers = DispatchQueue(label: "com.apple.HealthKit.answers")
  private var access: [String: (share: Int64, isReadAsked: Bool)] = [:]
  private var allowsAll = false
  private var sessions: [UInt64: Weak<HKWorkoutSession>] = [:]
  private var mirrors: [Int64: Weak<HKWorkoutSession>] = [:]
  private var observers: [Int64: (Int64) -> Void] = [:]
  private var mirrorHandler: ((HKWorkoutSession) -> Void)?
  private var launches: [Launch] = []
  private var launchHandler: ((HKWorkoutConfiguration?) -> Void)?

  let isInRun: Bool
  let isWatch: Bool

  private init() {
    isInRun = DeviceServices.isInRun
    isWatch = DeviceServices.isWatch
    DeviceClient.shared.listen(to: ["access", "store", "launch", "session", "builder", "mirror"]) {
      [unowned self] message in receive(message)
    }
  }

  // MARK: Calls

  func next() -> Int64 { DeviceClient.shared.next() }

  /// Sends a message without an answer.
  func send(_ name: String, _ fields: [DeviceField] = []) { DeviceClient.shared.send(name, fields) }

  /// Sends a message; the answer comes on ``answers``.
  func call(_ name: String, _ fields: [DeviceField] = [], _ completion: @escaping Completion) {
    guard isInRun else {
      let call = Unsent(completion)
      return answers.async { call.value(Reply(code: 1, text: "Health data is unavailable on this device")) }
    }
    DeviceClient.shared.call(name, fields, on: answers, completion)
  }

  /// Reports a call that is not simulated, as a finding of the run.
  static func reportMissing(_ call: String) {
    DeviceServices.report("healthKit", "the app calls \(call), which is not simulated")
  }

  // MARK: Messages

  private func receive(_ message: DeviceMessage) {
    let fields = message.fields
    switch message.name {
    case "access": receiveAccess(fields)
    case "store.changed":
      guard let observer = lock.withLock({ observers[fields.integer("observer")] }) else { return }
      let call = Unsent((observer, fields.integer("wake")))
      answers.async { call.value.0(call.value.1) }
    case "launch.workout", "launch.recovery": receiveLaunch(message)
    case "mirror.offered":
      AppLife.shared.beginMirroring()
      let session = HKWorkoutSession(mirror: fields)
      let handler = lock.withLock { () -> ((HKWorkoutSession) -> Void)? in
        mirrors[fields.integer("mirror")] = Weak(session)
        return mirrorHandler
      }
      guard let handler else { return }
      let call = Unsent((handler, session))
      answers.async { call.value.0(call.value.1) }
    default: session(of: fields)?.receive(message)
    }
  }

  private func session(of fields: [DeviceField]) -> HKWorkoutSession? {
    lock.withLock {
      if fields["session"] != nil { return sessions[UInt64(bitPattern: fields.integer("session"))]?.object }
      return mirrors[fields.integer("mirror")]?.object
    }
  }

  private func receiveAccess(_ fields: [DeviceField]) {
    lock.withLock {
      allowsAll = fields.flag("allowsAll")
      access = [:]
      for type in fields.list("types") {
        access[type.fields.text("type")] = (type.fields.integer("share"), type.fields.flag("isReadAsked"))
      }
    }
  }

  // MARK: Proxies

  func share(of type: String) -> Int64 { lock.withLock { access[type]?.share ?? (allowsAll ? 2 : 0) } }
  func isReadAsked(_ type: String) -> Bool { lock.withLock { access[type]?.isReadAsked ?? allowsAll } }

  func add(_ session: HKWorkoutSession, _ number: UInt64) { lock.withLock { sessions[number] = Weak(session) } }
  func remove(_ number: UInt64) { lock.withLock { sessions[number] = nil } }

  /// Number of a new session or builder: the random bits tell it from those of an earlier start of the app.
  func nextSession() -> UInt64 { UInt64.random(in: 1...(.max >> 1)) }

  /// Has a query told of changes; until ``stopObserving(_:)`` the closure keeps it alive, as the store keeps its queries.
  ///
  /// - Parameter observer: Gets the number of the wake that is to be ended, or 0.
  func observe(_ types: [String], _ id: Int64, _ observer: @escaping (Int64) -> Void) {
    lock.withLock { observers[id] = observer }
    send("store.observe", [DeviceField("observer", .integer(id)), DeviceField("types", .texts(types))])
  }

  func stopObserving(_ id: Int64) {
    guard lock.withLock({ observers.removeValue(forKey: id) }) != nil else { return }
    send("store.unobserve", [DeviceField("observer", .integer(id))])
  }

  var mirroringStartHandler: ((HKWorkoutSession) -> Void)? {
    get { lock.withLock { mirrorHandler } }
    set {
      lock.withLock { mirrorHandler = newValue }
      if newValue != nil { send("mirror.handler") }
    }
  }

  // MARK: Launches

  /// Asks the device whether it has started this app behind the foreground; answers on the main queue.
  package func askLaunch(_ completion: @escaping (Bool) -> Void) {
    call("life.launch") { reply in
      let call = Unsent((completion, reply.fields.flag("isBackground")))
      DispatchQueue.main.async { call.value.0(call.value.1) }
    }
  }

  /// Sets who gets what the system has started this app for: a configuration, or nil to recover a workout.
  ///
  /// What came before is handed over at once, on the main queue.
  package func setLaunchHandler(_ handler: @escaping (HKWorkoutConfiguration?) -> Void) {
    lock.withLock { launchHandler = handler }
    handOverLaunches()
  }

  private func receiveLaunch(_ message: DeviceMessage) {
    let isRecovery = message.name == "launch.recovery"
    let configuration =
      isRecovery
      ? nil
      : HKWorkoutConfiguration(
        activity: message.fields.integer("activity"), location: message.fields.integer("location"))
    lock.withLock { launches.append(Launch(configuration: configuration)) }
    handOverLaunches()
  }

  private func handOverLaunches() {
    lock.lock()
    let handler = launchHandler
    let waiting = handler == nil ? [] : launches
    if handler != nil { launches = [] }
    lock.unlock()
    guard let handler else { return }
    for launch in waiting {
      let call = Unsent(handler)
      let configuration = Unsent(launch.configuration)
      DispatchQueue.main.async { call.value(configuration.value) }
    }
  }

  /// What the system has started the app for.
  private struct Launch {
    /// Nil to recover a workout.
    var configuration: HKWorkoutConfiguration?
  }
}

extension DeviceClient.Reply {
  /// As HealthKit's error; nil for success.
  var error: (any Error)? { code == 0 ? nil : healthError(code, text) }
}

/// A weak reference.
struct Weak<Object: AnyObject> {
  weak var object: Object?
  init(_ object: Object) { self.object = object }
}
