import CoachProtocol

// Recorders count the steps of one foot: what a file of a run calls cadence are strides a minute, half of the steps.

/// Steps a minute from the cadence of a GPX file.
enum GPXCadence {
  /// The median strides of runners lie in here; their steps, and most cyclists' revolutions on the flat at speed, do not.
  private static let strideMedianRange = 65.0...110.0
  /// The mean speed of runners, metres per second.
  private static let runningSpeedRange = 1.5...6.5

  /// Doubles the cadences when they count one foot: the sport says so or, where its kind is not known, median cadence
  /// and speed do.
  static func toSteps(_ raw: inout RawRecording, findings: inout Findings) {
    let cadences = raw.samples.compactMap(\.cadence).sorted()
    guard !cadences.isEmpty else { return }
    switch Sport(named: raw.sport) {
    case .running, .walking: break
    case .other:
      guard strideMedianRange.contains(cadences[cadences.count / 2]), runningSpeedRange.contains(meanSpeed(raw.samples))
      else { return }
      let about = raw.sport.map { "the sport '\($0)' is not known" } ?? "the file names no sport"
      findings.note("\(about); cadence was taken as strides of a runner")
    default: return
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
