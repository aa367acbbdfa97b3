import CoachProtocol

// Gives every sample a cumulative distance: the device's, mended where it starts again from 0, or the sum over positions.

/// Cumulative distances in the file's order.
enum DistanceRepair {
  /// A device's distance that falls to less than this share of the one before began anew; a smaller fall is noise.
  private static let restartShareMax = 0.5

  /// Sets `distance` of every sample that can have one, rounded to a millimetre and never falling in the given order.
  ///
  /// A device's figures are used when at least two samples carry one, of which one is above 0 or there are no positions to do better.
  static func apply(
    to samples: inout [RecordedWorkout.Sample], findings: inout Findings
  ) -> RecordedWorkout.DistanceSource {
    let recorded = samples.lazy.compactMap(\.distance)
    let positions = samples.lazy.filter { $0.position != nil }
    let hasPositions = positions.prefix(2).count == 2
    if recorded.prefix(2).count == 2, recorded.contains(where: { $0 > 0 }) || !hasPositions {
      mend(&samples, findings: &findings)
      return .device
    }
    guard hasPositions else {
      for index in samples.indices { samples[index].distance = nil }
      if !samples.isEmpty { findings.note("neither distances nor positions: the run stands still") }
      return .none
    }
    sum(&samples)
    return .greatCircle
  }

  /// Takes off what a device had counted before the workout, as it does from part to part of a multisport.
  ///
  /// The first sample with a time and a distance tells: it is taken for what had been counted before where no runner covers
  /// it in the time since the start, or where the total that the device states is met without it.
  ///
  /// - Parameter claimed: The device's own total, metres; nil where it states none.
  static func begin(
    _ samples: inout [RecordedWorkout.Sample], start: Double?, claimed: Double?, sport: Sport, findings: inout Findings
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
    // A few metres are what a device counts before it writes its first sample.
    if base >= notedMetersMin {
      findings.note("\(Int(base.rounded())) m of the distance, counted before the first sample, were taken off")
    }
  }

  /// Fewer metres before the first sample are taken off without a finding.
  private static let notedMetersMin = 20.0

  private static func mend(_ samples: inout [RecordedWorkout.Sample], findings: inout Findings) {
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
    findings.note(restarts, "restart of the recorded distance, joined", "restarts of the recorded distance, joined")
    findings.note(falls, "step back of the recorded distance, held", "steps back of the recorded distance, held")
  }

  private static func sum(_ samples: inout [RecordedWorkout.Sample]) {
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
  }
}
