import Console
package import Link

/// What the watch shows, from its own lines alone.
package struct WatchScreen {
  package var power = DevicePower()
  /// The workout's state; empty before the first workout.
  package private(set) var state = ""
  package private(set) var workout: Identifier?
  /// What the athlete does, as the watch records it; `running` unless a line says otherwise.
  package private(set) var discipline = "running"
  package private(set) var figures = Figures()
  /// Whole kilometres of this workout, in their order.
  package private(set) var splits: [Split] = []
  /// Whether it considers the phone reachable; nil before it knows.
  package private(set) var isReachable: Bool?
  /// The last tap on the wrist; nil before the first.
  package var haptic: (kind: String, at: VirtualTime)?
  /// The last voice note: its length in seconds, and when it was taken.
  package private(set) var note: (seconds: Double, at: VirtualTime)?
  /// How many workouts it has saved.
  package private(set) var saved = 0
  /// The last thing that it refused: what, and when.
  package private(set) var refusal: (text: String, at: VirtualTime)?

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .workoutState(let change): changeState(change, at: event)
    case .snapshot(let snapshot): publish(snapshot.metrics, at: event.time)
    case .reachability(let change): isReachable = change.reachable
    case .haptic(let haptic): self.haptic = (haptic.kind, event.time)
    case .voiceRecorded(let note): self.note = (note.seconds, event.time)
    case .healthSaved: saved += 1
    case .startDeclined(let start): refusal = ("start declined: \(start.reason)", event.time)
    default:
      if event.name == "command.refused" {
        refusal = ("\(event.text("kind") ?? "") refused: \(event.text("why") ?? "")", event.time)
      }
    }
  }

  private mutating func changeState(_ change: WorkoutStateChanged, at event: TraceEvent) {
    if change.from == nil {
      (figures, splits, workout) = (Figures(), [], change.workoutId)
      discipline = event.text("sport") ?? "running"
    }
    state = change.to
  }

  private mutating func publish(_ metrics: SnapshotMetrics, at time: VirtualTime) {
    figures.update(metrics, at: time)
    workout = metrics.workoutId
    state = metrics.state.text
    if let split = metrics.lastSplit, splits.last?.kmIndex != split.kmIndex { splits.append(split) }
  }
}
