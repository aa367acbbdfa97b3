import CoachProtocol
import Link

/// Samples of a real HealthKit store, by type and local day, which answer queries in place of the simulated store.
package struct RecordedAppleData: Sendable {
  /// Limit of the samples; 48 bytes each.
  package static let samplesMax = 4_000_000
  /// Sleep after so many seconds awake is not of the same night.
  private static let awakeSecondsMax: Int64 = 3 * 3_600
  /// Sleep so many seconds after the beginning of a night is not of the same night.
  private static let nightSecondsMax: Int64 = 24 * 3_600

  /// A sample; times in seconds since 1970.
  private struct Sample: Sendable {
    var start: Int64
    var end: Int64
    var amount: Double
    var day: Int32
    /// The number of the source, of the value, and of the sample in the order in which they were added.
    var source: UInt32
    var value: UInt32
    var number: UInt32
    /// What local time added to UTC, in seconds.
    var offset: Int32
    var type: UInt8
  }

  /// All samples; sorted by day, type and number once ``finish()`` was called.
  private var samples: [Sample] = []
  private var sources: [String: UInt32] = [:]
  /// By a source's number: short, since each sample has it.
  private var sourceIds: [String] = []
  /// By a source's number.
  private var sourceNames: [String] = []
  private var values: [String] = []
  private var numbers: [String: UInt32] = [:]
  /// What local time adds to UTC where a sample does not say it, in seconds.
  package let offset: Int64
  package var count: Int { samples.count }

  package init(offset: Int64) { self.offset = offset }

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - start: In seconds since 1970.
  ///   - end: At least `start`.
  ///   - value: A category's value; empty for a quantity.
  ///   - amount: A quantity, in kilocalories or minutes.
  ///   - source: The device, so that two recordings of the same time are distinct.
  ///   - offset: What local time added to UTC when it was taken, in seconds; nil for ``offset``.
  /// - Returns: False if there are ``samplesMax`` already.
  package mutating func add(
    _ type: AppleDataType, start: Int64, end: Int64, value: String, amount: Double, source: String,
    offset: Int64? = nil
  ) -> Bool {
    guard count < Self.samplesMax else { return false }
    let offset = offset ?? self.offset
    let sourceNumber = sources[source] ?? UInt32(clamping: sources.count)
    if sources.updateValue(sourceNumber, forKey: source) == nil {
      sourceNames.append(source)
      sourceIds.append(String(Digest.text(Digest.prefix(Array(source.utf8))).prefix(8)))
    }
    let valueNumber = numbers[value] ?? UInt32(clamping: values.count)
    if numbers.updateValue(valueNumber, forKey: value) == nil { values.append(value) }
    let day = LocalDay(clock: start.saturatingNanoseconds, offset: offset)
    samples.append(
      Sample(
        start: start, end: end, amount: amount, day: Int32(clamping: day.number),
        source: sourceNumber,
        value: valueNumber, number: UInt32(clamping: count), offset: Int32(clamping: offset), type: UInt8(type.index)))
    return true
  }

  /// Finds the nights and sorts the samples, before they are queried.
  mutating func finish() {
    assignNights()
    samples.sort { ($0.day, $0.type, $0.number) < ($1.day, $1.type, $1.number) }
  }

  /// Makes the day of each sleep sample that of the first one of its night.
  private mutating func assignNights() {
    let sleep = UInt8(AppleDataType.sleep.index)
    let indices = samples.indices.filter { samples[$0].type == sleep }
      .sorted { (samples[$0].start, samples[$0].number) < (samples[$1].start, samples[$1].number) }
    var night: (start: Int64, end: Int64, day: Int32)?
    for index in indices {
      let sample = samples[index]
      if let known = night, sample.start -| known.end < Self.awakeSecondsMax,
        sample.start -| known.start < Self.nightSecondsMax
      {
        samples[index].day = known.day
        night?.end = max(known.end, sample.end)
      } else {
        let day = LocalDay(clock: sample.start.saturatingNanoseconds, offset: Int64(sample.offset))
        night = (sample.start, sample.end, Int32(clamping: day.number))
        samples[index].day = Int32(clamping: day.number)
      }
    }
  }

  /// The days that have samples, in order of time.
  var days: [(type: AppleDataType, day: LocalDay)] {
    var days: [(type: AppleDataType, day: LocalDay)] = []
    var last: (day: Int32, type: UInt8)?
    for sample in samples where last?.day != sample.day || last?.type != sample.type {
      last = (sample.day, sample.type)
      days.append((AppleDataType.allCases[Int(sample.type)], LocalDay(Int64(sample.day))))
    }
    return days
  }

  /// Days that have a measure and, in this later recording of the same time, no sample any more.
  ///
  /// A sample that the watch brought late may move a night to the evening before.
  func emptiedDays(of record: IngestionRecord) -> [(type: AppleDataType, day: LocalDay)] {
    let days = days
    return AppleDataType.allCases.flatMap { type -> [(type: AppleDataType, day: LocalDay)] in
      let own = days.filter { $0.type == type }.map(\.day.number)
      guard let first = own.first, let last = own.last else { return [] }
      let known = Set(own)
      return record.actions.keys.filter { day in
        (first - 1...last + 1).contains(day.number) && !known.contains(day.number)
          && type.measures.contains { record.actions[day]?.values[$0] != nil }
      }.sorted().map { (type, $0) }
    }
  }

  /// The samples of a day, in an order and with identifiers that are the same in another recording of them.
  func samples(_ type: AppleDataType, of day: LocalDay) -> [AppleSample] {
    let samples = found(type, of: day).map { sample in
      let value = values[Int(sample.value)]
      // An export has no identifiers, and may list a sample twice.
      let id = "\(sourceIds[Int(sample.source)])-\(sample.start)-\(sample.end)-\(sample.amount)-\(value)"
      return AppleSample(
        id: id, start: sample.start, end: sample.end, value: value, amount: sample.amount,
        source: sourceNames[Int(sample.source)])
    }
    return samples.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
  }

  /// What local time added to UTC on a day, by its earliest sample, in seconds; nil for a day without samples.
  func offset(_ type: AppleDataType, of day: LocalDay) -> Int64? {
    found(type, of: day).min { $0.start < $1.start }.map { Int64($0.offset) }
  }

  private func found(_ type: AppleDataType, of day: LocalDay) -> ArraySlice<Sample> {
    let wanted = (Int32(clamping: day.number), UInt8(type.index))
    var (low, high) = (0, samples.count)
    while low < high {
      let middle = (low + high) / 2
      if (samples[middle].day, samples[middle].type) < wanted {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return samples[low...].prefix { ($0.day, $0.type) == wanted }
  }
}
