import DeviceClient
public import Foundation
import HealthSim

/// What a session tells.
///
/// Called on a private serial queue, never on the main one.
public protocol HKWorkoutSessionDelegate: AnyObject {
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date)
  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error)
  func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent)
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date)
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date)
  func workoutSession(_ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data])
  func workoutSession(_ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?)
}

/// The methods that a delegate may leave out.
extension HKWorkoutSessionDelegate {
  public func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {}
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
  ) {}
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
  ) {}
  public func workoutSession(_ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]) {}
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
  ) {}
}

/// A workout session of this device, or the mirror of one on the watch.
///
/// A call returns at once and changes nothing yet; ``state`` and the delegate change together, when the device says so.
public final class HKWorkoutSession: NSObject, @unchecked Sendable {
  /// What an app can read.
  private struct Shown {
    var state = HKWorkoutSessionState.notStarted
    var startDate: Date?
    var endDate: Date?
    /// Data that the app has not been handed.
    var data: [Data] = []
  }

  public let workoutConfiguration: HKWorkoutConfiguration
  public let type: HKWorkoutSessionType
  /// Of this device's session: its number.
  let number: UInt64
  /// Of a mirror: its number.
  private let mirror: Int64
  private let store: HKHealthStore?
  private let lock = NSLock()
  private var shown = Shown()
  private weak var listener: (any HKWorkoutSessionDelegate)?
  private var builder: HKLiveWorkoutBuilder?
  /// The queue of the delegate: one for each session.
  private let queue = DispatchQueue(label: "com.apple.HealthKit.HKWorkoutSession")
  private var client: HealthClient { .shared }

  /// A weak reference.
  public weak var delegate: (any HKWorkoutSessionDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }
  public var state: HKWorkoutSessionState { lock.withLock { shown.state } }
  /// Nil until the activity starts.
  public var startDate: Date? { lock.withLock { shown.startDate } }
  public var endDate: Date? { lock.withLock { shown.endDate } }
  public var currentActivity: HKWorkoutActivity {
    HKWorkoutActivity(workoutConfiguration, start: startDate ?? Date.now, end: endDate)
  }
  public var activityType: HKWorkoutActivityType { workoutConfiguration.activityType }
  public var locationType: HKWorkoutSessionLocationType { workoutConfiguration.locationType }

  /// Creates a session, which is not started.
  public init(healthStore: HKHealthStore, configuration workoutConfiguration: HKWorkoutConfiguration) throws {
    guard HealthClient.shared.isInRun else { throw HKError(.errorHealthDataUnavailable) }
    self.workoutConfiguration = workoutConfiguration.copy() as? HKWorkoutConfiguration ?? workoutConfiguration
    type = .primary
    mirror = 0
    number = HealthClient.shared.nextSession()
    store = healthStore
    super.init()
    client.add(self, number)
    client.send("session.create", [session] + workoutConfiguration.fields)
  }

  /// The session that has outlived its app.
  init(recovered fields: [DeviceField]) {
    workoutConfiguration = HKWorkoutConfiguration(
      activity: fields.integer("activity"), location: fields.integer("location"))
    type = .primary
    mirror = 0
    number = UInt64(bitPattern: fields.integer("session"))
    store = HKHealthStore()
    super.init()
    show(fields)
    builder = HKLiveWorkoutBuilder(self, recovered: fields)
    client.add(self, number)
  }

  /// The mirror of a session on the watch.
  init(mirror fields: [DeviceField]) {
    workoutConfiguration = HKWorkoutConfiguration(
      activity: fields.integer("activity"), location: fields.integer("location"))
    type = .mirrored
    mirror = fields.integer("mirror")
    number = 0
    store = nil
    super.init()
    show(fields)
  }

  deinit { if type == .primary { HealthClient.shared.send("session.release", [session]) } }

  private func show(_ fields: [DeviceField]) {
    shown.state = HKWorkoutSessionState(rawValue: Int(fields.integer("state"))) ?? .notStarted
    if fields["startedAt"] != nil { shown.startDate = Date(nanoseconds: fields.integer("startedAt")) }
    if fields["endedAt"] != nil { shown.endDate = Date(nanoseconds: fields.integer("endedAt")) }
  }

  private var session: DeviceField { DeviceField("session", .integer(Int64(bitPattern: number))) }

  // MARK: Verbs

  private func call(_ verb: String, _ date: Date? = nil) {
    let date = DeviceField("date", .integer(date?.nanoseconds ?? 0))
    if type == .primary {
      client.send(verb, [session, date])
    } else {
      client.send(
        "mirror.verb", [DeviceField("mirror", .integer(mirror)), DeviceField("verb", .text(verb)), date])
    }
  }

