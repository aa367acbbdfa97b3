import Console
package import Link

/// What the devices' drawing needs to know of a run as a whole, from the trace's header.
package enum PairRun {
  /// The members for a page.
  ///
  /// - Parameter now: The instant whose offset from UTC the devices' clocks show.
  package static func members(_ header: TraceHeader, at now: VirtualTime) -> [JSONMember] {
    let offset = header.utcOffsets.last { $0.time <= now }?.seconds ?? header.utcOffsets.first?.seconds ?? 0
    return .init([
      "scenario": .string(header.scenario), "seed": .string(String(header.seed)),
      "start": .decimal(Double(header.unixStart ?? 0) / 1e9), "offset": .count(offset),
      "duration": .decimal(Double(header.duration.nanoseconds) / 1e9),
      "goal": .decimal(header.plan["distance"]?.double ?? header.extra("workout")?.goal),
      "plan": .fields(["time": .decimal(header.plan["time"]?.double)]),
      "split": .string(header.extra("units")?.text == "miles" ? "mile" : "km"), "pool": .decimal(header.poolLength),
      "race": header.extra("race")?.value ?? .null,
      "mode": .string(header.workout?["mode"]?.text ?? "training"),
      "personality": .string(header.workout?["personality"]?.text ?? "encouraging"),
      "app": .fields([
        "watch": .bool(ProgramsHeader.isApp(.watch, in: header)),
        "phone": .bool(ProgramsHeader.isApp(.phone, in: header)),
      ]),
    ])
  }
}

extension TraceHeader {
  /// What the watch records first.
  fileprivate var workout: JSONNode? { extra("workout") ?? extra("workouts")?.elements.first }

  /// The length of the pool of a swim, in metres; nil for another workout.
  fileprivate var poolLength: Double? {
    ([extra("workout")] + (extra("workouts")?.elements ?? []).map { $0 }).compactMap { $0 }.lazy.compactMap { workout in
      guard workout["discipline"]?.text == "swimming" else { return nil }
      let model = workout.node(at: ["source", "model"])
      return model?["poolLength"]?.double ?? (model?["location"]?.text == "openWater" ? 100 : 25)
    }.first
  }
}

extension JSONNode {
  /// The distance that a model's workout goes to; nil for a recorded one.
  fileprivate var goal: Double? { node(at: ["source", "model", "distance"])?.double }
}

/// What really happens: the athlete, whom no device sees whole.
///
/// While the watch records, its figures of this instant are the truth that the phone's belief is compared with;
/// whether a workout is on
/// at all is what the athlete did (`truth.` lines), where the trace has them.
package struct TrueAthlete: Equatable {
  /// The workout's state: empty before the first.
  package private(set) var state = ""
  package private(set) var figures = Figures()
  /// Whether the state is the athlete's own, and not the watch's.
  package private(set) var isAthletes = false

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .snapshot(let snapshot): figures.update(snapshot.metrics, at: event.time)
    case .workoutState(let change):
      if change.from == nil { figures = Figures() }
      if !isAthletes { state = change.to }
    case .trueWorkoutBegan:
      (state, isAthletes) = ("running", true)
      figures = Figures()
    case .trueWorkoutEnded: state = "ended"
    default:
      if event.name == TrueWorkoutPaused.name { state = "paused" }
      if event.name == TrueWorkoutResumed.name { state = "running" }
    }
  }
}
