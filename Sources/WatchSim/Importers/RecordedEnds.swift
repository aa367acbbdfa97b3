// The ends of recordings whose samples cover only a part of the workout, or none of it: stopwatches that record one
// lap, exports that contain laps and no points.

/// Adds samples where only laps and totals are known.
enum RecordedEnds {
  /// Samples that end at most this many seconds before the workout cover all of it.
  private static let coveredSecondsMin = 60.0

  /// Makes samples at the beginnings and ends of laps, or of the workout, if no sample has a time; drops positions
  /// of exactly 0, 0, which receivers write without a fix.
  static func begin(
    _ samples: inout [RecordedWorkout.Sample], of raw: RawRecording, findings: inout ImportFindings
  ) {
    var nowhere = 0
    // A course that passes there: anonymized ones begin there.
    let isThere = samples.contains { sample in
      sample.position.map { abs($0.latitude) + abs($0.longitude) < 0.05 && !isNowhere($0) } ?? false
    }
    for index in samples.indices where !isThere {
      if let position = samples[index].position, isNowhere(position) {
        samples[index].position = nil
        nowhere += 1
      }
    }
    findings.add(
      nowhere, "position of exactly 0, 0 is no fix", "positions of exactly 0, 0 are no fixes")
    // The laps of a file that breaks off are not whole.
    guard samples.isEmpty, raw.lapSeconds != nil || raw.summary.elapsed != nil,
      let start = raw.start ?? raw.laps.first?.start
    else { return }
    if let curve = DistanceSpread.curve(of: raw.laps, start: start) {
      var last: Double?
      for knot in curve where knot.time != last {
        samples.append(RecordedWorkout.Sample(time: knot.time, distance: knot.metres))
        last = knot.time
      }
      findings.add("no points: samples were made from the laps")
    } else if let elapsed = raw.summary.elapsed, elapsed > 0 {
      samples = [
        RecordedWorkout.Sample(time: start), RecordedWorkout.Sample(time: start + elapsed),
      ]
      findings.add("no points: samples were made from the device's totals")
    }
  }

  private static func isNowhere(_ position: Position) -> Bool { position.latitude == 0 && position.longitude == 0 }

  /// Continues the distance from the last sample to the end of the workout, by the laps if they have distances.
  ///
  /// - Parameter samples: Sorted by time, with distances.
  static func extend(
    _ samples: inout [RecordedWorkout.Sample], to end: Double, of raw: RawRecording, start: Double?,
    findings: inout ImportFindings
  ) {
    guard let last = samples.lazy.compactMap(\.time).last, end - last > coveredSecondsMin, let start, end > start,
      end - last > (end - start) * 0.02
    else { return }
    let reached = samples.lazy.compactMap(\.distance).max() ?? 0
    let curve = DistanceSpread.curve(of: raw.laps, start: start) ?? []
    let total = raw.summary.distance ?? curve.last?.metres ?? reached
    guard total > reached else { return }
    var metres = reached
    var time = last
    for knot in curve where knot.time > time && knot.time < end && knot.metres > metres && knot.metres < total {
      samples.append(RecordedWorkout.Sample(time: knot.time, distance: knot.metres))
      (time, metres) = (knot.time, knot.metres)
    }
    samples.append(RecordedWorkout.Sample(time: end, distance: total))
    findings.add(
      "the samples end \(FigureText.rounded(end - last)) s before the workout; the other"
        + " \(FigureText.rounded(total - reached)) m are laid over that time")
  }
}