  public func prepare() { call("session.prepare") }
  public func startActivity(with date: Date?) { call("session.start", date) }
  public func pause() { call("session.pause") }
  public func resume() { call("session.resume") }
  public func stopActivity(with date: Date?) { call("session.stop", date) }
  public func end() { call("session.end") }

  public func beginNewActivity(configuration: HKWorkoutConfiguration, date: Date, metadata: [String: Any]?) {
    HealthClient.reportMissing("HKWorkoutSession.beginNewActivity")
  }
  public func endCurrentActivity(on date: Date) {
    HealthClient.reportMissing("HKWorkoutSession.endCurrentActivity")
  }

  /// The session's builder: the same object each time.
  ///
  /// A mirror has none, and asking raises an exception.
  public func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder {
    guard type == .primary else { raise("associatedWorkoutBuilder is not available for a mirrored session") }
    return lock.withLock {
      if let builder { return builder }
      let made = HKLiveWorkoutBuilder(self)
      builder = made
      return made
    }
  }

  // MARK: Mirroring

  /// Mirrors the session to the phone.
  ///
  /// A success says that the request was taken, and nothing else.
  public func startMirroringToCompanionDevice(completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    client.call("mirror.start", [session]) { completion($0.code == 0, $0.error) }
  }
  public func startMirroringToCompanionDevice() async throws {
    try await throwing { done in self.startMirroringToCompanionDevice { done($0, $1) } }
  }
  public func stopMirroringToCompanionDevice(completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    client.call("mirror.stop", [session]) { completion($0.code == 0, $0.error) }
  }
  public func stopMirroringToCompanionDevice() async throws {
    try await throwing { done in self.stopMirroringToCompanionDevice { done($0, $1) } }
  }

  /// Sends data to the session on the other device.
  ///
  /// Success means that the data was accepted; it can still be lost.
  public func sendToRemoteWorkoutSession(data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    let fields = [session, DeviceField("mirror", .integer(mirror)), DeviceField("data", .bytes(Array(data)))]
    client.call("mirror.send", fields) { completion($0.code == 0, $0.error) }
  }
  public func sendToRemoteWorkoutSession(data: Data) async throws {
    try await throwing { done in self.sendToRemoteWorkoutSession(data: data) { done($0, $1) } }
  }

  // MARK: Messages of the device

  /// Receives a message; on the conductor's thread.
  func receive(_ message: DeviceMessage) {
    let fields = message.fields
    switch message.name {
    case "session.changed", "mirror.changed": queue.async { [self] in change(fields) }
    case "session.failed", "mirror.failed":
      let error = healthError(fields.integer("code"), "The workout session has failed")
      tell { $0.workoutSession($1, didFailWithError: error) }
    case "session.event", "mirror.event":
      let event = HKWorkoutEvent(message.name == "session.event" ? fields : fields.fields("event"))
      let builder = lock.withLock { self.builder }
      let isBuilderFirst = fields.flag("isBuilderFirst")
      if isBuilderFirst { builder?.receive(event: event) }
      tell { $0.workoutSession($1, didGenerate: event) }
      if !isBuilderFirst { builder?.receive(event: event) }
    case "mirror.data": receive(Data(fields.bytes("data")))
    case "mirror.lost":
      let code = fields.integer("code")
      let error = code == 0 ? nil : healthError(code, "Remote device is unreachable")
      tell { $0.workoutSession($1, didDisconnectFromRemoteDeviceWithError: error) }
    case "builder.collected": lock.withLock { builder }?.receive(statistics: fields.list("statistics"))
    default: break
    }
  }

  private func tell(_ call: @escaping @Sendable (any HKWorkoutSessionDelegate, HKWorkoutSession) -> Void) {
    queue.async { [self] in if let delegate { call(delegate, self) } }
  }

  private func change(_ fields: [DeviceField]) {
    guard let to = HKWorkoutSessionState(rawValue: Int(fields.integer("to"))),
      let from = HKWorkoutSessionState(rawValue: Int(fields.integer("from")))
    else { return }
    let date = Date(nanoseconds: fields.integer("date"))
    lock.withLock {
      shown.state = to
      if to == .running, shown.startDate == nil { shown.startDate = date }
      if (to == .stopped || to == .ended), shown.endDate == nil { shown.endDate = date }
    }
    delegate?.workoutSession(self, didChangeTo: to, from: from, date: date)
  }

  /// Hands data over: all that has come while the app was suspended, at once.
  private func receive(_ data: Data) {
    let isFirst = lock.withLock { () -> Bool in
      shown.data.append(data)
      return shown.data.count == 1
    }
    guard isFirst else { return }
    queue.async { [self] in
      let all = lock.withLock { () -> [Data] in
        defer { shown.data = [] }
        return shown.data
      }
      delegate?.workoutSession(self, didReceiveDataFromRemoteWorkoutSession: all)
    }
  }
}
