// What was recorded on a real wrist, in one shape for every format. What the device claims (`summary`) stands apart from what the
// samples say: real files disagree, and `findings` names every place where a choice had to be made.

/// A workout read from a file.
package struct RecordedWorkout: Sendable, Equatable {
  /// What the watch noted at one moment.
  package struct Sample: Sendable, Equatable {
    /// Unix seconds, UTC; nil when the file gives none, which leaves the sample good for a map and useless for a replay.
    package var time: Double?
    /// Where the wearer was; nil without a fix.
    package var position: Position?
    /// Metres above sea level.
    package var altitude: Double?
    /// Metres since the start: the device's own figure where it recorded one, else the great-circle sum (`distanceSource`).
    package var distance: Double?
    /// Metres per second.
    package var speed: Double?
    /// Beats per minute, 1 to 300; a recorded 0 means no reading and is nil.
    package var heartRate: Int?
    /// Steps per minute on foot, revolutions or strokes per minute otherwise.
    package var cadence: Double?
    /// Watts.
    package var power: Double?
    /// Which unbroken stretch of the recording this belongs to, counted from 0; distance is not carried from one to the next.
    package var segment = 0
  }

  /// A stretch during which the timer stood still: from `from`, up to but not including `to`; Unix seconds.
  package struct Pause: Sendable, Equatable {
    /// What stopped the timer.
    package enum Kind: String, Sendable, Equatable {
      /// The wearer pressed a button.
      case manual
      /// The watch noticed a standstill.
      case auto
      /// A motion pause that a device reports without stopping its timer.
      case motion
      /// No event says so; a gap in the samples does.
      case inferred
    }

    package var from: Double
    package var to: Double
    package var kind: Kind
  }

  /// A lap as the device wrote it; nil where it says nothing.
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
    /// Whether it was swum; a rest is not.
    package var isActive: Bool
    /// Arm strokes; nil when not counted.
    package var strokes: Int?
  }

  /// What the device itself claims about the whole; nil where it says nothing.
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
    /// Maker and model, or the program that wrote the file.
    package var device: String?
  }

  /// Where the samples' distances come from.
  package enum DistanceSource: Sendable, Equatable {
    /// The device recorded them.
    case device
    /// Summed from positions, within segments.
    case greatCircle
    /// Nothing in the file tells a distance.
    case none
  }

  /// The format's name: `GPX`, `FIT`.
  package let format: String
  /// The sport in lower case (`running`, `cycling`, ...), `multisport` for several, nil when the file names none.
  package let sport: String?
  /// When it began, Unix seconds; nil when nothing in the file has a time.
  package let start: Double?
  /// The samples, sorted by time; those without one stand where the file has them.
  package let samples: [Sample]
  /// The stretches without a running timer, in order, not overlapping.
  package let pauses: [Pause]
  /// The laps in the file's order.
  package let laps: [Lap]
  /// The pool lengths in the file's order; empty outside a pool.
  package let lengths: [Length]
  /// What the device claims.
  package let summary: Summary
  /// Where the samples' distances come from.
  package let distanceSource: DistanceSource
  /// When the recording ends, Unix seconds: the last timer stop, or the last sample where there is none.
  package let end: Double?
  /// Every repair and doubt, one readable line each.
  package let findings: [String]

  /// Seconds from start to end by the wall clock: the device's figure, or the samples' span where the device's is absent or unusable.
  package let elapsedSeconds: Double
  /// Seconds without pauses: the device's figure, or `elapsedSeconds` less the pauses.
  package let timerSeconds: Double
  /// Metres: the device's total, or what its samples say where the total is absent or unusable, or the great-circle sum.
  package let distanceMeters: Double
  /// Plain mean over all samples with a heart rate, beats per minute; nil when none has one.
  package let averageHeartRate: Double?
  /// Highest heart rate of any sample, beats per minute; nil when none has one.
  package let maximumHeartRate: Int?
  /// Why the workout cannot be replayed; nil when it can.
  package let replayObstacle: ReplayObstacle?

  /// How many samples there are, with a time or without.
  package var sampleCount: Int { samples.count }
  /// How many laps the device wrote.
  package var lapCount: Int { laps.count }
  /// How many times the timer stopped and started again.
  package var pauseCount: Int { pauses.count }
  /// Whether the times are good enough to run the simulated watch from.
  package var isReplayable: Bool { replayObstacle == nil }

  /// Why a workout can be described and not replayed.
  package enum ReplayObstacle: Sendable, Equatable, CustomStringConvertible {
    /// Fewer than 2 samples have a time.
    case tooFewTimes(Int)
    /// Fewer than half of the samples have a time.
    case mostlyWithoutTimes(timed: Int, samples: Int)
    /// All times are the same instant.
    case equalTimes
    /// The times are from before 1998-07-03: the device's clock was never set.
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
