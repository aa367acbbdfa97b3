// Samples with wrong times. One in a thousand can turn a run of an hour into one of years, while the rest of the
// recording is fine, so such samples are left out.

/// Finds samples with times outside of the workout.
enum TimeOutliers {
  /// With a larger share of doubtful times nothing is left out.
  static let shareMax = 0.05
  /// Samples at most this many seconds apart belong together.
  static let reachSeconds = 600.0
  /// Limit of samples in one excursion from which the times return.
  static let excursionMax = 3

  /// Removes samples with times outside of the workout.
  ///
  /// - Parameters:
  ///   - samples: In the file's order.
  ///   - claimed: The device's own start and end, Unix seconds; nil if not stated. Used if nearly all samples are
  ///     within it; samples that adjoin it without a large gap belong to it.
  /// - Returns: `claimed`, if used.
  static func drop(
    from samples: inout [RecordedWorkout.Sample], claimed: ClosedRange<Double>?, findings: inout ImportFindings
  ) -> ClosedRange<Double>? {
    var times: [(index: Int, time: Double)] = []
    times.reserveCapacity(samples.count)
    for (index, sample) in samples.enumerated() {
      if let time = sample.time { times.append((index, time)) }
    }
    var dropped = excursions(times)
    let kept = times.lazy.filter { !dropped.contains($0.index) }.map(\.time).sorted()
    let believed = claimed.flatMap { widen($0, over: kept) }
    if let window = believed ?? surroundings(of: kept) {
      for (index, time) in times where !window.contains(time) { dropped.insert(index) }
    }
    guard !dropped.isEmpty, Double(dropped.count) <= shareMax * Double(times.count) else {
      return dropped.isEmpty && believed != nil ? claimed : nil
    }
    samples = samples.indices.filter { !dropped.contains($0) }.map { samples[$0] }
    findings.add(
      dropped.count, "sample with a time outside of the workout was left out",
      "samples with times outside of the workout were left out")
    return believed == nil ? nil : claimed
  }

  /// Samples whose times leave by more than ``reachSeconds`` and return.
  private static func excursions(_ times: [(index: Int, time: Double)]) -> Set<Int> {
    var found: Set<Int> = []
    var offset = 1
    while offset < times.count {
      let before = times[offset - 1].time
      defer { offset += 1 }
      guard abs(times[offset].time - before) > reachSeconds else { continue }
      let ahead = times[(offset + 1)...].prefix(excursionMax)
      guard let back = ahead.firstIndex(where: { abs($0.time - before) <= reachSeconds }) else { continue }
      for index in offset..<back { found.insert(times[index].index) }
      offset = back
    }
    return found
  }

  /// The claimed window with adjoining samples; nil if too few samples are within.
  private static func widen(_ claimed: ClosedRange<Double>, over times: [Double]) -> ClosedRange<Double>? {
    var first = times.firstIndex { $0 >= claimed.lowerBound } ?? times.count
    var end = times.firstIndex { $0 > claimed.upperBound } ?? times.count
    guard first < end else { return nil }
    var (lower, upper) = (claimed.lowerBound, claimed.upperBound)
    while first > 0, lower - times[first - 1] <= reachSeconds {
      first -= 1
      lower = times[first]
    }
    while end < times.count, times[end] - upper <= reachSeconds {
      upper = times[end]
      end += 1
    }
    guard Double(times.count - (end - first)) <= shareMax * Double(times.count) else { return nil }
    return lower...upper
  }

  /// As long before and after the middle sample as a workout may last.
  private static func surroundings(of times: [Double]) -> ClosedRange<Double>? {
    guard !times.isEmpty else { return nil }
    let middle = times[times.count / 2]
    return (middle - Double(ReplayTimeline.wallSecondsMax))...(middle + Double(ReplayTimeline.wallSecondsMax))
  }
}
