import Link

/// Samples of a real HealthKit store, by type and local day, which answer queries in place of the simulated store.
package struct RecordedAppleData: Sendable {
  /// Limit of the samples; 48 bytes each.
  package static let samplesMax = 4_000_000

  /// A sample; times in seconds since 1970.
  private struct Sample: Sendable {
    var start: Int64
    var end: Int64
    var value: String
    var amount: Double
    /// The number of the source.
    var source: UInt32
  }

  /// A day of a type.
  private struct Period: Hashable {
    var type: AppleDataType
    var day: LocalDay
  }

  private var samples: [Period: [Sample]] = [:]
  private var sources: [String: UInt32] = [:]
  /// What local time adds to UTC, in seconds.
  package let offset: Int64
  package private(set) var count = 0

  package init(offset: Int64) { self.offset = offset }

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - start: In seconds since 1970.
  ///   - end: At least `start`.
  ///   - value: A category's value; empty for a quantity.
  ///   - amount: A quantity, in kilocalories or minutes.
  ///   - source: Tells apart two devices that recorded the same.
  /// - Returns: False if there are ``samplesMax`` already.
  package mutating func add(
    _ type: AppleDataType, start: Int64, end: Int64, value: String, amount: Double, source: String
  ) -> Bool {
    guard count < Self.samplesMax else { return false }
    let number = sources[source] ?? UInt32(clamping: sources.count)
    sources[source] = number
    let day = LocalDay(clock: start.saturatingNanoseconds, offset: offset - Int64(type.periodStart.seconds))
    samples[Period(type: type, day: day), default: []]
      .append(Sample(start: start, end: end, value: value, amount: amount, source: number))
    count += 1
    return true
  }

  /// The days that have samples, in order of time.
  var days: [(type: AppleDataType, day: LocalDay)] {
    samples.keys.sorted { ($0.day, $0.type.index) < ($1.day, $1.type.index) }.map { ($0.type, $0.day) }
  }

  /// The samples of a day, in the order in which they were added.
  func samples(_ type: AppleDataType, of day: LocalDay) -> [AppleSample] {
    (samples[Period(type: type, day: day)] ?? []).map { sample in
      // An export has no identifiers, and may list a sample twice.
      let id = "\(sample.source)-\(sample.start)-\(sample.end)-\(sample.amount)-\(sample.value)"
      return AppleSample(id: id, start: sample.start, end: sample.end, value: sample.value, amount: sample.amount)
    }
  }
}
