import CoachProtocol
import Link
import PhoneSim

/// Three workouts, told apart at a glance.
enum Workouts {
  static let a = Identifier(high: 0xA, low: 1)
  static let b = Identifier(high: 0xB, low: 2)
  static let c = Identifier(high: 0xC, low: 3)
}

/// The watch's time `seconds` after some beginning.
func watchTime(_ seconds: Int64) -> WatchTime { WatchTime(nanoseconds: seconds * 1_000_000_000) }

/// The UUID under which a workout is in the health store.
func healthUUID(_ workout: Identifier) -> Identifier { Identifier(high: workout.high, low: 99) }

extension RunUpdate {
  static func snapshot(_ state: WorkoutState, _ workout: Identifier = Workouts.a, at seconds: Int64) -> Self {
    Self(workoutId: workout, sentAt: watchTime(seconds), content: .snapshot(state))
  }
  /// A snapshot of a workout whose timer has counted since a second.
  static func counting(
    _ state: WorkoutState, _ workout: Identifier = Workouts.a, at seconds: Int64, since began: Int64
  ) -> Self {
    var update = snapshot(state, workout, at: seconds)
    update.beganBy = watchTime(began)
    return update
  }
  static func started(_ workout: Identifier = Workouts.a, at seconds: Int64) -> Self {
    Self(
      workoutId: workout, sentAt: watchTime(seconds), content: .workoutStarted(startedAt: watchTime(seconds)))
  }
  static func paused(_ workout: Identifier = Workouts.a, at seconds: Int64) -> Self {
    Self(workoutId: workout, sentAt: watchTime(seconds), content: .workoutPaused)
  }
  static func resumed(_ workout: Identifier = Workouts.a, at seconds: Int64) -> Self {
    Self(workoutId: workout, sentAt: watchTime(seconds), content: .workoutResumed)
  }
  static func ended(_ workout: Identifier = Workouts.a, at seconds: Int64) -> Self {
    Self(
      workoutId: workout, sentAt: watchTime(seconds),
      content: .workoutEnded(healthKitWorkoutUUID: healthUUID(workout)))
  }
}

extension RunUpdate {
  /// The end of a workout that the watch did not keep.
  static func discarded(_ workout: Identifier = Workouts.a, at seconds: Int64) -> Self {
    Self(workoutId: workout, sentAt: watchTime(seconds), content: .workoutEnded(healthKitWorkoutUUID: nil))
  }
}

/// An input of the belief: an update of the watch, or the phone's own command.
enum BeliefInput: Equatable {
  case update(RunUpdate)
  case startWorkout(Identifier)
}

extension RunBelief {
  /// Applies an input and returns the decisions, in order.
  mutating func take(_ input: BeliefInput) -> [RunDecision] {
    var decisions: [RunDecision] = []
    switch input {
    case .startWorkout(let runId): startWorkout(runId: runId) { decisions.append($0) }
    case .update(let update):
      if case .snapshot(let state) = update.content {
        // Through `receive(_ snapshot:)`, so that its fast path is tested too.
        let elapsed = update.beganBy.map { Double(update.sentAt.nanoseconds - $0.nanoseconds) / 1e9 } ?? 0
        let snapshot = LiveMetrics(
          workoutId: update.workoutId, sentAt: update.sentAt, elapsed: elapsed, distance: 0, state: state)
        receive(snapshot) { decisions.append($0) }
      } else {
        receive(update) { decisions.append($0) }
      }
    }
    return decisions
  }

  mutating func take(_ update: RunUpdate) -> [RunDecision] { take(.update(update)) }

  /// A belief after some updates.
  init(after updates: RunUpdate...) {
    self.init()
    for update in updates { _ = take(update) }
  }
}
