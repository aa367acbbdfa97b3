import CoachProtocol

/// A recorded run sampled at whole seconds: entry `n` is the state `n` seconds after its start.
package struct RecordedMotion: Sendable, Equatable {
  /// Millimetres since the start; never decreases.
  package let distanceMillimetres: [Int64]
  /// Beats per minute; 0 without a reading.
  package let heartRate: [UInt8]
  /// Steps per minute; 0 without a reading.
  package let cadence: [UInt16]
  /// Whether the timer is stopped from this second to the next.
  package let isPaused: [Bool]
  /// Nil without a route.
  ///
  /// A second without a fix has the last known position.
  package let positions: [GeoPosition]?
  /// Tenths of a kilocalorie since the start; nil to compute them from the distance.
  package let energyDecikilocalories: [Int64]?
  /// In lower case; nil for a run that comes from no file, ``unknownSport`` for a file that names none.
  package let sport: String?

  /// What the device counted on the way; nil for nothing.
  package let parts: RecordedParts?

  /// The name of a sport that a file does not name.
  package static let unknownSport = "unknown"

  /// Checks a recording.
  ///
  /// - Throws: ``MotionError`` if there is no entry, the arrays differ in length, or distance decreases.
  package init(
    distanceMillimetres: [Int64], heartRate: [UInt8], cadence: [UInt16], isPaused: [Bool],
    positions: [GeoPosition]? = nil, energyDecikilocalories: [Int64]? = nil, sport: String? = nil,
    parts: RecordedParts? = nil
  ) throws(MotionError) {
    let count = distanceMillimetres.count
    guard count > 0 else {
      throw MotionError(key: "distance", found: "no entry", expected: "at least one second")
    }
    for (key, length) in [
      ("heartRate", heartRate.count), ("cadence", cadence.count), ("isPaused", isPaused.count),
      ("positions", positions?.count ?? count),
      ("energy", energyDecikilocalories?.count ?? count),
    ] where length != count {
      throw MotionError(key: key, found: "\(length) entries", expected: "\(count) entries")
    }
    var last: Int64 = 0
    for (second, distance) in distanceMillimetres.enumerated() {
      guard distance >= last, distance <= Self.distanceMillimetresMax else {
        throw MotionError(
          key: "distance", found: "\(distance) mm at second \(second)",
          expected: "\(last) to \(Self.distanceMillimetresMax) mm")
      }
      last = distance
    }
    self.distanceMillimetres = distanceMillimetres
    self.heartRate = heartRate
    self.cadence = cadence
    self.isPaused = isPaused
    self.positions = positions
    self.energyDecikilocalories = energyDecikilocalories
    self.sport = sport
    self.parts = parts.flatMap { $0.addsUp(to: last) ? $0 : nil }
  }

  /// 10,000 km.
  package static let distanceMillimetresMax: Int64 = 10_000_000_000
}

/// Replays a recorded run.
package struct RecordedSource: MotionSource, Equatable {
  let motion: RecordedMotion
  private var milliseconds: Int64 = 0

  package init(_ motion: RecordedMotion) { self.motion = motion }

  package var secondsExpected: Int { motion.distanceMillimetres.count }

  private var sample: MotionSample {
    let index = self.index
    var distance = motion.distanceMillimetres[index]
    if index + 1 < motion.distanceMillimetres.count {
      distance += (motion.distanceMillimetres[index + 1] - distance) * (milliseconds % 1000) / 1000
    }
    return MotionSample(
      distanceMillimetres: distance,
      energyDecikilocalories: motion.energyDecikilocalories?[index]
        ?? MotionSample.energyDecikilocalories(ofMillimetres: distance),
      heartRate: motion.heartRate[index], cadence: motion.cadence[index], isPaused: motion.isPaused[index],
      isFinished: milliseconds / 1000 >= Int64(motion.distanceMillimetres.count - 1),
      position: motion.positions?[index])
  }

  package mutating func advance(toMilliseconds milliseconds: Int64) -> MotionSample {
    self.milliseconds = milliseconds
    return sample
  }

  /// The previous sample: the heart rate during a pause by command was not recorded.
  package mutating func rest(milliseconds: Int64) -> MotionSample { sample }

  /// The records of the device so far.
  var units: [SessionUnit] {
    guard let parts = motion.parts else { return [] }
    let now = sample
    return parts.units(at: now.distanceMillimetres, isOver: now.isFinished) { stretch in
      // A rest at the wall is no part of what follows.
      let last = second(at: stretch.upperBound)
      let first = min(second(at: stretch.lowerBound + 1), last)
      return RecordedParts.Readings(
        heartRate: Self.mean(motion.heartRate[first...last]), heartRateAtEnd: Int64(motion.heartRate[last]),
        cadence: Self.mean(motion.cadence[first...last]))
    }
  }

  /// The first second at which a distance was reached; the last one if a lap claims more.
  private func second(at reached: Int64) -> Int {
    var (low, high) = (0, motion.distanceMillimetres.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if motion.distanceMillimetres[middle] < reached { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The mean of the readings, rounded down; 0 without any.
  private static func mean(_ values: ArraySlice<some FixedWidthInteger>) -> Int64 {
    let read = values.lazy.filter { $0 > 0 }
    let count = Int64(read.count)
    return count == 0 ? 0 : read.reduce(0) { $0 + Int64($1) } / count
  }

  private var index: Int { Int(min(milliseconds / 1000, Int64(motion.distanceMillimetres.count - 1))) }
}

/// The part of a recording that is replayed, in whole seconds of the recording.
package struct RecordedStretch: Sendable, Equatable {
  /// The first second; 0 is the recording's start.
  package var from = 0
  /// The last second, after ``from``; nil for the recording's end, as is every later one.
  package var to: Int?

  /// All of it.
  package static let whole = RecordedStretch()
}

extension RecordedMotion {
  /// A part of the recording as a run of its own: distance and energy begin at 0.
  ///
  /// - Throws: ``MotionError`` if the recording has no second after the beginning of the stretch.
  package func cut(to stretch: RecordedStretch) throws(MotionError) -> RecordedMotion {
    guard stretch != .whole else { return self }
    let last = distanceMillimetres.count - 1
    guard stretch.from >= 0, stretch.from < last else {
      throw MotionError(
        key: "from", found: "\(stretch.from) s", expected: "less than the recording's length of \(last) s")
    }
    let end = min(stretch.to ?? last, last)
    guard end > stretch.from else {
      throw MotionError(key: "to", found: "\(end) s", expected: "more than from (\(stretch.from) s)")
    }
    let kept = stretch.from...end
    let distance = distanceMillimetres[stretch.from]
    let energy = energyDecikilocalories?[stretch.from] ?? 0
    return try RecordedMotion(
      distanceMillimetres: distanceMillimetres[kept].map { $0 - distance }, heartRate: Array(heartRate[kept]),
      cadence: Array(cadence[kept]), isPaused: Array(isPaused[kept]), positions: positions.map { Array($0[kept]) },
      energyDecikilocalories: energyDecikilocalories.map { $0[kept].map { $0 - energy } }, sport: sport,
      parts: parts?.cut(from: distance, to: distanceMillimetres[end]))
  }
}
