import DeviceClient
public import Foundation
import HealthSim

/// Whether an app may save samples of a type; the raw values are the framework's.
public enum HKAuthorizationStatus: Int, Sendable { case notDetermined = 0, sharingDenied, sharingAuthorized }

/// Whether a request would show a sheet; the raw values are the framework's.
public enum HKAuthorizationRequestStatus: Int, Sendable { case unknown = 0, shouldRequest, unnecessary }

/// How often an app is woken for changes; the raw values are the framework's.
public enum HKUpdateFrequency: Int, Sendable { case immediate = 1, hourly, daily, weekly }

/// The health store of this device.
///
/// All its completions come on a private queue.
public final class HKHealthStore: NSObject, @unchecked Sendable {
  private var client: HealthClient { .shared }

  public override init() {
    super.init()
    // The first use connects the process to its device.
    _ = HealthClient.shared
  }

  /// Whether this device has health data: true in a run.
  public class func isHealthDataAvailable() -> Bool { HealthClient.shared.isInRun }
  public func supportsHealthRecords() -> Bool { false }

  // MARK: Authorization

  /// Asks for access: with a sheet if a type was never answered.
  ///
  /// `success` says that the request was processed.
  public func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let fields = Self.fields(typesToShare ?? [], typesToRead ?? [])
    client.call("access.request", fields) { completion($0.code == 0, $0.error) }
  }

  public func requestAuthorization(
    toShare typesToShare: Set<HKSampleType> = [], read typesToRead: Set<HKObjectType> = []
  ) async throws {
    try await throwing { done in
      self.requestAuthorization(toShare: typesToShare, read: typesToRead) { done($0, $1) }
    }
  }

  /// Whether samples of a type may be saved.
  ///
  /// Whether they may be read is not revealed.
  public func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
    HKAuthorizationStatus(rawValue: Int(client.share(of: type.identifier))) ?? .notDetermined
  }

  public func getRequestStatusForAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
    completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
  ) {
    let client = client
    let isOpen =
      typesToShare.contains { client.share(of: $0.identifier) == 0 }
      || typesToRead.contains { !client.isReadAsked($0.identifier) }
    guard client.isInRun else { return completion(.unknown, healthError(1, "Health data is unavailable")) }
    client.answers.async { completion(isOpen ? .shouldRequest : .unnecessary, nil) }
  }

  public func statusForAuthorizationRequest(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws -> HKAuthorizationRequestStatus {
    try await withCheckedThrowingContinuation { continuation in
      getRequestStatusForAuthorization(toShare: typesToShare, read: typesToRead) { status, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: status) }
      }
    }
  }

  private static func fields(_ share: Set<HKSampleType>, _ read: Set<HKObjectType>) -> [DeviceField] {
    [
      DeviceField("share", .texts(share.map(\.identifier).sorted())),
      DeviceField("read", .texts(read.map(\.identifier).sorted())),
    ]
  }

  // MARK: Saving and deleting

  public func save(_ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    save([object], withCompletion: completion)
  }

  /// Saves all objects or none.
  public func save(_ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    let samples = objects.compactMap { ($0 as? HKSample)?.stored.encoded }
    client.call("store.save", [DeviceField("samples", .list(samples))]) { completion($0.code == 0, $0.error) }
  }

  public func save(_ object: HKObject) async throws { try await save([object]) }
  public func save(_ objects: [HKObject]) async throws {
    try await throwing { done in self.save(objects) { done($0, $1) } }
  }

  public func delete(_ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    delete([object], withCompletion: completion)
  }

  /// Deletes own objects: all or none.
  public func delete(
    _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let uuids = objects.map { DeviceValue.identifier(.init($0.uuid)) }
    client.call("store.delete", [DeviceField("uuids", .list(uuids))]) { completion($0.code == 0, $0.error) }
  }

  /// Deletes an app's own objects of a type; how many there were comes with the answer.
  public func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
    guard let type = objectType as? HKSampleType else { return 0 }
    let found: [HKSample] = try await withCheckedThrowingContinuation { continuation in
      let query = HKSampleQuery(
        sampleType: type, predicate: predicate, limit: HKObjectQueryNoLimit, sortDescriptors: nil
      ) { _, samples, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: samples ?? []) }
      }
      execute(query)
    }
    let own = found.filter { $0.sourceRevision.source == HKSource.default() }
    if !own.isEmpty { try await delete(own) }
    return own.count
  }

  public func delete(_ object: HKObject) async throws { try await delete([object]) }
  public func delete(_ objects: [HKObject]) async throws {
    try await throwing { done in self.delete(objects) { done($0, $1) } }
  }

  // MARK: Queries

  public func execute(_ query: HKQuery) { query.start() }
  public func stop(_ query: HKQuery) { query.stop() }

  /// Has the app woken, or started behind the foreground, for changes of a type.
  ///
  /// Each wake must be ended by the completion handler of an observer query, on a watch within 15 s.
  public func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency,
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { deliver(type, frequency.rawValue, completion) }
  public func enableBackgroundDelivery(for type: HKObjectType, frequency: HKUpdateFrequency) async throws {
    try await throwing { done in
      self.enableBackgroundDelivery(for: type, frequency: frequency) { done($0, $1) }
    }
  }
  public func disableBackgroundDelivery(
    for type: HKObjectType, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { deliver(type, 0, completion) }
  public func disableAllBackgroundDelivery(completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    deliver(nil, 0, completion)
  }

  private func deliver(
    _ type: HKObjectType?, _ frequency: Int, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let fields = [
      DeviceField("type", .text(type?.identifier ?? "")), DeviceField("frequency", .integer(Int64(frequency))),
    ]
    client.call("store.deliver", fields) { completion($0.code == 0, $0.error) }
  }

  // MARK: Characteristics

  /// No athlete of a run has said it.
  public func dateOfBirthComponents() throws -> DateComponents {
    HealthClient.reportMissing("HKHealthStore.dateOfBirthComponents")
    throw healthError(11, "No data available for the specified predicate")
  }

  /// No athlete of a run has said it.
  public func biologicalSex() throws -> HKBiologicalSexObject {
    HealthClient.reportMissing("HKHealthStore.biologicalSex")
    throw healthError(11, "No data available for the specified predicate")
  }

  // MARK: Workouts

  /// The start of the watch's app: a success only means that the request was sent.
  public func startWatchApp(
    with workoutConfiguration: HKWorkoutConfiguration, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { client.call("mirror.launch", workoutConfiguration.fields) { completion($0.code == 0, $0.error) } }

  public func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
    try await throwing { done in self.startWatchApp(with: workoutConfiguration) { done($0, $1) } }
  }

  /// Called for each mirrored session, and again after each loss, each time with another object.
  ///
  /// Set it at every launch.
  public var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
    get {
      guard let handler = client.mirroringStartHandler else { return nil }
      let call = Unsent(handler)
      return { call.value($0) }
    }
    set { client.mirroringStartHandler = newValue }
  }

  /// A new object for the session that goes on; nil if there is none.
  public func recoverActiveWorkoutSession(completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void) {
    client.call("session.recover") { reply in
      let found = reply.fields.fields("found")
      completion(found.isEmpty ? nil : HKWorkoutSession(recovered: found), reply.error)
    }
  }
  public func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
    try await withCheckedThrowingContinuation { continuation in
      recoverActiveWorkoutSession { session, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: session) }
      }
    }
  }

  @available(*, deprecated, renamed: "HKWorkoutSession.startActivity(with:)")
  public func start(_ workoutSession: HKWorkoutSession) { workoutSession.startActivity(with: nil) }
  @available(*, deprecated, renamed: "HKWorkoutSession.end()")
  public func end(_ workoutSession: HKWorkoutSession) { workoutSession.end() }
  @available(*, deprecated, renamed: "HKWorkoutSession.pause()")
  public func pause(_ workoutSession: HKWorkoutSession) { workoutSession.pause() }
  @available(*, deprecated, renamed: "HKWorkoutSession.resume()")
  public func resumeWorkoutSession(_ workoutSession: HKWorkoutSession) { workoutSession.resume() }
}

/// Awaits a completion of success and error; throws for false.
func throwing(_ call: @escaping (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void) async throws {
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    call { isDone, error in
      if isDone {
        continuation.resume()
      } else {
        continuation.resume(throwing: error ?? HKError(.unknownError))
      }
    }
  }
}

public enum HKBiologicalSex: Int, Sendable { case notSet = 0, female, male, other }

public final class HKBiologicalSexObject: NSObject, Sendable {
  public let biologicalSex = HKBiologicalSex.notSet
}
