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
      addLine(
        time, "looks for the workout in the health store: not there yet, and asked for again", .quiet, into: &lines)
    case let link as HealthLinked:
      // Finding a run's workout is routine; only finding a workout's run is reported.
      guard link.by == "workout" else { return }
      addLine(time, "finds a workout in the health store, and by the name in it the run", .quiet, into: &lines)
    case let truth as HealthTruth:
      let length = StoryText.clock(seconds: Int64(min(max(truth.duration, 0), 1e9).rounded()))
      let figures = "\(StoryText.kilometres(truth.distance)) in \(length)"
      addLine(time, "has the workout's figures from the health store: \(figures)", into: &lines)
    case let history as HistoryShown:
      let remark = history.stubs > 0 ? ", \(StoryText.count(Int(history.stubs))) without figures yet" : ""
      let runs = StoryText.count(Int(history.runs), "run")
      addLine(time, "shows the list of runs: \(runs)\(remark)", into: &lines)
    case is StoreWiped:
      missing = []
      addLine(time, "everything that it kept of runs and runner is deleted", .trouble, into: &lines)
    default: break
    }
  }

  private func addLine(
    _ time: VirtualTime, _ text: String, _ tone: StoryLine.Tone = .plain, into lines: inout [StoryLine]
  ) {
    lines.append(StoryLine(time: time, voice: .phone, text: text, tone: tone))
  }
}
