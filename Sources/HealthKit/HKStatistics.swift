public import Foundation

/// What is computed of samples; the raw values are the framework's.
public struct HKStatisticsOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let separateBySource = Self(rawValue: 1 << 0)
  public static let discreteAverage = Self(rawValue: 1 << 1)
  public static let discreteMin = Self(rawValue: 1 << 2)
  public static let discreteMax = Self(rawValue: 1 << 3)
  public static let cumulativeSum = Self(rawValue: 1 << 4)
  public static let mostRecent = Self(rawValue: 1 << 5)
  public static let duration = Self(rawValue: 1 << 6)
}

/// Sums and averages of samples of a type.
public class HKStatistics: NSObject, @unchecked Sendable {
  public let quantityType: HKQuantityType
  public internal(set) var startDate: Date
  public internal(set) var endDate: Date
  /// With `separateBySource`; otherwise nil.
  public internal(set) var sources: [HKSource]?
  var unit = HKUnit.count()
  var sum: Double?
  var average: Double?
  var least: Double?
  var most: Double?
  var recent: Double?
  var recentInterval: DateInterval?
  var bySource: [HKSource: Double] = [:]

  init(_ type: HKQuantityType, start: Date, end: Date) {
    quantityType = type
    startDate = start
    endDate = end
  }

  private func quantity(_ value: Double?) -> HKQuantity? { value.map { HKQuantity(unit: unit, doubleValue: $0) } }

  public func sumQuantity() -> HKQuantity? { quantity(sum) }
  public func averageQuantity() -> HKQuantity? { quantity(average) }
  public func minimumQuantity() -> HKQuantity? { quantity(least) }
  public func maximumQuantity() -> HKQuantity? { quantity(most) }
  public func mostRecentQuantity() -> HKQuantity? { quantity(recent) }
  public func mostRecentQuantityDateInterval() -> DateInterval? { recentInterval }
  public func sumQuantity(for source: HKSource) -> HKQuantity? { quantity(bySource[source]) }

  /// Computes the statistics of samples.
  ///
  /// Where samples of two sources overlap, those of the watch count, and the others only for what is left of them, in
  /// proportion to the time.
  static func make(
    _ type: HKQuantityType, _ samples: [HKQuantitySample], from start: Date, to end: Date,
    _ options: HKStatisticsOptions
  ) -> HKStatistics? {
    guard let first = samples.first else { return nil }
    let statistics = HKStatistics(type, start: start, end: end)
    let unit = first.quantity.unit
    statistics.unit = unit
    func value(_ sample: HKQuantitySample) -> Double { sample.quantity.doubleValue(for: unit) }
    let recent = samples.max { $0.endDate < $1.endDate } ?? first
    statistics.recent = value(recent)
    statistics.recentInterval = DateInterval(start: recent.startDate, end: recent.endDate)
    if type.aggregationStyle == .cumulative {
      statistics.sum = SourceMerging.parts(of: samples).reduce(0) { $0 + value($1.sample) * $1.share }
    } else {
      statistics.least = samples.map(value).min()
      statistics.most = samples.map(value).max()
      statistics.average = samples.reduce(0) { $0 + value($1) } / Double(samples.count)
    }
    if options.contains(.separateBySource) {
      statistics.sources = Array(Set(samples.map(\.source))).sorted { $0.bundleIdentifier < $1.bundleIdentifier }
      for sample in samples { statistics.bySource[sample.source, default: 0] += value(sample) }
    }
    return statistics
  }
}

/// Counts each time for one source only.
enum SourceMerging {
  struct Part {
    var sample: HKQuantitySample
    /// How much of it counts, from 0 to 1.
    var share: Double
  }

  static func parts(of samples: [HKQuantitySample]) -> [Part] {
    var covered: [(source: HKSource, interval: (Date, Date))] = []
    var parts: [Part] = []
    let inOrder = samples.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
    for (_, sample) in inOrder {
      let length = sample.endDate.timeIntervalSince(sample.startDate)
      let others = covered.filter { $0.source != sample.source }.map(\.interval)
      let hidden = overlap((sample.startDate, sample.endDate), others)
      parts.append(Part(sample: sample, share: length > 0 ? max(0, 1 - hidden / length) : 1))
      covered.append((sample.source, (sample.startDate, sample.endDate)))
    }
    return parts
  }

  /// Samples of the watch come first, as they do by default in Health.
  private static func rank(_ sample: HKSample) -> Int { sample.device?.name?.contains("Watch") == true ? 0 : 1 }

  /// How many seconds of an interval others cover.
  private static func overlap(_ interval: (Date, Date), _ others: [(Date, Date)]) -> TimeInterval {
    var hidden: TimeInterval = 0
    var reached = interval.0
    for other in others.sorted(by: { $0.0 < $1.0 }) {
      let begin = max(other.0, reached)
      let end = min(other.1, interval.1)
      guard end > begin else { continue }
      hidden += end.timeIntervalSince(begin)
      reached = end
    }
    return hidden
  }
}

/// Computes statistics once.
public final class HKStatisticsQuery: HKQuery, @unchecked Sendable {
  private let type: HKQuantityType
  private let options: HKStatisticsOptions
  private let handler: @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

  public init(
    quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?, options: HKStatisticsOptions = [],
    completionHandler handler: @escaping @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void
  ) {
    type = quantityType
    self.options = options
    self.handler = handler
    super.init(quantityType, quantitySamplePredicate)
  }

