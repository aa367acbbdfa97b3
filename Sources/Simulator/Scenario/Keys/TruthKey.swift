import Link
import WatchSim

/// `truth`: whether the runner writes what the athlete really did.
enum TruthKey: ScenarioKey {
  static let standard: Bool? = nil
  static let field = Field<Scenario>(
    "truth", \.ownTruth, .bool,
    "whether `truth` lines say what the athlete really did, and invariants compare it with what the devices report",
    .otherwise("true with `phone.training`, `phone.daily` or `phone.ingestion`"))
}

extension Scenario {
  /// The key's value; nil for a scenario without it.
  package var ownTruth: Bool? {
    get { self[TruthKey.self] }
    set { self[TruthKey.self] = newValue }
  }

  /// Whether the runner writes what the athlete really did; the athlete of an app of one's own is its user.
  var hasTruth: Bool {
    guard programs.isEmpty, !workouts.contains(where: \.source.isTraced) else { return false }
    return ownTruth ?? (training != nil || daily != nil || ingestion != nil)
  }

  /// What knows it; nil without truth.
  ///
  /// - Throws: If a recorded workout cannot be read.
  func makeTruthKeeper() throws -> TruthKeeper? {
    guard hasTruth else { return nil }
    var planned: [TruthKeeper.Planned] = []
    for (index, workout) in workouts.enumerated() {
      planned.append(
        TruthKeeper.Planned(
          at: workout.at, startsItself: workout.startedBy == .watch,
          source: try NodeBuilder.source(ofWorkout: index, in: self), preparing: workout.preparing))
    }
    return TruthKeeper(
      planned, startedAt: start.nanoseconds,
      mayBeAsked: startsByPhone || phoneCommands.contains { $0.command.arguments.contains("startWorkout") })
  }
}

extension WorkoutPlan.Source {
  /// Whether it is the watch of a trace.
  fileprivate var isTraced: Bool { if case .traced = self { true } else { false } }
}
