// What a replay of a recording amounts to, beside the figures of the recording. The two agree, or the difference has a
// reason that the user reads.

/// The figures of a replayed workout, as the simulated watch counts them.
package struct ReplayFigures: Sendable, Equatable {
  /// Whole seconds by the wall clock.
  package var elapsedSeconds: Double
  /// Whole seconds without pauses.
  package var timerSeconds: Double
  package var distanceMeters: Double
  /// Mean over all seconds with a reading, beats per minute; nil if there is none.
  package var averageHeartRate: Double?
  /// Beats per minute; nil if there is no reading.
  package var maximumHeartRate: Int?

  package init(_ timeline: ReplayTimeline) {
    var paused = 0
    var heartRates: [Int] = []
    for second in 0...timeline.wallSeconds {
      let moment = timeline.moment(at: second)
      if moment.state == .paused { paused += 1 }
      if let heartRate = moment.heartRate { heartRates.append(heartRate) }
    }
    elapsedSeconds = Double(timeline.wallSeconds)
    timerSeconds = Double(timeline.wallSeconds - paused)
    distanceMeters = timeline.moment(at: timeline.wallSeconds).distanceMeters
    averageHeartRate = heartRates.isEmpty ? nil : Double(heartRates.reduce(0, +)) / Double(heartRates.count)
    maximumHeartRate = heartRates.max()
  }
}

extension RecordedWorkout {
  /// A replay counts whole seconds: smaller differences are rounding.
  private static let secondsAgreed = 1.0
  /// Metres, and the share of the distance.
  private static let metresAgreed = 1.0
  private static let distanceShareAgreed = 0.001
  /// Beats per minute.
  private static let heartRateAgreed = 0.5

  /// Why a replay's figures differ from those of the recording, one readable line for each figure; empty if they
  /// agree, or if there is no replay.
  package func differences(from replay: ReplayFigures) -> [String] {
    var lines: [String] = []
    func add(_ name: String, _ replayed: Double, _ own: Double, _ unit: String, _ reason: String) {
      lines.append("\(name) \(FigureText.rounded(replayed)) \(unit), not \(FigureText.rounded(own)): \(reason)")
    }
    if abs(replay.elapsedSeconds - elapsedSeconds) > Self.secondsAgreed {
      add("elapsed", replay.elapsedSeconds, elapsedSeconds, "s", "the recording has no beginning to count from")
    }
    // Each stop and each end of one is rounded to a second.
    if abs(replay.timerSeconds - timerSeconds) > Self.secondsAgreed + Double(pauses.count) * 0.5 {
      add(
        "timer", replay.timerSeconds, timerSeconds, "s",
        "the recorded pauses do not add up to the device's timer, and it does not say when it stopped otherwise")
    }
    if abs(replay.distanceMeters - distanceMeters) > max(Self.metresAgreed, distanceMeters * Self.distanceShareAgreed) {
      add("distance", replay.distanceMeters, distanceMeters, "m", distanceReason)
    }
    if let mean = averageHeartRate {
      let replayed = replay.averageHeartRate ?? 0
      if abs(replayed - mean) > Self.heartRateAgreed {
        add(
          "mean heart rate", replayed, mean, "beats per minute",
          "a replay holds each reading until the next, and weighs it by that time")
      }
    }
    if let highest = maximumHeartRate, replay.maximumHeartRate != highest {
      add(
        "highest heart rate", Double(replay.maximumHeartRate ?? 0), Double(highest), "beats per minute",
        "a replay has one reading a second, the last one, from the start to the end")
    }
    return lines
  }

  private var distanceReason: String {
    let lead = samples.first { $0.time != nil && $0.distance != nil }?.distance ?? 0
    if distanceSource == .greatCircle, !isDistanceClaimed, lead >= Self.metresAgreed {
      return "points before the first time are not replayed"
    }
    if samples.last?.time == nil { return "points behind the last time are not replayed" }
    return "the rest would have to be covered faster than the sport allows"
  }
}
