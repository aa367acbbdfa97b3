import Link
import WatchSim

extension Scenario {
  /// Whether the runner writes what the athlete really did; that of an app of one's own only with `athlete.acts`.
  var hasTruth: Bool {
    guard mayHaveTruth else { return false }
    return ownTruth ?? (training != nil || daily != nil || ingestion != nil || athleteActs != nil)
  }

  /// Whether it is known what the athlete does: not of an app whose acts have no meaning, nor of a repeated recording.
  private var mayHaveTruth: Bool {
    (programs.isEmpty || athleteActs != nil) && !workouts.contains { $0.source.isTraced }
  }

  /// Why the scenario tells nothing of its athlete's workouts; nil if it does.
  ///
  /// Programs may also come later, with `--phone-cmd`.
  var untoldTruth: String? {
    if ownTruth == false { return "found truth: false, expected no such key beside a comparison with truth.workout" }
    guard !programs.isEmpty, athleteActs == nil else { return nil }
    return "found a comparison with a workout of an app's user, expected athlete.acts beside it: which acts begin one,"
      + " and which end it"
  }

  /// Refuses expectations of a truth that no line tells of, and acts with a meaning that no user does.
  func checkTruth(_ reader: JSONObjectReader) {
    if let node = expectations.first(where: \.comparesWorkouts)?.node, let why = untoldTruth {
      reader.collector.error("expect: \(why)", at: node.position)
    }
    guard let meant = athleteActs else { return }
    let done = actNames
    for name in meant.begin + meant.end where !done.contains(name) {
      let known = done.sorted()
      let hint = Spelling.nearest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
      let list = known.map { "\"\($0)\"" }.joined(separator: ", ")
      let expected = known.isEmpty ? "an act of phone.acts or watch.acts" : list
      reader.object("athlete")?.value("acts")?.error("found the act \"\(name)\", expected \(expected)\(hint)")
    }
  }

  /// What knows it; nil without truth.
  ///
  /// - Throws: If a recorded workout cannot be read.
  func makeTruthKeeper() throws -> TruthKeeper? {
    guard hasTruth else { return nil }
    var planned: [TruthKeeper.Planned] = []
    // A session of HealthKit measures the body, which knows no app: it may have run before the act that begins a workout.
    let body = athleteActs != nil && ownHealthKit != nil ? BodyWay(ScenarioBody(self)) : nil
    for (index, workout) in workouts.enumerated() {
      planned.append(
        TruthKeeper.Planned(
          at: workout.at, startsItself: athleteActs == nil && workout.startedBy == .watch,
          source: try NodeBuilder.source(ofWorkout: index, in: self), preparing: workout.preparing,
          body: body))
    }
    return TruthKeeper(
      planned, startedAt: start.nanoseconds,
      mayBeAsked: startsByPhone || phoneCommands.contains { $0.command.arguments.contains("startWorkout") },
      unit: units, acts: athleteActs, days: TrueDays(self))
  }
}

extension ReadExpectation {
  /// Whether it compares the run with the athlete's workouts.
  var comparesWorkouts: Bool { expectation.interests.contains { $0.text.hasPrefix("truth.") } }
}

extension WorkoutPlan.Source {
  /// Whether it is the watch of a trace.
  fileprivate var isTraced: Bool { if case .traced = self { true } else { false } }
}
