import CoachProtocol

// Gives every sample a cumulative distance: the device's, repaired where it restarts from 0, the sum over positions, or
// what speeds, laps and totals say.

/// Computes cumulative distances in the file's order.
enum DistanceRepair {
  /// A device distance that falls below this share of the previous one restarted; a smaller fall is noise.
  private static let restartShareMax = 0.5

  /// Sets `distance` of every sample that can have one, rounded to a millimetre and never decreasing in the given
  /// order.
  ///
  /// Device figures are used if at least two samples have one, and one of these is above 0 or there is nothing better.
  /// Else, in this order: positions, speeds, the distances of laps, the device's total.
  static func apply(
    to samples: inout [RecordedWorkout.Sample], of raw: RawRecording, start: Double?, end: Double?,
    findings: inout ImportFindings
  ) -> RecordedWorkout.DistanceSource {
    let claimed = claimedDistance(of: raw)
    let recorded = samples.lazy.compactMap(\.distance)
    let hasDistances = recorded.prefix(2).count == 2
    if hasDistances, recorded.contains(where: { $0 > 0 }) {
      mend(&samples, findings: &findings)
      return .device
    }
    let positions = samples.count { $0.position != nil }
    let speeds = DistanceSpread.metres(bySpeedOf: samples)
    if positions >= 2 {
      let summed = summing(samples)
      let metres = summed.lazy.compactMap(\.distance).max() ?? 0
      // A receiver indoors, or one that found no satellites for most of the way.
      let isUnusable = claimed.map { $0 > 2 * metres } ?? (positions * 10 < samples.count)
      if !isUnusable || (speeds ?? 0) <= 2 * metres {
        samples = summed
        return .greatCircle
      }
    }
    guard let start, let end, end > start else { return none(&samples, hasDistances, findings: &findings) }
    if let speeds, speeds > 0 {
      DistanceSpread.spread(bySpeedOf: &samples)
      findings.add("the records have no distance; it was integrated from their speeds")
      return .speed
    }
    if DistanceSpread.spread(raw.laps, over: &samples, start: start) {
      findings.add("the records have no distance; that of each lap is laid evenly over its time")
      return .laps
    }
    if let claimed, claimed > 0 {
      DistanceSpread.spread(claimed, over: &samples, from: start, to: end)
      findings.add("the records have no distance; the device's total is laid evenly over the workout")
      return .total
    }
    return none(&samples, hasDistances, findings: &findings)
  }

  /// The device's total; without one that of its laps.
  static func claimedDistance(of raw: RawRecording) -> Double? {
    raw.summary.distance ?? RawRecording.total(raw.laps.map(\.distance))
  }

  private static func none(
    _ samples: inout [RecordedWorkout.Sample], _ hasDistances: Bool, findings: inout ImportFindings
  ) -> RecordedWorkout.DistanceSource {
    if hasDistances {
      mend(&samples, findings: &findings)
      return .device
    }
    for index in samples.indices { samples[index].distance = nil }
    if !samples.isEmpty { findings.add("neither distances nor positions: the distance stays 0") }
    return .none
  }

  /// Subtracts what a device had counted before the workout, as devices do from part to part of a multisport.
  ///
  /// The first sample with a time and a distance decides: its distance was counted before if no runner covers it in the
  /// time since the start, or if the device's total matches without it.
  ///
  /// - Parameter claimed: The device's own total, metres; nil if there is none.
  static func begin(
    _ samples: inout [RecordedWorkout.Sample], start: Double?, claimed: Double?, sport: Sport,
    findings: inout ImportFindings
  ) {
    guard let first = samples.first(where: { $0.time != nil && $0.distance != nil }), let base = first.distance,
      let time = first.time, base > 0, let last = samples.lazy.compactMap(\.distance).max()
    else { return }
    let isImpossible = base > sport.speedMax * max(0, time - (start ?? time))
    let isStated = claimed.map { abs(last - base - $0) < abs(last - $0) } ?? false
    guard isImpossible || isStated else { return }
    for index in samples.indices {
      samples[index].distance = samples[index].distance.map { max(0, (($0 - base) * 1_000).rounded() / 1_000) }
    }
    // Devices count a few metres before they write the first sample.
    if base >= reportedMetersMin {
      findings.add("\(Int(base.rounded())) m of the distance, counted before the first sample, were taken off")
    }
  }

  /// Fewer metres before the first sample are subtracted without a finding.
  private static let reportedMetersMin = 20.0

  private static func mend(_ samples: inout [RecordedWorkout.Sample], findings: inout ImportFindings) {
    var base: Int64 = 0
    var last: Int64 = 0
    var lastRaw: Int64 = 0
    var restarts = 0
    var falls = 0
    for index in samples.indices {
      guard let distance = samples[index].distance else { continue }
      // A bound far beyond any run keeps sums of a million of them within 64 bits.
      let raw = Int64((min(max(distance, 0), 1e9) * 1_000).rounded())
      if raw < lastRaw {
        if Double(raw) < Double(lastRaw) * restartShareMax {
          restarts += 1
          base = last
        } else {
          falls += 1
        }
      }
      lastRaw = raw
      last = max(last, base + raw)
      samples[index].distance = Double(last) / 1_000
    }
    findings.add(restarts, "restart of the recorded distance, joined", "restarts of the recorded distance, joined")
    findings.add(falls, "step back of the recorded distance, held", "steps back of the recorded distance, held")
  }

  private static func summing(_ samples: [RecordedWorkout.Sample]) -> [RecordedWorkout.Sample] {
    var samples = samples
    var total: Int64 = 0
    var previous: (position: Position, segment: Int)?
    for index in samples.indices {
      guard let position = samples[index].position else {
        samples[index].distance = nil
        continue
      }
      if let previous, previous.segment == samples[index].segment {
        total += GreatCircle.millimetres(from: previous.position, to: position)
      }
      previous = (position, samples[index].segment)
      samples[index].distance = Double(total) / 1_000
    }
    return samples
  }
}
