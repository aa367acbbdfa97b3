import Simulator
import Console
import Link

/// Simplification of what is run: workouts, optional sections, and when it all happens.
extension Shrinker {
  /// Simplifies the workouts, drops optional sections and lets everything happen earlier; repeats the earlier steps on
  /// the result.
  mutating func simplifyWorkouts() throws(Failure) {
    var pass = 0
    var changed: Bool
    repeat {
      changed = try dropSections()
      if try dropWorkouts() { changed = true }
      for index in best.workouts.indices where try simplifyWorkout(index) { changed = true }
      if try happenEarlier() { changed = true }
      guard changed else { return }
      try shortenRun()
      if best.faults.count > 1 { try dropFaults() }
      try dropParts()
      pass += 1
    } while pass < 2 && runs < runsMax
  }

  private mutating func dropSections() throws(Failure) -> Bool {
    var hasDropped = false
    var again = true
    while again {
      again = false
      for candidate in ScenarioPart.withoutSections(best) where try tryKeepingCaused(candidate) {
        (hasDropped, again) = (true, true)
        break
      }
    }
    return hasDropped
  }

  private mutating func dropWorkouts() throws(Failure) -> Bool {
    var hasDropped = false
    var index = 0
    while case .array(var list)? = SavedScenario.node(best, in: "/")["workouts"]?.value, list.count > 1,
      index < list.count
    {
      list.remove(at: index)
      let node = SavedScenario.node(best, in: "/").replacing(["workouts"], with: JSONNode(.array(list)))
      if let candidate = Scenario.reading(node), try tryKeepingCaused(candidate) {
        hasDropped = true
      } else {
        index += 1
      }
    }
    return hasDropped
  }

  private mutating func simplifyWorkout(_ index: Int) throws(Failure) -> Bool {
    var hasChanged = false
    for step in WorkoutSimplification.steps {
      var again = true
      var rounds = 0
      while again, rounds < 12, runs < runsMax {
        again = false
        rounds += 1
        for workout in best.workoutCandidates(index, step) {
          guard let candidate = best.replacingWorkout(index, with: workout) else { continue }
          guard try tryKeepingCaused(candidate) else { continue }
          hasChanged = true
          again = step.repeats
          break
        }
      }
    }
    return hasChanged
  }

  /// Moves all faults and events by the same time towards the run's start, in halves of what is possible.
  private mutating func happenEarlier() throws(Failure) -> Bool {
    var hasMoved = false
    var shift = (best.firstInstant ?? .start).nanoseconds / 1_000_000_000
    while shift >= 1, runs < runsMax {
      if let candidate = best.happening(earlierBy: .seconds(shift)), try tryKeepingCaused(candidate) {
        hasMoved = true
        shift = min(shift, (best.firstInstant ?? .start).nanoseconds / 1_000_000_000)
      } else {
        shift /= 2
      }
    }
    return hasMoved
  }
}

extension Scenario {
  /// The workout as the file spells it, by its index among ``workouts``; nil if the file does not describe it.
  private func workoutNode(_ index: Int) -> JSONNode? {
    let node = SavedScenario.node(self, in: "/")
    if case .array(let list)? = node["workouts"]?.value {
      return list.indices.contains(index) ? list[index] : nil
    }
    return index == 0 ? node["workout"] : nil
  }

  /// Simpler replacements of a workout.
  fileprivate func workoutCandidates(_ index: Int, _ step: WorkoutSimplification) -> [JSONNode] {
    workoutNode(index).map { step.candidates($0, duration: duration) } ?? []
  }

  /// The scenario with another workout in one's place; nil if it would not be valid.
  fileprivate func replacingWorkout(_ index: Int, with workout: JSONNode) -> Scenario? {
    let node = SavedScenario.node(self, in: "/")
    if case .array(var list)? = node["workouts"]?.value {
      guard list.indices.contains(index) else { return nil }
      list[index] = workout
      return .reading(node.replacing(["workouts"], with: JSONNode(.array(list))))
    }
    return .reading(node.replacing(["workout"], with: workout))
  }
}
