package import CoachProtocol
package import Link

/// Finds completed kilometres, or miles, between samples.
///
/// Interpolates: one that ends between two samples ends at the instant at which a steady runner would have
/// passed it. Time is the timer's, so pauses do not count. Integers throughout, because splits reach the trace.
package struct SplitTracker: Sendable, Equatable {
  /// The completed kilometres or miles, in order.
  package private(set) var splits: [Split] = []

  /// What a split is.
  package let unit: LengthUnit
  private var distanceMillimetres: Int64 = 0
  private var activeMilliseconds: Int64 = 0
  private var boundaryMillimetres: Int64
  private var boundaryPassedMilliseconds: Int64 = 0
  private var heartBeatsSum: Int64 = 0
  private var heartReadings: Int64 = 0

  package init(_ unit: LengthUnit = .kilometres) {
    self.unit = unit
    boundaryMillimetres = unit.millimetres
  }

  /// Adds the next sample.
  ///
  /// - Parameters:
  ///   - distance: Centimetres since the start; never decreases.
  ///   - active: Milliseconds of the timer, pauses excluded; never decreases.
  ///   - heartRate: Beats per minute; 0 without a valid reading.
  package mutating func advance(toCentimetres distance: Int64, activeMilliseconds active: Int64, heartRate: UInt8) {
    if heartRate > 0 {
      heartBeatsSum += Int64(heartRate)
      heartReadings += 1
    }
    if distance * 10 >= boundaryMillimetres { complete(upTo: distance * 10, active) }
    distanceMillimetres = distance * 10
    activeMilliseconds = active
  }

  private mutating func complete(upTo distance: Int64, _ active: Int64) {
    while distance >= boundaryMillimetres {
      let share = (active - activeMilliseconds) * (boundaryMillimetres - distanceMillimetres)
      let passed = activeMilliseconds + rounded(share, over: distance - distanceMillimetres)
      let duration = passed - boundaryPassedMilliseconds
      splits.append(
        Split(
          kmIndex: Int(boundaryMillimetres / unit.millimetres), durationSeconds: Double(duration) / 1000,
          paceSecPerKm: Double(rounded(duration * 100_000, over: unit.millimetres)) / 100,
          avgHeartRate: heartReadings > 0 ? Int(rounded(heartBeatsSum, over: heartReadings)) : nil))
      boundaryPassedMilliseconds = passed
      boundaryMillimetres += unit.millimetres
      heartBeatsSum = 0
      heartReadings = 0
    }
  }

  /// Divides two non-negative numbers, rounding halves up.
  private func rounded(_ number: Int64, over divisor: Int64) -> Int64 { (number + divisor / 2) / divisor }
}

/// Paces in hundredths of a second per kilometre, from integers.
package enum AveragePace {
  /// The pace of `centimetres` in `milliseconds`, in seconds per kilometre, two decimals.
  ///
  /// Nil if it is not greater than 0, and for no distance at all. The quotient of two integers below 2^53 is rounded
  /// once, the same on every machine.
  @inline(__always)
  package static func secondsPerKilometre(centimetres: Int64, milliseconds: Int64) -> Double? {
    guard centimetres > 0, milliseconds > 0 else { return nil }
    // A millisecond a centimetre is 100 seconds a kilometre; times 100 again for the decimals.
    let hundredths = Int64(Double(milliseconds * 10_000) / Double(centimetres) + 0.5)
    return hundredths > 0 ? Double(hundredths) / 100 : nil
  }
}

/// Runs that must not start any more: they ended, were declined, or were cancelled before they started.
package struct SettledRuns: Sendable, Equatable {
  /// Limit of remembered runs; far more than can be started within ``WatchStartHandshake/startLife``.
  package static let countMax = 64

  /// Oldest first.
  package private(set) var runs: [Identifier] = []
  /// Number of runs ever added, which is the next one's number.
  ///
  /// A store overwrites the entry that it replaces.
  package private(set) var count = 0

  package init() {}

  /// Restores the latest of `count` runs, oldest first, none twice.
  package init(_ runs: [Identifier], of count: Int) {
    precondition(runs.count == min(count, Self.countMax), "\(runs.count) runs of \(count)")
    self.runs = runs
    self.count = count
  }

  package func contains(_ runId: Identifier) -> Bool { runs.contains(runId) }

  /// Adds a run, replacing the oldest beyond the limit; false if it was there.
  @discardableResult
  package mutating func insert(_ runId: Identifier) -> Bool {
    guard !runs.contains(runId) else { return false }
    if runs.count == Self.countMax { runs.removeFirst() }
    runs.append(runId)
    count += 1
    return true
  }
}
