import Console
import Link

/// The thread of the health store and the list of runs: what the phone still lacks, finds, shows and loses.
struct HealthChapter: StoryChapter {
  /// Items that the story has reported as missing, so that it does so only once; for lookup only.
  private var missing: Set<String> = []

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.name {
    case HealthAbsent.name: lack(event, into: &lines)
    case HealthLinked.name:
      // Finding a run's workout is routine; only finding a workout's run is reported.
      guard event["by"]?.text == "workout" else { return }
      addLine(event, "finds a workout in the health store, and by the name in it the run", .quiet, into: &lines)
    case HealthTruth.name: learn(event, into: &lines)
    case HistoryShown.name: show(event, into: &lines)
    case StoreWiped.name:
      missing = []
      addLine(event, "everything that it kept of runs and runner is deleted", .trouble, into: &lines)
    default: break
    }
  }

  private mutating func lack(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard missing.insert(event["workout"]?.text ?? event["runId"]?.text ?? "").inserted else { return }
    addLine(
      event, "looks for the workout in the health store: not there yet, and asked for again", .quiet, into: &lines)
  }

  private func learn(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let seconds = Int64(min(max(event["duration"]?.double ?? 0, 0), 1e9).rounded())
    let figures = "\(StoryText.kilometres(event["distance"]?.double ?? 0)) in \(StoryText.clock(seconds: seconds))"
    addLine(event, "has the workout's figures from the health store: \(figures)", into: &lines)
  }

  private func show(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let stubs = event["stubs"]?.integer ?? 0
    let remark = stubs > 0 ? ", \(StoryText.count(Int(stubs))) without figures yet" : ""
    let runs = StoryText.count(Int(event["runs"]?.integer ?? 0), "run")
    addLine(event, "shows the list of runs: \(runs)\(remark)", into: &lines)
  }

  private func addLine(
    _ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone = .plain, into lines: inout [StoryLine]
  ) {
    lines.append(StoryLine(time: event.time, voice: .phone, text: text, tone: tone))
  }
}
