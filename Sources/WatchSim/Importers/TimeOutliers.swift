// Samples whose time is wrong. One in a thousand is enough to make a run of an hour one of years, and it is the time that is
// damaged, not the recording: such samples are left out, and the rest is kept.

/// Finds samples that cannot be of the workout's time.
enum TimeOutliers {
  /// A recording with a larger share of doubtful times than this is not one with a few bad ones: nothing is left out.
  static let shareMax = 0.05
  /// Samples that follow each other within so many seconds belong together.
  static let reachSeconds = 600.0
  /// Most samples of one excursion, from which the times come back.
  static let excursionMax = 3

  /// Leaves out the samples with times outside of the workout.
  ///
  /// - Parameters:
  ///   - samples: In the file's order.
  ///   - claimed: When the device says the workout was, Unix seconds; nil where it does not say. It is believed where nearly
  ///     all samples lie within it; samples that join it without a large gap belong to it.
  /// - Returns: `claimed`, where it is believed.
  static func drop(
    from samples: inout [RecordedWorkout.Sample], claimed: ClosedRange<Double>?, findings: inout Findings
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
    findings.note(
      dropped.count, "sample with a time outside of the workout was left out",
      "samples with times outside of the workout were left out")
    return believed == nil ? nil : claimed
  }

  /// Samples that the times leave by more than ``reachSeconds`` and come back from.
  private static func excursions(_ times: [(index: Int, time: Double)]) -> Set<Int> {
    var found: Set<Int> = []
    var place = 1
    while place < times.count {
      let before = times[place - 1].time
      defer { place += 1 }
      guard abs(times[place].time - before) > reachSeconds else { continue }
      let ahead = times[(place + 1)...].prefix(excursionMax)
      guard let back = ahead.firstIndex(where: { abs($0.time - before) <= reachSeconds }) else { continue }
      for index in place..<back { found.insert(times[index].index) }
      place = back
    }
    return found
  }

  /// The claimed window with the samples that join it; nil where too few samples lie within.
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
