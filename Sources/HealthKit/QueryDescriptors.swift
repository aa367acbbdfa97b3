import DeviceClient
public import Foundation

/// A type and a predicate of a descriptor.
public struct HKSamplePredicate<Sample: HKSample>: @unchecked Sendable {
  let type: HKSampleType
  let predicate: NSPredicate?

  public static func sample(type: HKSampleType, predicate: NSPredicate? = nil) -> HKSamplePredicate<HKSample> {
    .init(type: type, predicate: predicate)
  }
  public static func quantitySample(
    type: HKQuantityType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKQuantitySample> { .init(type: type, predicate: predicate) }
  public static func categorySample(
    type: HKCategoryType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKCategorySample> { .init(type: type, predicate: predicate) }
  public static func workout(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKWorkout> {
    .init(type: HKWorkoutType(), predicate: predicate)
  }
}

/// Reads once.
public struct HKSampleQueryDescriptor<Sample: HKSample>: @unchecked Sendable {
  private let predicates: [HKSamplePredicate<Sample>]
  private let sortDescriptors: [SortDescriptor<Sample>]
  private let limit: Int?

  public init(
    predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>], limit: Int? = nil
  ) {
    self.predicates = predicates
    self.sortDescriptors = sortDescriptors
    self.limit = limit
  }

  public func result(for healthStore: HKHealthStore) async throws -> [Sample] {
    var samples: [Sample] = []
    for predicate in predicates {
      let found = try await HKQuery.read([predicate.type], predicate.predicate)
      samples += found.samples.compactMap { $0 as? Sample }
    }
    if !sortDescriptors.isEmpty { samples.sort(using: sortDescriptors) }
    return limit.map { Array(samples.prefix($0)) } ?? samples
  }
}

/// Reads what has changed since an anchor, and every later change.
public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample>: @unchecked Sendable {
  /// What has changed.
  public struct Result: @unchecked Sendable {
    public let addedSamples: [Sample]
    public let deletedObjects: [HKDeletedObject]
    public let newAnchor: HKQueryAnchor
  }

  private let predicates: [HKSamplePredicate<Sample>]
  private let anchor: HKQueryAnchor?

  public init(predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil) {
    self.predicates = predicates
    self.anchor = anchor
  }

  public func result(for healthStore: HKHealthStore) async throws -> Result { try await changes(after: anchor) }

  private func changes(after anchor: HKQueryAnchor?) async throws -> Result {
    var added: [Sample] = []
    var deleted: [HKDeletedObject] = []
    var last = anchor?.number ?? 0
    for predicate in predicates {
      let found = try await HKQuery.read([predicate.type], predicate.predicate, after: anchor?.number ?? 0)
      added += found.samples.compactMap { $0 as? Sample }
      deleted += found.deleted
      last = max(last, found.anchor)
    }
    return Result(addedSamples: added, deletedObjects: deleted, newAnchor: HKQueryAnchor(fromValue: Int(last)))
  }

  /// The changes so far, and then each later one, until the loop ends.
  public func results(for healthStore: HKHealthStore) -> AsyncThrowingStream<Result, any Error> {
    let descriptor = self
    let types = predicates.map(\.type.identifier)
    return AsyncThrowingStream { continuation in
      let id = HealthClient.shared.next()
      let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      HealthClient.shared.observe(types, id) { _ in waker.yield() }
      waker.yield()
      let task = Task {
        var anchor = descriptor.anchor
        var isFirst = true
        for await _ in wakes {
          do {
            let result = try await descriptor.changes(after: anchor)
            anchor = result.newAnchor
            let isEmpty = result.addedSamples.isEmpty && result.deletedObjects.isEmpty
            if isFirst || !isEmpty { continuation.yield(result) }
            isFirst = false
          } catch { return continuation.finish(throwing: error) }
        }
      }
      continuation.onTermination = { _ in
        task.cancel()
        HealthClient.shared.stopObserving(id)
      }
    }
  }
}

/// Computes statistics once.
public struct HKStatisticsQueryDescriptor: @unchecked Sendable {
  private let predicate: HKSamplePredicate<HKQuantitySample>
  private let options: HKStatisticsOptions

  public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
    self.predicate = predicate
    self.options = options
  }

  /// Nil without samples.
  public func result(for healthStore: HKHealthStore) async throws -> HKStatistics? {
    guard let type = predicate.type as? HKQuantityType else { return nil }
    let samples = try await HKQuery.read([type], predicate.predicate).samples.compactMap { $0 as? HKQuantitySample }
    guard let first = samples.first, let last = samples.map(\.endDate).max() else { return nil }
    return HKStatistics.make(type, samples, from: first.startDate, to: last, options)
  }
}

/// Computes statistics for each interval.
public struct HKStatisticsCollectionQueryDescriptor: @unchecked Sendable {
  private let predicate: HKSamplePredicate<HKQuantitySample>
  private let options: HKStatisticsOptions
  private let anchorDate: Date
  private let intervalComponents: DateComponents

  public init(
    predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions, anchorDate: Date,
    intervalComponents: DateComponents
  ) {
    self.predicate = predicate
    self.options = options
    self.anchorDate = anchorDate
    self.intervalComponents = intervalComponents
  }

  public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
    guard let type = predicate.type as? HKQuantityType else { return HKStatisticsCollection([]) }
    let samples = try await HKQuery.read([type], predicate.predicate).samples.compactMap { $0 as? HKQuantitySample }
    return HKStatisticsCollection(
      HKStatisticsCollectionQuery.intervals(of: samples, type, options, anchorDate, intervalComponents))
  }
}

extension HKQuery {
  /// Reads samples that match the predicate, in the order of their start.
  static func read(_ types: [HKObjectType], _ predicate: NSPredicate?, after anchor: Int64 = 0) async throws -> Found {
    let found: Unsent<Found> = try await withCheckedThrowingContinuation { continuation in
      read(types, predicate, after: anchor) { continuation.resume(with: $0.map { Unsent($0) }) }
    }
    return found.value
  }
}
