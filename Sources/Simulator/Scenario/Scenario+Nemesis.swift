package import Link
import WatchSim

extension Scenario {
  /// All faults of the run: those of the file, then those that the nemesis draws for the seed.
  package var faultPlan: [PlannedFault] {
    if athlete != nil { return drawn.faultPlan }
    guard let nemesis else { return faults }
    return faults + nemesis.faults(seed: seed, before: nemesisEnd, points: CrashPoint.all, apps: appRoles)
  }

  /// The same run with its complete fault plan written out.
  package var settled: Scenario {
    if athlete != nil { return drawn.settled }
    guard nemesis != nil else { return self }
    var scenario = self
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
    let seconds = min(max(running + standing, 0), 1e6).rounded()
    return min(end, workout.at + workout.preparing + .seconds(Int64(seconds)))
  }
}
