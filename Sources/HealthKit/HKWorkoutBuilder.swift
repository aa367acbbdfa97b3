public import CoreLocation
import DeviceClient
public import Foundation
import HealthSim

/// Builds a workout: begin, samples and events, end, finish.
///
/// Its completions come on a private queue.
public class HKWorkoutBuilder: NSObject, @unchecked Sendable {
  public let workoutConfiguration: HKWorkoutConfiguration
  let number: UInt64
  let lock = NSLock()
  private var known = Known()
  private var client: HealthClient { .shared }

  private struct Known {
    var startDate: Date?
    var endDate: Date?
    var metadata: [String: Any] = [:]
    var events: [HKWorkoutEvent] = []
    var statistics: [String: TypeStatistics] = [:]
  }

  /// A builder without a session.
  public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?) {
    workoutConfiguration = configuration
    number = HealthClient.shared.nextSession()
    super.init()
    client.send("builder.create", [session] + configuration.fields)
  }

  init(_ configuration: HKWorkoutConfiguration, number: UInt64) {
    workoutConfiguration = configuration
    self.number = number
  }

  var session: DeviceField { DeviceField("session", .integer(Int64(bitPattern: number))) }

  func restore(_ fields: [DeviceField]) {
    lock.withLock {
      if fields.integer("begunAt") != 0 { known.startDate = Date(nanoseconds: fields.integer("begunAt")) }
      for value in fields.list("statistics") {
        let statistics = TypeStatistics(value)
        known.statistics[statistics.type] = statistics
      }
      known.events = fields.list("events").map { HKWorkoutEvent($0.fields) }
      known.metadata = Metadata.dictionary(fields.fields("metadata")) ?? [:]
    }
  }

  // MARK: What is known

  public var device: HKDevice? { .local() }
  public var startDate: Date? { lock.withLock { known.startDate } }
  public var endDate: Date? { lock.withLock { known.endDate } }
  public var metadata: [String: Any] { lock.withLock { known.metadata } }
  public var workoutEvents: [HKWorkoutEvent] { lock.withLock { known.events } }
  public var workoutActivities: [HKWorkoutActivity] {
    startDate.map { [HKWorkoutActivity(workoutConfiguration, start: $0, end: endDate)] } ?? []
  }

  /// Nil until a sample of the type has come.
  public func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    lock.withLock { known.statistics[quantityType.identifier] }.map { HKStatistics($0) }
  }
  public var allStatistics: [HKQuantityType: HKStatistics] {
    let all = lock.withLock { known.statistics }
    return Dictionary(
      uniqueKeysWithValues: all.map { (HKQuantityType(.init(rawValue: $0.key)), HKStatistics($0.value)) })
  }

  /// The time until a date in which the workout was not paused, in seconds.
  public func elapsedTime(at date: Date) -> TimeInterval {
    let (start, events, end) = lock.withLock { (known.startDate, known.events, known.endDate) }
    guard let start else { return 0 }
    var builder = WorkoutBuilderState()
    builder.begunAt = start.nanoseconds
    builder.events = events.map { WorkoutBuilderState.Event($0.encoded) }
    let until = min(date, end ?? date)
    return Double(builder.activeTime(until: until.nanoseconds)) / 1e9
  }

  // MARK: The order of calls

  private func call(
    _ name: String, _ fields: [DeviceField] = [], _ completion: @escaping (Bool, (any Error)?) -> Void
  ) { client.call(name, [session] + fields) { completion($0.code == 0, $0.error) } }

  public func beginCollection(
    withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    call("builder.begin", [DeviceField("date", .integer(startDate.nanoseconds))]) { [self] isDone, error in
      if isDone { lock.withLock { known.startDate = startDate } }
      completion(isDone, error)
    }
  }
  public func beginCollection(at startDate: Date) async throws {
    try await throwing { done in self.beginCollection(withStart: startDate) { done($0, $1) } }
  }

  public func endCollection(withEnd endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    call("builder.endCollection", [DeviceField("date", .integer(endDate.nanoseconds))]) { [self] isDone, error in
      if isDone { lock.withLock { known.endDate = endDate } }
      completion(isDone, error)
    }
  }
  public func endCollection(at endDate: Date) async throws {
    try await throwing { done in self.endCollection(withEnd: endDate) { done($0, $1) } }
  }

  public func add(_ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    call("builder.addSamples", [DeviceField("samples", .list(samples.map(\.stored.encoded)))], completion)
  }
  public func addSamples(_ samples: [HKSample]) async throws {
    try await throwing { done in self.add(samples) { done($0, $1) } }
  }

  public func addWorkoutEvents(
    _ workoutEvents: [HKWorkoutEvent], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let fields = [DeviceField("events", .list(workoutEvents.map(\.encoded)))]
    call("builder.addEvents", fields) { [self] isDone, error in
      if isDone { workoutEvents.forEach(receive) }
      completion(isDone, error)
    }
  }
  public func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
    try await throwing { done in self.addWorkoutEvents(workoutEvents) { done($0, $1) } }
  }

  public func addMetadata(
    _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let added = Unsent(metadata)
    call("builder.addMetadata", [DeviceField("metadata", .record(Metadata.fields(metadata)))]) { [self] isDone, error in
      if isDone { lock.withLock { known.metadata.merge(added.value) { $1 } } }
      completion(isDone, error)
    }
  }
  public func addMetadata(_ metadata: [String: Any]) async throws {
    let added = Unsent(metadata)
    try await throwing { done in self.addMetadata(added.value) { done($0, $1) } }
  }

  /// Saves the workout.
  ///
  /// Neither a workout nor an error means that it is saved, and not readable on a locked device.
  public func finishWorkout(completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void) {
    client.call("builder.finish", [session]) { reply in
      let workout = reply.fields["workout"].map { HKWorkout(HealthSample($0)) }
      completion(workout, reply.error)
    }
  }
  public func finishWorkout() async throws -> HKWorkout? {
    try await withCheckedThrowingContinuation { continuation in
      finishWorkout { workout, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: workout) }
      }
    }
  }

  /// Gives the workout up; its samples stay in the store.
  public func discardWorkout() { client.send("builder.discard", [session]) }

  public func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? { HKWorkoutRouteBuilder(of: self) }

  // MARK: Messages

  func receive(event: HKWorkoutEvent) { lock.withLock { known.events.append(event) } }

  /// Takes new statistics; returns the types.
  func take(_ statistics: [DeviceValue]) -> Set<HKSampleType> {
    let all = statistics.map { TypeStatistics($0) }
    lock.withLock { for statistics in all { known.statistics[statistics.type] = statistics } }
    return Set(all.map { HKQuantityType(.init(rawValue: $0.type)) })
  }
}

