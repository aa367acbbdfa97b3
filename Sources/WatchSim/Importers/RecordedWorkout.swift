package import CoachProtocol

// A workout recorded by a real device, in one shape for all formats. The device's own figures (`summary`) are separate
// from what the samples give: real files disagree, and `findings` lists every choice that had to be made.

/// A workout read from a file.
package struct RecordedWorkout: Sendable, Equatable {
  package struct Sample: Sendable, Equatable {
    /// Unix seconds, UTC; nil if the file has none: then the sample suits a map but not a replay.
    package var time: Double?
    /// Nil without a fix.
    package var position: Position?
    /// Metres above sea level.
    package var altitude: Double?
    /// Metres since the start: the device's own figure if it recorded one, else the great-circle sum
    /// (`distanceSource`).
    package var distance: Double?
    /// Metres per second.
    package var speed: Double?
    /// Beats per minute, 1 to 300; a recorded 0 means no reading and is nil.
    package var heartRate: Int?
    /// Steps per minute on foot, revolutions or strokes per minute otherwise.
    package var cadence: Double?
    /// Watts.
    package var power: Double?
    /// The index of the uninterrupted stretch it belongs to; distance does not carry over between stretches.
    package var segment = 0
  }

  /// A stretch with a stopped timer: from `from` until `to`, exclusive; Unix seconds.
  package struct Pause: Sendable, Equatable {
    /// What stopped the timer.
    package enum Kind: String, Sendable, Equatable {
      /// The wearer pressed a button.
      case manual
      /// The watch noticed a standstill.
      case auto
      /// A motion pause that a device reports without stopping its timer.
      case motion
      /// Inferred from a gap in the samples.
      case inferred
    }

    package var from: Double
    package var to: Double
    package var kind: Kind
  }

  /// A lap as the device wrote it; nil for missing figures.
  package struct Lap: Sendable, Equatable {
    /// Unix seconds.
    package var start: Double?
    /// Seconds by the wall clock.
    package var elapsed: Double?
    /// Seconds without pauses.
    package var timer: Double?
    /// Metres.
    package var distance: Double?
    /// Kilocalories.
    package var energyKcal: Double?
    /// What ended it: `manual`, `time`, `distance`, `position`, `session end`, ...
    package var trigger: String?
  }

  /// One length of a pool, or a rest at its end.
  package struct Length: Sendable, Equatable {
    /// Unix seconds.
    package var start: Double?
    /// Seconds by the wall clock.
    package var elapsed: Double?
    /// False for a rest.
    package var isActive: Bool
    /// Arm strokes; nil if not counted.
    package var strokes: Int?
    /// Nil for a rest, and if the device named none.
    package var stroke: SwimStroke?
  }

  /// The device's own figures for the whole; nil for missing ones.
  package struct Summary: Sendable, Equatable {
    /// Unix seconds.
    package var start: Double?
    /// Seconds by the wall clock.
    package var elapsed: Double?
    /// Seconds without pauses.
    package var timer: Double?
    /// Metres.
    package var distance: Double?
    /// Beats per minute.
    package var averageHeartRate: Int?
    /// Beats per minute.
    package var maximumHeartRate: Int?
    /// Kilocalories.
    package var energyKcal: Double?
    /// Manufacturer and model, or the program that wrote the file.
    package var device: String?
  }

  /// The origin of the samples' distances.
  package enum DistanceSource: Sendable, Equatable {
    /// Recorded by the device.
    case device
    /// Summed from positions, within segments.
    case greatCircle
    /// Integrated from recorded speeds, and scaled to the device's total if it has one.
    case speed
    /// The distances of the laps, each laid evenly over its time.
    case laps
    /// The device's total, laid evenly over the workout.
    case total
    /// The file has no distance, and nothing to compute it from.
    case none
  }

  /// `GPX`, `FIT`, ...
  package let format: String
  /// In lower case (`running`, `cycling`, ...), `multisport` for several, nil if the file names none.
  package var sport: String?
  /// Unix seconds; nil if nothing in the file has a time.
  package let start: Double?
  /// Sorted by time; samples without a time stay at their position in the file.
  package let samples: [Sample]
  /// In order, not overlapping.
  package let pauses: [Pause]
  /// In the file's order.
  package let laps: [Lap]
  /// In the file's order; empty outside a pool.
  package let lengths: [Length]
  /// Metres of one length, 5 to 200; nil outside a pool, and if the device did not say.
  package let poolLength: Double?
  package let summary: Summary
  package let distanceSource: DistanceSource
  /// Unix seconds: `elapsedSeconds` after the start; nil if nothing in the file has a time.
  package let end: Double?
  /// Every repair and doubt, one readable line each.
  package let findings: [String]

  /// Seconds from start to end by the wall clock: the device's figure, or the samples' span if that is absent or
  /// unusable.
  package let elapsedSeconds: Double
  /// Seconds without pauses: the device's figure, or `elapsedSeconds` minus the pauses.
  package let timerSeconds: Double
  /// Metres: the device's total; if that is absent or unusable its samples' last figure, or the great-circle sum.
  package let distanceMeters: Double
  /// Whether `distanceMeters` is the device's own total; then a replay is scaled to it.
  let isDistanceClaimed: Bool
  /// Mean over all samples with a heart rate, beats per minute; nil if none has one.
  package let averageHeartRate: Double?
  /// Beats per minute; nil if no sample has a heart rate.
  package let maximumHeartRate: Int?
  /// Why the workout cannot be replayed; nil if it can.
  package let replayObstacle: ReplayObstacle?

  /// With or without a time.
  package var sampleCount: Int { samples.count }
  package var lapCount: Int { laps.count }
  package var pauseCount: Int { pauses.count }
  /// Lengths that were swum, without rests.
  package var lengthCount: Int { lengths.count(where: \.isActive) }
  /// Of all lengths that were swum; one whose strokes were not counted has none.
  package var strokeCount: Int { lengths.reduce(0) { $0 + ($1.isActive ? min($1.strokes ?? 0, 1_000_000) : 0) } }
  package var isReplayable: Bool { replayObstacle == nil }

  /// Why a workout can be described but not replayed.
  package enum ReplayObstacle: Sendable, Equatable, CustomStringConvertible {
    /// Fewer than 2 samples have a time.
    case tooFewTimes(Int)
    /// Fewer than half of the samples have a time.
    case mostlyWithoutTimes(timed: Int, samples: Int)
    /// All times are equal.
    case equalTimes
    /// The times are before 1998-07-03: the device's clock was never set.
    case clockNeverSet
    /// The samples span more than `ReplayTimeline.wallSecondsMax`.
    case tooLong(seconds: Double)

    package var description: String {
      switch self {
      case .tooFewTimes(let count): "not replayable: \(count) of the samples have a time, at least 2 are needed"
      case .mostlyWithoutTimes(let timed, let samples):
        "not replayable: only \(timed) of \(samples) samples have a time, at least half are needed"
      case .equalTimes: "not replayable: all samples have the same time"
      case .clockNeverSet: "not replayable: the device's clock was never set"
      case .tooLong(let seconds):
        "not replayable: the samples span \(Int(seconds / 3_600)) hours, at most \(ReplayTimeline.wallSecondsMax / 3_600) are replayed"
      }
    }
  }
}
