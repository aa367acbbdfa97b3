import Console
import Link

/// The thread of the health store and the list of runs: what the phone still lacks, finds, shows and loses.
struct HealthChapter: StoryChapter {
  /// Items that the story has reported as missing, so that it does so only once; for lookup only.
  private var missing: Set<Identifier?> = []

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard case .other(let other) = event.body else { return }
    let time = event.time
    switch other.kind {
    case let absence as HealthAbsent:
      guard missing.insert(absence.query.workout ?? absence.query.runId).inserted else { return }
      lines.add(time, .phone, "looks for the workout in the health store: not there yet, and asked for again", .quiet)
    case let link as HealthLinked:
      // Finding a run's workout is routine; only finding a workout's run is reported.
      guard link.by == "workout" else { return }
      lines.add(time, .phone, "finds a workout in the health store, and by the name in it its own record", .quiet)
    case let truth as HealthTruth:
      let length = StoryText.clock(seconds: Int64(min(max(truth.duration, 0), 1e9).rounded()))
      let figures = "\(StoryText.kilometres(truth.distance)) in \(length)"
      lines.add(time, .phone, "has the workout's figures from the health store: \(figures)")
    case let history as HistoryShown:
      let remark = history.stubs > 0 ? ", \(StoryText.count(Int(history.stubs))) without figures yet" : ""
      let runs = StoryText.count(Int(history.runs), "run")
      lines.add(time, .phone, "shows the list of runs: \(runs)\(remark)")
    case is StoreWiped:
      missing = []
      lines.add(time, .phone, "everything that it kept of workouts and athlete is deleted", .trouble)
    default: break
    }
  }
}
