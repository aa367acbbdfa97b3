import CoachProtocol

// A clock that was set during a workout: by the phone, by a satellite, by hand. All times after the step are off by a
// constant, and a run of an hour spans days or goes back in time.

/// Finds steps of the clock and removes them.
enum ClockSteps {
  /// A step forward is longer than this, in seconds; a shorter one may be a stop.
  private static let forwardSecondsMin = 600.0
  /// Without a device's own time, a step forward is longer than any replay.
  private static let unclaimedSecondsMin = Double(ReplayTimeline.wallSecondsMax)
  /// Beside a timer that stops during pauses, a step forward is longer than any pause.
  private static let timerSecondsMin = 43_200.0
  /// A step back is longer than this, in seconds; a shorter one is a correction whose samples overlap.
  private static let backwardSecondsMin = 60.0
  /// As many samples on each side make a step; fewer are stray times.
  private static let samplesMin = 4

  /// A step, for the file's other times.
  struct Step: Sendable, Equatable {
    /// The first time after the step as the file has it, Unix seconds.
    var from: Double
    /// Seconds to add from then on.
    var shift: Double
  }

  /// Shifts the times of samples after steps of the clock.
  ///
  /// - Parameter raw: Its pauses, laps, lengths and end are shifted with the samples.
  static func repair(
    _ samples: inout [RecordedWorkout.Sample], of raw: inout RawRecording, findings: inout ImportFindings
  ) {
    let usual = SampleBlocks.usualStep(of: samples)
    let backward = removeBackward(&samples, usual: usual)
    findings.add(
      backward, "step back of the clock, taken out", "steps back of the clock, taken out")
    let steps = forward(samples, raw, usual: usual)
    guard !steps.isEmpty else { return }
    func shifted(_ time: Double) -> Double { steps.reduce(time) { $1.from <= time ? $0 + $1.shift : $0 } }
    for index in samples.indices { samples[index].time = samples[index].time.map(shifted) }
    for index in raw.laps.indices { raw.laps[index].start = raw.laps[index].start.map(shifted) }
    for index in raw.lengths.indices { raw.lengths[index].start = raw.lengths[index].start.map(shifted) }
    raw.pauses = raw.pauses.map { pauses in
      pauses.map { .init(from: shifted($0.from), to: shifted($0.to), kind: $0.kind) }
    }
    raw.timerEnd = raw.timerEnd.map(shifted)
    for step in steps { findings.add("the clock was set forward by \(Int(-step.shift)) s; taken out") }
  }

  private static func removeBackward(_ samples: inout [RecordedWorkout.Sample], usual: Double) -> Int {
    var shift = 0.0
    var last: Double?
    var count = 0
    for index in samples.indices {
      guard let time = samples[index].time else { continue }
      if let last, time + shift < last - max(backwardSecondsMin, 3 * usual), samples.count - index >= samplesMin {
        shift = last + usual - time
        count += 1
      }
      samples[index].time = time + shift
      last = time + shift
    }
    return count
  }

  private static func forward(
    _ samples: [RecordedWorkout.Sample], _ raw: RawRecording, usual: Double
  ) -> [Step] {
    let timed = samples.filter { $0.time != nil }
    guard let first = timed.first?.time, let last = timed.last?.time, timed.count >= 2 * samplesMin else { return [] }
    let claimed = raw.summary.elapsed ?? raw.lapSeconds
    let least =
      raw.summary.elapsed != nil ? forwardSecondsMin : claimed != nil ? timerSecondsMin : unclaimedSecondsMin
    let speedMax = Sport(named: raw.sport).speedMax
    var gaps: [(from: Double, to: Double)] = []
    for index in samplesMin...(timed.count - samplesMin) {
      let (before, after) = (timed[index - 1], timed[index])
      guard let from = before.time, let to = after.time, to - from > least, !isPause(from, to, raw.pauses ?? []),
        way(from: before, to: after) <= speedMax * max(10, 3 * usual)
      else { continue }
      gaps.append((from, to))
    }
    guard !gaps.isEmpty else { return [] }
    var span = last - first
    if let claimed {
      let tolerance = max(10, claimed * 0.02)
      guard span > claimed + tolerance else { return [] }
      var taken: [(from: Double, to: Double)] = []
      for gap in gaps.sorted(by: { ($0.to - $0.from, $1.from) > ($1.to - $1.from, $0.from) })
      where span > claimed + tolerance {
        taken.append(gap)
        span -= gap.to - gap.from - usual
      }
      guard abs(span - claimed) <= tolerance else { return [] }
      gaps = taken
    }
    return gaps.sorted { $0.from < $1.from }.map { Step(from: $0.to, shift: $0.from + usual - $0.to) }
  }

  private static func isPause(_ from: Double, _ to: Double, _ pauses: [RecordedWorkout.Pause]) -> Bool {
    let paused = pauses.reduce(0) { $0 + max(0, min($1.to, to) - max($1.from, from)) }
    return paused * 2 > to - from
  }

  /// Metres between two samples; 0 if unknown.
  private static func way(from: RecordedWorkout.Sample, to: RecordedWorkout.Sample) -> Double {
    if let before = from.distance, let after = to.distance { return max(0, after - before) }
    guard let before = from.position, let after = to.position else { return 0 }
    return Double(GreatCircle.millimetres(from: before, to: after)) / 1_000
  }
}
