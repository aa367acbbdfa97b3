import DeviceClient
public import Foundation
import HealthSim
import Link

/// What a query returns of objects at the ends of its interval.
public struct HKQueryOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let strictStartDate = Self(rawValue: 1)
  public static let strictEndDate = Self(rawValue: 2)
}

public let HKObjectQueryNoLimit = 0
public let HKSampleSortIdentifierStartDate = "startDate"
public let HKSampleSortIdentifierEndDate = "endDate"
public let HKPredicateKeyPathStartDate = "startDate"
public let HKPredicateKeyPathEndDate = "endDate"

/// A query of a health store.
///
/// Its handlers come on a private queue.
public class HKQuery: NSObject, @unchecked Sendable {
  public let objectType: HKObjectType?
  public let predicate: NSPredicate?
  private let lock = NSLock()
  private var state = (isStarted: false, isStopped: false)

  init(_ type: HKObjectType?, _ predicate: NSPredicate?) {
    objectType = type
    self.predicate = predicate
  }

  var isStopped: Bool { lock.withLock { state.isStopped } }

  func start() {
    let isFirst = lock.withLock { () -> Bool in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    // A second start of one query raises an exception, which ends the app.
    guard isFirst else { raise("You cannot start a query that is already active") }
    execute()
  }

  func stop() {
    lock.withLock { state.isStopped = true }
    end()
  }

  func execute() {}
  func end() {}

  // MARK: Reading

  /// What a read gives.
  struct Found {
    var samples: [HKSample]
    var deleted: [HKDeletedObject]
    var anchor: Int64
  }

  /// Reads samples that match the predicate, in the order of their start.
  static func read(
    _ types: [HKObjectType], _ predicate: NSPredicate?, after anchor: Int64 = 0,
    _ completion: @escaping (Result<Found, any Error>) -> Void
  ) {
    let fields = [
      DeviceField("types", .texts(types.map(\.identifier))), DeviceField("after", .integer(anchor)),
    ]
    let predicate = predicate.map { Unsent($0) }
    HealthClient.shared.call("store.read", fields) { reply in
      if let error = reply.error { return completion(.failure(error)) }
      let samples = reply.fields.list("samples").map { HKSample.make(HealthSample($0)) }
        .filter { predicate?.value.evaluate(with: $0) ?? true }
        .enumerated().sorted { ($0.element.startDate, $0.offset) < ($1.element.startDate, $1.offset) }
        .map(\.element)
      let removed = reply.fields.list("removed").map {
        HKDeletedObject(uuid: UUID([DeviceField("uuid", $0)].identifier("uuid")))
      }
      completion(.success(Found(samples: samples, deleted: removed, anchor: reply.fields.integer("anchor"))))
    }
  }

  // MARK: Predicates

  private static func predicate(_ matches: @escaping (HKSample) -> Bool) -> NSPredicate {
    NSPredicate { object, _ in (object as? HKSample).map(matches) ?? false }
  }

  /// Samples that overlap an interval; a strict option wants the start or the end within it.
  public class func predicateForSamples(
    withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
  ) -> NSPredicate {
    predicate { sample in
      if let startDate {
        guard options.contains(.strictStartDate) ? sample.startDate >= startDate : sample.endDate >= startDate else {
          return false
        }
      }
      guard let endDate else { return true }
      return options.contains(.strictEndDate) ? sample.endDate <= endDate : sample.startDate < endDate
    }
  }

  public class func predicateForObject(with UUID: UUID) -> NSPredicate { predicate { $0.uuid == UUID } }
  public class func predicateForObjects(with UUIDs: Set<UUID>) -> NSPredicate { predicate { UUIDs.contains($0.uuid) } }
  public class func predicateForObjects(from source: HKSource) -> NSPredicate { predicate { $0.source == source } }
  public class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
    predicate { sources.contains($0.source) }
  }
  public class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
    predicate { $0.workout == Identifier(workout.uuid) }
  }
  public class func predicateForObjects(withMetadataKey key: String) -> NSPredicate {
    predicate { $0.metadata?[key] != nil }
  }
  public class func predicateForObjects(withMetadataKey key: String, allowedValues: [Any]) -> NSPredicate {
    predicate { sample in
      guard let value = sample.metadata?[key] as? AnyHashable else { return false }
      return allowedValues.contains { ($0 as? AnyHashable) == value }
    }
  }
  public class func predicateForWorkouts(with workoutActivityType: HKWorkoutActivityType) -> NSPredicate {
    predicate { ($0 as? HKWorkout)?.workoutActivityType == workoutActivityType }
  }
}

extension NSSortDescriptor {
  /// Sorts samples by ``HKSampleSortIdentifierStartDate`` or ``HKSampleSortIdentifierEndDate``.
  public convenience init(key: String?, ascending: Bool) {
    if key == HKSampleSortIdentifierEndDate {
      self.init(keyPath: \HKSample.endDate, ascending: ascending)
    } else {
      self.init(keyPath: \HKSample.startDate, ascending: ascending)
    }
  }
}

