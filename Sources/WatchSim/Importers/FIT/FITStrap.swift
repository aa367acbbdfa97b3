// Heart rates that a chest strap stored while out of the watch's range, as in water: `hr` messages (132), mostly in a
// file of their own chained after the activity. One message relates the strap's clock to the watch's (a time, a
// fraction of a second and the strap's own time stamp); the others contain up to eight rates, each with the low 12 bits
// of the strap's time.

/// The heart rates of a chest strap.
struct FITStrap: Sendable, Equatable {
  /// The strap counts 1,024ths of a second.
  private static let ticksPerSecond = 1_024.0

  private struct Reading: Sendable, Equatable {
    /// Unix seconds.
    var time: Double
    var heartRate: Int
  }

  private var readings: [Reading] = []
  /// Unix seconds, and the strap's time at that instant.
  private var anchor: (time: Double, ticks: UInt32)?
  /// The strap's time of the last reading, which the next reading's low bits continue.
  private var lastTicks: UInt32 = 0
  private var unplacedCount = 0
  private var omittedCount = 0

  static func == (first: FITStrap, second: FITStrap) -> Bool {
    first.readings == second.readings && first.unplacedCount == second.unplacedCount
  }

  /// Adds an `hr` message.
  mutating func add(_ message: FITMessage) {
    let whole = message.unsignedValues(9).map { $0.flatMap(UInt32.init(exactly:)) }
    if let time = message.time, let first = whole.first, let ticks = first {
      let fraction = message.scaled(0, by: 32_768) ?? message.scaled(1, by: 256) ?? 0
      anchor = (FITTime.unixSeconds(time) + fraction, ticks)
      lastTicks = ticks
    }
    // 0xFF and 0 are no reading; their time stamps are padding.
    let heartRates = message.unsignedValues(6).map { rate in rate.flatMap { (1...300).contains($0) ? Int($0) : nil } }
    guard heartRates.contains(where: { $0 != nil }) else { return }
    let packed = Self.unpack(message.rawBytes(10) ?? [])
    if whole.isEmpty, packed.isEmpty, let time = message.time, let first = heartRates.first, let heartRate = first {
      // Without the strap's time the message's own is that of its only reading.
      return readings.append(Reading(time: FITTime.unixSeconds(time), heartRate: heartRate))
    }
    guard let anchor else { return unplacedCount += 1 }
    for (index, heartRate) in heartRates.enumerated() {
      guard let heartRate else { continue }
      if whole.indices.contains(index), let ticks = whole[index] {
        lastTicks = ticks
      } else if packed.indices.contains(index) {
        lastTicks &+= (packed[index] &- lastTicks) & 0xFFF
      } else {
        break
      }
      guard readings.count < ImportLimits.samplesMax else { return omittedCount += 1 }
      let seconds = Double(Int32(bitPattern: lastTicks &- anchor.ticks)) / Self.ticksPerSecond
      readings.append(Reading(time: anchor.time + seconds, heartRate: heartRate))
    }
  }

  /// Unpacks two 12-bit numbers from three bytes each, low bits first.
  private static func unpack(_ bytes: ArraySlice<UInt8>) -> [UInt32] {
    var numbers: [UInt32] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits |= UInt32(byte) << UInt32(count)
      count += 8
      if count >= 12 {
        numbers.append(bits & 0xFFF)
        bits >>= 12
        count -= 12
      }
    }
    return numbers
  }

  /// Gives each sample without a heart rate the mean of the readings since the previous sample.
  func fill(_ samples: inout [RecordedWorkout.Sample], findings: inout ImportFindings) {
    findings.add(
      unplacedCount, "heart-rate message of a chest strap without a time was left out",
      "heart-rate messages of a chest strap without a time were left out")
    findings.add(
      omittedCount, "heart-rate message of a chest strap past a million readings was left out",
      "heart-rate messages of a chest strap past a million readings were left out")
    guard !readings.isEmpty else { return }
    let sorted = readings.sorted { $0.time < $1.time }
    let timed = samples.indices.filter { samples[$0].time != nil }
      .sorted { samples[$0].time ?? 0 < samples[$1].time ?? 0 }
    var next = 0
    var filled = 0
    for index in timed {
      let time = samples[index].time ?? 0
      var sum = 0
      let first = next
      while next < sorted.count, sorted[next].time <= time {
        sum += sorted[next].heartRate
        next += 1
      }
      guard samples[index].heartRate == nil, next > first else { continue }
      samples[index].heartRate = Int((Double(sum) / Double(next - first)).rounded())
      filled += 1
    }
    findings.add(
      filled, "sample has its heart rate from a chest strap's own recording",
      "samples have their heart rates from a chest strap's own recording")
    if let from = timed.first.flatMap({ samples[$0].time }), let to = timed.last.flatMap({ samples[$0].time }),
      !sorted.contains(where: { $0.time >= from && $0.time <= to })
    {
      findings.add("the chest strap's recording is of another time than the samples")
    }
  }
}
