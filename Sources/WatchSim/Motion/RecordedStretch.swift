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
