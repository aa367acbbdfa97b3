import CoachProtocol

// Recorders count one foot: the cadence in a GPX file of a run is strides a minute, half of the steps.

/// Converts a GPX file's cadence to steps a minute.
enum GPXCadence {
  /// Contains runners' median strides, but neither their steps nor most cyclists' revolutions on the flat.
  private static let strideMedianRange = 65.0...110.0
  /// The mean speed of runners, metres per second.
  private static let runningSpeedRange = 1.5...6.5

  /// Doubles the cadences if they count one foot, according to the sport or, if that is unknown, to median cadence and
  /// speed.
  static func toSteps(_ raw: inout RawRecording, findings: inout ImportFindings) {
    let cadences = raw.samples.compactMap(\.cadence).sorted()
    guard !cadences.isEmpty else { return }
    switch Sport(named: raw.sport) {
    case .running, .walking: break
    case .other:
      guard strideMedianRange.contains(cadences[cadences.count / 2]), runningSpeedRange.contains(meanSpeed(raw.samples))
      else { return }
      let about = raw.sport.map { "the sport '\($0)' is not known" } ?? "the file names no sport"
      findings.add("\(about); cadence was taken as strides of a runner")
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
