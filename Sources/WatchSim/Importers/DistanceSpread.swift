// Distance of recordings whose records have none: treadmills write speeds, other programs only laps or a total.

/// Computes distances from speeds, laps and totals.
enum DistanceSpread {
  /// A speed holds for at most this many seconds, and for three usual steps.
  private static let holdSecondsMin = 30.0

  /// Metres by the samples' speeds; nil if fewer than half of the samples with a time have one.
  static func metres(bySpeedOf samples: [RecordedWorkout.Sample]) -> Double? {
    let timed = samples.count { $0.time != nil }
    guard timed >= 2, samples.count(where: { $0.time != nil && $0.speed != nil }) * 2 >= timed else { return nil }
    var samples = samples
    spread(bySpeedOf: &samples)
    return samples.lazy.compactMap(\.distance).max()
  }

  /// Sets distances by the trapezoidal rule.
  static func spread(bySpeedOf samples: inout [RecordedWorkout.Sample]) {
    let hold = max(holdSecondsMin, 3 * SampleBlocks.usualStep(of: samples))
    var metres = 0.0
    var last: (time: Double, speed: Double)?
    for index in samples.indices {
      samples[index].distance = nil
      guard let time = samples[index].time, let speed = samples[index].speed else { continue }
      if let last, time > last.time { metres += (last.speed + speed) / 2 * min(time - last.time, hold) }
      if time > last?.time ?? -.infinity { last = (time, speed) }
      samples[index].distance = rounded(metres)
    }
  }

  /// Sets distances by the laps; false, and nothing is changed, if they do not all have a time and a distance.
  static func spread(
    _ laps: [RecordedWorkout.Lap], over samples: inout [RecordedWorkout.Sample], start: Double
  ) -> Bool {
    guard let curve = curve(of: laps, start: start), let last = curve.last, last.metres > 0 else { return false }
    var next = 0
    for index in samples.indices {
      guard let time = samples[index].time else { continue }
      // Samples may step back in time by a little.
      while next > 0, curve[next - 1].time > time { next -= 1 }
      while next < curve.count, curve[next].time < time { next += 1 }
      samples[index].distance = rounded(metres(at: time, on: curve, next))
    }
    return true
  }

  private static func metres(at time: Double, on curve: [(time: Double, metres: Double)], _ next: Int) -> Double {
    guard next < curve.count else { return curve[curve.count - 1].metres }
    guard next > 0 else { return 0 }
    let (before, after) = (curve[next - 1], curve[next])
    guard after.time > before.time else { return after.metres }
    return before.metres + (after.metres - before.metres) * (time - before.time) / (after.time - before.time)
  }

  /// The distance at the beginning and the end of each lap, in order of time; nil if a lap lacks its time or distance.
  static func curve(of laps: [RecordedWorkout.Lap], start: Double) -> [(time: Double, metres: Double)]? {
    var curve: [(time: Double, metres: Double)] = []
    var metres = 0.0
    var end = start
    for lap in laps {
      guard let seconds = lap.elapsed ?? lap.timer, let distance = lap.distance else { return nil }
      let begin = max(lap.start ?? end, end)
      curve.append((begin, metres))
      metres += distance
      end = begin + seconds
      curve.append((end, metres))
    }
    return curve.isEmpty ? nil : curve
  }

  /// Sets distances in proportion to the time.
  static func spread(
    _ total: Double, over samples: inout [RecordedWorkout.Sample], from start: Double, to end: Double
  ) {
    for index in samples.indices {
      samples[index].distance = samples[index].time.map { time in
        rounded(total * min(max(time - start, 0), end - start) / (end - start))
      }
    }
  }

  private static func rounded(_ metres: Double) -> Double { (metres * 1_000).rounded() / 1_000 }
}