/// What a live builder tells.
///
/// Called on a private serial queue, another one than the session's.
public protocol HKLiveWorkoutBuilderDelegate: AnyObject {
  func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>)
  func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder)
}

/// Which types the device collects for a workout.
public final class HKLiveWorkoutDataSource: NSObject, @unchecked Sendable {
  private let lock = NSLock()
  private var types: Set<HKQuantityType>
  private weak var builder: HKLiveWorkoutBuilder?

  public init(healthStore: HKHealthStore, workoutConfiguration configuration: HKWorkoutConfiguration?) {
    types = configuration?.collectedTypes ?? []
  }

  public var typesToCollect: Set<HKQuantityType> { lock.withLock { types } }

  public func enableCollection(for quantityType: HKQuantityType, predicate: NSPredicate?) {
    lock.withLock { _ = types.insert(quantityType) }
    builder?.sendTypes()
  }
  public func disableCollection(for quantityType: HKQuantityType) {
    lock.withLock { _ = types.remove(quantityType) }
    builder?.sendTypes()
  }

  func attach(to builder: HKLiveWorkoutBuilder) { lock.withLock { self.builder = builder } }
}

/// The builder of a session: it gets what the device measures.
public final class HKLiveWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
  private weak var owner: HKWorkoutSession?
  private weak var listener: (any HKLiveWorkoutBuilderDelegate)?
  private var source: HKLiveWorkoutDataSource?
  private let queue = DispatchQueue(label: "com.apple.HealthKit.HKLiveWorkoutBuilder")
  /// Set before the collection begins.
  public var shouldCollectWorkoutEvents = true

  init(_ session: HKWorkoutSession) {
    owner = session
    super.init(session.workoutConfiguration, number: session.number)
  }

  init(_ session: HKWorkoutSession, recovered fields: [DeviceField]) {
    owner = session
    super.init(session.workoutConfiguration, number: session.number)
    restore(fields)
  }

  /// A weak reference.
  public weak var delegate: (any HKLiveWorkoutBuilderDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }
  public var workoutSession: HKWorkoutSession? { owner }

  /// Nil collects nothing; after a recovery it must be set again.
  public var dataSource: HKLiveWorkoutDataSource? {
    get { lock.withLock { source } }
    set {
      lock.withLock { source = newValue }
      newValue?.attach(to: self)
      sendTypes()
    }
  }

  /// The time so far in which the workout was not paused, in seconds.
  public var elapsedTime: TimeInterval { elapsedTime(at: Date.now) }

  func sendTypes() {
    let types = dataSource?.typesToCollect.map(\.identifier).sorted() ?? []
    HealthClient.shared.send("builder.collect", [session, DeviceField("types", .texts(types))])
  }

  func receive(statistics: [DeviceValue]) {
    queue.async { [self] in
      let types = take(statistics)
      delegate?.workoutBuilder(self, didCollectDataOf: types)
    }
  }

  override func receive(event: HKWorkoutEvent) {
    guard shouldCollectWorkoutEvents else { return }
    super.receive(event: event)
    queue.async { [self] in delegate?.workoutBuilderDidCollectEvent(self) }
  }
}
