import CoachProtocol

// Wrong fixes: a receiver that sees few satellites reports a place kilometres away, and returns with the next fix.

/// Removes positions that no athlete could have been at.
enum PositionOutliers {
  /// Limit of fixes in one excursion from which the course returns.
  private static let excursionMax = 10
  /// As many fixes at the beginning or the end of a segment may be wrong.
  private static let edgeMax = 3
  /// With a larger share of doubtful fixes none is removed.
  private static let shareMax = 0.05
  /// An excursion is faster than this many times the usual speed, and than `speedMin` metres per second.
  private static let usualSpeedsMin = 8.0
  private static let speedMin = 8.0
  /// Shorter legs, in metres, are noise.
  private static let legMin = 50.0
  /// At the beginning and the end of a segment, where the course does not return, legs are at least this long.
  private static let edgeLegMin = 200.0

  /// Removes the positions, and keeps everything else of their samples.
  static func drop(
    from samples: inout [RecordedWorkout.Sample], sport: Sport, findings: inout ImportFindings
  ) {
    let fixes = samples.indices.filter { samples[$0].time != nil && samples[$0].position != nil }
    guard fixes.count >= 5 else { return }
    let course = Course(samples: samples, fixes: fixes, sport: sport)
    var dropped: [Int] = []
    var begin = 0
    while begin < fixes.count {
      let segment = samples[fixes[begin]].segment
      var end = begin + 1
      while end < fixes.count, samples[fixes[end]].segment == segment { end += 1 }
      dropped += course.outliers(in: begin..<end)
      begin = end
    }
    guard !dropped.isEmpty, Double(dropped.count) <= max(1, shareMax * Double(fixes.count)) else { return }
    for index in dropped { samples[index].position = nil }
    findings.add(
      dropped.count, "position far off the course was left out", "positions far off the course were left out")
  }

  /// The fixes of a recording.
  private struct Course {
    let samples: [RecordedWorkout.Sample]
    /// Indices into `samples`.
    let fixes: [Int]
    /// Metres per second.
    let speedMax: Double

    init(samples: [RecordedWorkout.Sample], fixes: [Int], sport: Sport) {
      self.samples = samples
      self.fixes = fixes
      var speeds: [Double] = []
      for (first, second) in zip(fixes, fixes.dropFirst()) where samples[first].segment == samples[second].segment {
        let leg = Self.leg(samples[first], samples[second])
        if leg.seconds > 0, leg.metres > 0 { speeds.append(leg.metres / leg.seconds) }
      }
      let usual = speeds.isEmpty ? 0 : speeds.sorted()[speeds.count / 2]
      speedMax = min(sport.speedMax, max(speedMin, usualSpeedsMin * usual))
    }

    private static func leg(
      _ first: RecordedWorkout.Sample, _ second: RecordedWorkout.Sample
    ) -> (metres: Double, seconds: Double) {
      guard let from = first.position, let to = second.position else { return (0, 0) }
      return (
        Double(GreatCircle.millimetres(from: from, to: to)) / 1_000, abs((second.time ?? 0) - (first.time ?? 0))
      )
    }

    /// Whether nobody gets from one fix to the other in their time.
    private func isLeap(_ first: Int, _ second: Int, least: Double = legMin) -> Bool {
      let leg = Self.leg(samples[fixes[first]], samples[fixes[second]])
      // Two fixes within a second, as receivers write them now and then, are rounded times.
      return leg.metres > least && leg.metres > speedMax * max(leg.seconds, 1)
    }

    /// Indices into `samples` of the wrong fixes of one segment.
    func outliers(in range: Range<Int>) -> [Int] {
      guard range.count >= 3 else { return [] }
      var found: [Int] = []
      var good = range.lowerBound
      var next = good + 1
      while next < range.upperBound {
        guard isLeap(good, next) else {
          good = next
          next += 1
          continue
        }
        let ahead = (next + 1)..<min(next + 1 + excursionMax, range.upperBound)
        if let back = ahead.first(where: { !isLeap(good, $0) && isPlausible($0, in: range) }) {
          found += fixes[next..<back]
          good = back
        } else if !isLeap(good, next, least: edgeLegMin) {
          good = next
        } else if good - range.lowerBound < edgeMax, range.upperBound - next > edgeMax, isPlausible(next, in: range) {
          // The receiver found itself after a few fixes.
          found += fixes[range.lowerBound...good].filter { !found.contains($0) }
          good = next
        } else if range.upperBound - next <= edgeMax {
          found += fixes[next..<range.upperBound]
          return found
        } else {
          good = next
        }
        next = good + 1
      }
      return found
    }

    /// Whether the course goes on from a fix, so that it is no part of an excursion.
    private func isPlausible(_ fix: Int, in range: Range<Int>) -> Bool {
      fix + 1 >= range.upperBound || !isLeap(fix, fix + 1)
    }
  }
}