/// Reads once.
public final class HKSampleQuery: HKQuery, @unchecked Sendable {
  public let limit: Int
  public let sortDescriptors: [NSSortDescriptor]?
  private let types: [HKObjectType]
  private let handler: @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

  public init(
    sampleType: HKSampleType, predicate: NSPredicate?, limit: Int, sortDescriptors: [NSSortDescriptor]?,
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    self.limit = limit
    self.sortDescriptors = sortDescriptors
    types = [sampleType]
    handler = resultsHandler
    super.init(sampleType, predicate)
  }

  override func execute() {
    Self.read(types, predicate) { [self] result in
      guard !isStopped else { return }
      switch result {
      case .failure(let error): handler(self, nil, error)
      case .success(let found): handler(self, Self.arrange(found.samples, sortDescriptors, limit), nil)
      }
    }
  }

  /// Sorts by start or end, and takes the first.
  static func arrange(_ samples: [HKSample], _ descriptors: [NSSortDescriptor]?, _ limit: Int) -> [HKSample] {
    var samples = samples
    if let descriptor = descriptors?.first {
      let byEnd = descriptor.keyPath == \HKSample.endDate
      func date(_ sample: HKSample) -> Date { byEnd ? sample.endDate : sample.startDate }
      samples = samples.enumerated().sorted { lhs, rhs in
        let (left, right) = (date(lhs.element), date(rhs.element))
        return left == right ? lhs.offset < rhs.offset : (left < right) == descriptor.ascending
      }.map(\.element)
    }
    return limit > 0 ? Array(samples.prefix(limit)) : samples
  }
}

/// A place in the changes of a store; not to be mixed between types.
public final class HKQueryAnchor: NSObject, NSSecureCoding, @unchecked Sendable {
  let number: Int64

  public init(fromValue value: Int) { number = Int64(value) }

  public static var supportsSecureCoding: Bool { true }
  public func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
  public init?(coder: NSCoder) { number = coder.decodeInt64(forKey: "number") }
  public override func isEqual(_ object: Any?) -> Bool { (object as? HKQueryAnchor)?.number == number }
  public override var hash: Int { number.hashValue }
}

/// Reads what has changed since an anchor, and with an update handler every later change.
public final class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {
  public typealias Handler =
    @Sendable (HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?) -> Void

  private let limit: Int
  private let handler: Handler
  private var anchor: Int64
  private let id = HealthClient.shared.next()
  /// Set before the query is executed.
  public var updateHandler: Handler?

  public init(
    type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
    resultsHandler handler: @escaping Handler
  ) {
    self.anchor = anchor?.number ?? 0
    self.limit = limit
    self.handler = handler
    super.init(type, predicate)
  }

  override func execute() {
    advance(handler)
    guard let updateHandler, let objectType else { return }
    HealthClient.shared.observe([objectType.identifier], id) { [self] _ in advance(updateHandler) }
  }

  override func end() { HealthClient.shared.stopObserving(id) }

  private func advance(_ handler: @escaping Handler) {
    guard let objectType, !isStopped else { return }
    Self.read([objectType], predicate, after: anchor) { [self] result in
      guard !isStopped else { return }
      switch result {
      case .failure(let error): handler(self, nil, nil, nil, error)
      case .success(let found):
        anchor = found.anchor
        let samples = limit > 0 ? Array(found.samples.prefix(limit)) : found.samples
        handler(self, samples, found.deleted, HKQueryAnchor(fromValue: Int(found.anchor)), nil)
      }
    }
  }
}

/// What an app calls once it has handled an observer query's update.
public typealias HKObserverQueryCompletionHandler = @Sendable () -> Void

/// Says that something has changed, and not what.
public final class HKObserverQuery: HKQuery, @unchecked Sendable {
  public typealias UpdateHandler =
    @Sendable (HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?) -> Void
  private let handler: UpdateHandler
  private let id = HealthClient.shared.next()

  public init(sampleType: HKSampleType, predicate: NSPredicate?, updateHandler: @escaping UpdateHandler) {
    handler = updateHandler
    super.init(sampleType, predicate)
  }

  override func execute() {
    guard let objectType else { return }
    HealthClient.shared.observe([objectType.identifier], id) { [self] wake in
      guard !isStopped else { return }
      handler(
        self,
        { if wake != 0 { HealthClient.shared.send("store.handled", [DeviceField("wake", .integer(wake))]) } }, nil)
    }
  }

  override func end() { HealthClient.shared.stopObserving(id) }
}

/// Reads the sources of a type's samples.
public final class HKSourceQuery: HKQuery, @unchecked Sendable {
  private let handler: @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void

  public init(
    sampleType: HKSampleType, samplePredicate: NSPredicate?,
    completionHandler: @escaping @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void
  ) {
    handler = completionHandler
    super.init(sampleType, samplePredicate)
  }

  override func execute() {
    guard let objectType else { return }
    Self.read([objectType], predicate) { [self] result in
      switch result {
      case .failure(let error): handler(self, nil, error)
      case .success(let found): handler(self, Set(found.samples.map(\.source)), nil)
      }
    }
  }
}
