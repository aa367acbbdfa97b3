package import CoachProtocol
package import Link

/// What the watch's app keeps beside its session: what it needs to go on after a restart.
package struct WatchRecord: Sendable, Equatable {
  /// The last stamp the watch gave; the beginning of time before the first.
  package var lastSentAt = WatchTime(nanoseconds: .min)
  /// How many splits of the latest workout its snapshots have carried.
  package var splitsCarried = 0
  /// The phone's clock, as its latest hello told it; nil before the first.
  package var phoneClock: PhoneClock?
  /// Whether the start that the scenario plans is used up, or void.
  package var isStartUsed = false
  /// Runs that must not begin any more.
  package var settled = SettledRuns()
  /// The workouts since the first start, in the order of their beginnings; only the last one can be on.
  ///
  /// Those that were stored are all here; of those that were discarded the latest, at most ``spentMax``, and all whose end
  /// is owed.
  package var workouts: [WorkoutLog] = []
  /// How many voice notes were recorded since the first start.
  package var noteCount = 0
  /// Voice notes that the phone does not have yet, in the order of their recording.
  package var notes: [OwedVoiceNote] = []

  /// How many workouts that were discarded are kept before a beginning one takes their place.
  package static let spentMax = 64

  /// The record of a watch that was never started before.
  package init() {}

  /// Applies one change.
  package mutating func apply(_ change: WatchChange) {
    switch change {
    case .said(let said):
      lastSentAt = said.stamp
      splitsCarried = Int(said.splitsCarried)
    case .phoneClock(let clock): phoneClock = clock
    case .startUsed: isStartUsed = true
    case .settled(let runId, let number):
      precondition(number == settled.count, "run \(number) is settled after \(settled.count)")
      settled.insert(runId)
    case .forgot(let remaining, _): workouts = remaining
    case .began(let begin):
      workouts.append(WorkoutLog(begin))
      isStartUsed = true
      splitsCarried = 0
    case .stepped(let step): apply(step)
    case .announced(let place): workouts[place.workout].steps[place.step].isAnnounced = true
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

  /// The workouts that remain when those that are spent are forgotten; nil while there are few of these.
  package var workoutsToRemain: [WorkoutLog]? {
    workouts.count { $0.isSpent } < Self.spentMax ? nil : workouts.filter { !$0.isSpent }
  }

  /// The steps whose events are not queued yet, in order.
  package var unannounced: [StepPlace] {
    workouts.indices.flatMap { workout in
      workouts[workout].steps.indices.filter { !workouts[workout].steps[$0].isAnnounced }
        .map { StepPlace(workout: workout, step: $0) }
    }
  }
}

/// Where a step stands in a record.
package struct StepPlace: Sendable, Equatable {
  /// The place of its workout.
  package var workout: Int
  /// Its place in the workout's log.
  package var step: Int

  /// Names a place.
  package init(workout: Int, step: Int) {
    self.workout = workout
    self.step = step
  }
}

/// What is kept of each snapshot.
package struct Said: Sendable, Equatable {
  /// Its stamp.
  package var stamp: WatchTime
  /// How many splits snapshots of its workout have carried, this one included.
  package var splitsCarried: Int32
  /// Which workout of this watch it is of, from 1.
  package var workout: Int32

  /// Creates it.
  package init(_ stamp: WatchTime, splitsCarried: Int32, workout: Int32) {
    self.stamp = stamp
    self.splitsCarried = splitsCarried
    self.workout = workout
  }
}

/// One durable change of what the watch's app keeps.
package enum WatchChange: Sendable, Equatable {
  /// A snapshot is about to be published: its stamp, and how many splits its workout has carried with it.
  case said(Said)
  /// The phone said hello, and what its clock reads.
  case phoneClock(PhoneClock)
  /// The start that the scenario plans comes no more.
  case startUsed
  /// A run was declined, taken back, or has ended; the number counts them from 0.
  case settled(Identifier, number: Int)
  /// Discarded workouts are forgotten: which ones remain, and the last stamp given; one begins in the same transaction.
  case forgot(remaining: [WorkoutLog], lastSentAt: WatchTime)
  /// A workout began; it uses up the start that the scenario plans.
  case began(WorkoutBegin)
  /// Something happened to the latest workout; one that ended is settled in the same transaction.
  case stepped(WorkoutStep)
  /// The event of a step is queued.
  case announced(StepPlace)
  /// A voice note was recorded.
  indirect case recorded(OwedVoiceNote)
  /// Something about a voice note changed.
  indirect case noted(OwedVoiceNote)
  /// The phone has a voice note, or nobody wants it any more.
  case noteSettled(Identifier)
}