  override func execute() {
    Self.statistics(type, predicate, options) { [self] result in
      guard !isStopped else { return }
      switch result {
      case .failure(let error): handler(self, nil, error)
      case .success(let statistics): handler(self, statistics, nil)
      }
    }
  }

  static func statistics(
    _ type: HKQuantityType, _ predicate: NSPredicate?, _ options: HKStatisticsOptions,
    _ completion: @escaping (Result<HKStatistics, any Error>) -> Void
  ) {
    read([type], predicate) { result in
      completion(
        result.flatMap { found in
          let samples = found.samples.compactMap { $0 as? HKQuantitySample }
          guard let first = samples.first, let last = samples.map(\.endDate).max(),
            let statistics = HKStatistics.make(type, samples, from: first.startDate, to: last, options)
          else { return .failure(healthError(11, "No data available for the specified predicate.")) }
          return .success(statistics)
        })
    }
  }
}

/// The statistics of intervals.
public final class HKStatisticsCollection: NSObject, @unchecked Sendable {
  private let all: [HKStatistics]

  init(_ all: [HKStatistics]) { self.all = all }

  public func statistics() -> [HKStatistics] { all }
  public func statistics(for date: Date) -> HKStatistics? { all.first { $0.startDate <= date && date < $0.endDate } }
  public func sources() -> Set<HKSource> { Set(all.flatMap { $0.sources ?? [] }) }
  public func enumerateStatistics(
    from startDate: Date, to endDate: Date, with block: (HKStatistics, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    var isOver = ObjCBool(false)
    for statistics in all where statistics.endDate > startDate && statistics.startDate <= endDate {
      block(statistics, &isOver)
      if isOver.boolValue { return }
    }
  }
}

/// Computes statistics for each interval, and with an update handler again after each change.
public final class HKStatisticsCollectionQuery: HKQuery, @unchecked Sendable {
  public typealias InitialHandler =
    @Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void
  public typealias UpdateHandler =
    @Sendable (HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?) -> Void

  public let anchorDate: Date
  public let options: HKStatisticsOptions
  public let intervalComponents: DateComponents
  public var initialResultsHandler: InitialHandler?
  public var statisticsUpdateHandler: UpdateHandler?
  private let type: HKQuantityType
  private let id = HealthClient.shared.next()

  public init(
    quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?, options: HKStatisticsOptions = [],
    anchorDate: Date, intervalComponents: DateComponents
  ) {
    type = quantityType
    self.options = options
    self.anchorDate = anchorDate
    self.intervalComponents = intervalComponents
    super.init(quantityType, quantitySamplePredicate)
  }

  override func execute() {
    if let initialResultsHandler {
      compute { [self] result in
        switch result {
        case .failure(let error): initialResultsHandler(self, nil, error)
        case .success(let collection): initialResultsHandler(self, collection, nil)
        }
      }
    }
    guard let statisticsUpdateHandler else { return }
    HealthClient.shared.observe([type.identifier], id) { [self] _ in
      compute { [self] result in
        switch result {
        case .failure(let error): statisticsUpdateHandler(self, nil, nil, error)
        case .success(let collection): statisticsUpdateHandler(self, collection.statistics().last, collection, nil)
        }
      }
    }
  }

  override func end() { HealthClient.shared.stopObserving(id) }

  private func compute(_ completion: @escaping (Result<HKStatisticsCollection, any Error>) -> Void) {
    Self.read([type], predicate) { [self] result in
      guard !isStopped else { return }
      completion(
        result.map { found in
          let samples = found.samples.compactMap { $0 as? HKQuantitySample }
          return HKStatisticsCollection(
            Self.intervals(of: samples, type, options, anchorDate, intervalComponents))
        })
    }
  }

  /// The statistics of each interval with samples, by the calendar.
  static func intervals(
    of samples: [HKQuantitySample], _ type: HKQuantityType, _ options: HKStatisticsOptions, _ anchor: Date,
    _ components: DateComponents
  ) -> [HKStatistics] {
    guard let first = samples.map(\.startDate).min(), let last = samples.map(\.startDate).max() else { return [] }
    let calendar = components.calendar ?? Calendar.current
    func moved(_ date: Date, _ sign: Int) -> Date {
      var step = components
      step.calendar = nil
      guard sign < 0 else { return calendar.date(byAdding: step, to: date) ?? .distantFuture }
      var back = DateComponents()
      back.day = components.day.map { -$0 }
      back.hour = components.hour.map { -$0 }
      back.minute = components.minute.map { -$0 }
      back.second = components.second.map { -$0 }
      back.month = components.month.map { -$0 }
      back.year = components.year.map { -$0 }
      return calendar.date(byAdding: back, to: date) ?? .distantPast
    }
    var begin = anchor
    while begin > first { begin = moved(begin, -1) }
    while moved(begin, 1) <= first { begin = moved(begin, 1) }
    var all: [HKStatistics] = []
    while begin <= last {
      let end = moved(begin, 1)
      guard end > begin else { break }
      let inside = samples.filter { $0.startDate >= begin && $0.startDate < end }
      if let statistics = HKStatistics.make(type, inside, from: begin, to: end, options) { all.append(statistics) }
      begin = end
    }
    return all
  }
}
