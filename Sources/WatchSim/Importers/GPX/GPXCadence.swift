// Recorders count the steps of one foot: what a GPX file of a run calls cadence are strides a minute, half of the steps.

/// Steps a minute from the cadence of a GPX file.
enum GPXCadence {
  /// Sports in which cadence counts one foot.
  private static let footSports: Set<String> = ["running", "walking", "hiking", "trail running", "trail_running"]
  /// The median strides of runners lie in here; their steps, and most cyclists' revolutions on the flat at speed, do not.
  private static let strideMedianRange = 65.0...110.0
  /// The mean speed of runners, metres per second.
  private static let runningSpeedRange = 1.5...6.5

  /// Doubles the cadences when they count one foot: the sport says so or, without a sport, median cadence and speed do.
  static func toSteps(_ raw: inout RawRecording, findings: inout Findings) {
    let cadences = raw.samples.compactMap(\.cadence).sorted()
    guard !cadences.isEmpty else { return }
    if let sport = raw.sport {
      guard footSports.contains(sport) else { return }
    } else {
      guard strideMedianRange.contains(cadences[cadences.count / 2]), runningSpeedRange.contains(meanSpeed(raw.samples))
      else { return }
      findings.note("the file names no sport; cadence was taken as strides of a runner")
    }
    for index in raw.samples.indices {
      raw.samples[index].cadence = raw.samples[index].cadence.map { $0 * 2 }
    }
  }

  private static func meanSpeed(_ samples: [RecordedWorkout.Sample]) -> Double {
    var metres = 0.0
    var seconds = 0.0
    var previous: RecordedWorkout.Sample?
    for sample in samples {
      guard let time = sample.time, let position = sample.position else { continue }
      if let previous, let previousTime = previous.time, let previousPosition = previous.position,
        previous.segment == sample.segment, time > previousTime, time - previousTime <= 30
      {
        metres += Double(GreatCircle.millimetres(from: previousPosition, to: position)) / 1_000
        seconds += time - previousTime
      }
      previous = sample
    }
    return seconds > 0 ? metres / seconds : 0
  }
}
