package import CoachProtocol
package import Link

/// The app's stored state, beside its session's: all that a restart needs.
package struct WatchRecord: Sendable, Equatable {
  /// The last stamp given; the minimum before the first.
  package var lastSentAt = WatchTime(nanoseconds: .min)
  /// How many splits of the latest workout its snapshots have carried.
  package var splitsCarried = 0
  /// The phone's clock according to its latest hello; nil before the first.
  package var phoneClock: PhoneClockEstimate?
  /// Whether the scenario's planned start has happened, or is void.
  package var isStartUsed = false
  /// Runs that must not start any more.
  package var settled = SettledRuns()
  /// The workouts since the first start, in order; only the last one can be on.
  ///
  /// All that were saved; of the discarded ones the latest, at most ``spentMax``, and all whose end is unannounced.
  package var workouts: [WorkoutLog] = []
  /// Number of voice notes recorded since the first start.
  package var noteCount = 0
  /// Voice notes that the phone does not have, in the order of recording.
  package var notes: [OwedVoiceNote] = []

  /// Limit of discarded workouts; beyond it they are forgotten when the next workout begins.
  package static let spentMax = 64

  package mutating func apply(_ change: WatchChange) {
    switch change {
    case .published(let mark):
      lastSentAt = mark.stamp
      splitsCarried = Int(mark.splitsCarried)
    case .phoneClock(let clock): phoneClock = clock
    case .startUsed: isStartUsed = true
    case .settled(let runId, let number):
      precondition(number == settled.count, "run \(number) is settled after \(settled.count)")
      settled.insert(runId)
    case .forgot(let remaining, _): workouts = remaining
    case .began(let begin):
      workouts.append(WorkoutLog(begin: begin))
      isStartUsed = true
      splitsCarried = 0
    case .stepped(let step): apply(step)
    case .announced(let index): workouts[index.workout].steps[index.step].isAnnounced = true
    case .recorded(let note):
      notes.append(note)
      noteCount = note.number
    case .noted(let note):
      if let index = notes.firstIndex(where: { $0.number == note.number }) { notes[index] = note }
    case .noteSettled(let note): notes.removeAll { $0.note == note }
    }
  }

  private mutating func apply(_ step: WorkoutStep) {
    precondition(!workouts.isEmpty, "a step of no workout")
    workouts[workouts.count - 1].steps.append(step)
  }

  /// The workouts that remain if spent ones are forgotten; nil while there are few of these.
  package var workoutsToRemain: [WorkoutLog]? {
    workouts.count { $0.isSpent } < Self.spentMax ? nil : workouts.filter { !$0.isSpent }
  }

  /// The steps whose events are not queued yet, in order.
  package var unannounced: [StepIndex] {
    workouts.indices.flatMap { workout in
      workouts[workout].steps.indices.filter { !workouts[workout].steps[$0].isAnnounced }
        .map { StepIndex(workout: workout, step: $0) }
    }
  }
}

/// The location of a step in a record.
package struct StepIndex: Sendable, Equatable {
  /// Index of its workout.
  package var workout: Int
  /// Index in the workout's log.
  package var step: Int
}

/// What is stored of each snapshot.
package struct PublishMark: Sendable, Equatable {
  package var stamp: WatchTime
  /// How many splits its workout's snapshots have carried, this one included.
  package var splitsCarried: Int32
  /// The workout's number on this watch, from 1.
  package var workout: Int32
}

/// One durable change of the app's state.
package enum WatchChange: Sendable, Equatable {
  /// A snapshot is about to be published.
  case published(PublishMark)
  /// The phone's hello included its clock.
  case phoneClock(PhoneClockEstimate)
  /// The scenario's planned start will not happen any more.
  case startUsed
  /// A run was declined, cancelled, or has ended; the number counts them from 0.
  case settled(Identifier, number: Int)
  /// Discarded workouts are forgotten; a workout begins in the same transaction.
  case forgot(remaining: [WorkoutLog], lastSentAt: WatchTime)
  /// A workout began, which uses up the planned start.
  case began(WorkoutBegin)
  /// A step of the latest workout; one that ended is settled in the same transaction.
  case stepped(WorkoutStep)
  /// The event of a step is queued.
  case announced(StepIndex)
  indirect case recorded(OwedVoiceNote)
  /// A voice note's transfer state changed.
  indirect case noted(OwedVoiceNote)
  /// The phone has a voice note, or it is no longer wanted.
  case noteSettled(Identifier)
}
