import CoachProtocol
package import Link
import PhoneSim
import WatchSim

extension Scenario {
  /// All faults of the run: those of the file, then those that the nemesis draws for the seed.
  ///
  /// Where days or acts are drawn, it also draws some near these; a scenario whose acts are written keeps its faults.
  package var faultPlan: [PlannedFault] {
    let whole = drawn
    guard let nemesis = whole.nemesis, isDrawn else { return whole.basePlan }
    let near = whole.widened(nemesis).faults(
      near: whole.moments, seed: seed, before: whole.nemesisEnd, points: CrashPoint.all, apps: whole.appRoles)
    return whole.basePlan + near
  }

  /// The faults that do not depend on what users do.
  var basePlan: [PlannedFault] {
    guard let nemesis else { return faults }
    return faults + widened(nemesis).faults(seed: seed, before: nemesisEnd, points: CrashPoint.all, apps: appRoles)
  }

  /// The nemesis with the kinds of what the run's apps use, if it lists no kinds: what a scenario has a key for.
  private func widened(_ nemesis: Nemesis) -> Nemesis {
    guard !appRoles.isEmpty else { return nemesis }
    let kinds = [ownHealthKit.map { _ in HealthFault.kind }, ownSystem.map { _ in SystemFault.kind }]
    return nemesis.adding(kinds.compactMap(\.self))
  }

  /// When users do something: workouts begin, their events, what is done on the phone and in apps.
  private var moments: [VirtualTime] {
    let begun = programs.isEmpty ? workouts.flatMap { [$0.at, $0.at + $0.preparing] } : []
    return begun + (watchCommands + phoneCommands).map(\.at) + acts.map(\.at)
  }

  /// The same run with its complete fault plan written out.
  package var settled: Scenario {
    guard nemesis != nil || isDrawn else { return self }
    var scenario = drawn
    scenario.faults = faultPlan
    scenario.nemesis = nil
    return scenario
  }

  /// Adds a nemesis with all kinds of faults, if the file has none.
  ///
  /// Drops the expectations that assume the file's own faults, and the situations. The rest holds under any faults, as the
  /// invariants do.
  ///
  /// - Returns: What it dropped.
  package mutating func addNemesis() -> UnjudgedParts {
    guard nemesis == nil else { return UnjudgedParts() }
    nemesis = Nemesis()
    let unjudged = UnjudgedParts(expectations: expectations.filter { $0.scope == .timed }, situations: situations)
    expectations = expectations.filter { $0.scope != .timed }.map(\.withWrittenScope)
    situations = []
    return unjudged
  }

  /// The default time by which drawn faults have ended: a tenth of the run before its end, at most a minute.
  ///
  /// No node is restarted once the run is over. Without faults near the end, work that a fault delayed is completed
  /// before the queues are judged, and anything still missing then is the software's fault.
  package var nemesisEnd: VirtualTime {
    let end = expectedEnd
    let tail = min(VirtualTime.Span.seconds(60).nanoseconds, end.nanoseconds / 10)
    return VirtualTime(nanoseconds: end.nanoseconds - tail)
  }

  /// The expected end of the run according to the file: at `duration`, when the model has run its distance, or at an
  /// `end` event.
  package var expectedEnd: VirtualTime {
    var end = VirtualTime.start + duration
    if let command = watchCommands.first(where: { $0.command.name == "end" }) { end = min(end, command.at) }
    if case .discipline(let plan) = workout.source {
      return min(end, workout.at + workout.preparing + .seconds(Int64(plan.secondsExpected)))
    }
    guard case .model(let model) = workout.source else { return end }
    let kilometres = model.distance / 1_000
    let running = kilometres * (model.pace + model.drift * kilometres / 2)
    let standing = model.stops.reduce(0) { $0 + $1.forSeconds }
    let seconds = min(max(running + standing + model.intervalSeconds, 0), 1e6).rounded()
    return min(end, workout.at + workout.preparing + .seconds(Int64(seconds)))
  }
}

extension CrashPoint {
  /// Every crash point, in the order of the reference page: the session's, the apps', then those of their files.
  package static let all: [CrashPoint] = session + watch + phone + files
}
