import Console
import Link

/// The thread of a run that the phone requests: the watch's answer, or what happens without one.
struct StartChapter: StoryChapter {
  /// The run that the phone last called late, so that the story says so once.
  private var late: Identifier?

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.body {
    case .startDeclined(let refusal):
      let text = event.place == .watch ? "declines the phone's start" : "learns that the watch declines the start"
      lines.add(event, "\(text): \(refusal.reason.text)", .trouble)
    case .startAsked(let request): ask(request, event, into: &lines)
    case .startAcked(let answer):
      let isWord = answer.word != "startAck"
      lines.add(
        event,
        "knows that the watch has begun\(isWord ? ", by a message of the workout" : "")", .quiet)
    case .startFailed(let failure):
      let why = TerminalText.escape(failure.why)
      lines.add(event, "could not start the workout on the watch: \(why)", .trouble)
    case .startCancelled: lines.add(event, "cancels the start", .quiet)
    case .startLate(let answer):
      guard late != answer.runId else { return }
      late = answer.runId
      lines.add(
        event, "learns too late that the watch runs it anyway: orders it to stop",
        .trouble)
    case .trackerStarted: lines.add(event, "tracks the workout itself")
    case .trackerEnded(let end):
      let length = StoryText.clock(seconds: Int64(min(max(end.elapsed, 0), 1e9).rounded()))
      let distance = end.distance.map { ", \(StoryText.kilometres($0)) by the plan" } ?? ""
      lines.add(event, "the workout it tracked itself is over: \(length)\(distance)")
    case .other(let other): if other.kind is StartAccepted { lines.add(event, "accepts the phone's start") }
    default: break
    }
  }

  private func ask(_ request: StartAsked, _ event: TraceEvent, into lines: inout [StoryLine]) {
    // Test traffic has no attempt number.
    guard let attempt = request.attempt else { return }
    var text = attempt > 1 ? "asks the watch again to start the workout" : "asks the watch to start a workout"
    if request.channel == .applicationContext { text += ", by context, for when it is reachable" }
    guard let error = request.error else { return lines.add(event, text) }
    lines.add(
      event, "cannot ask the watch to start a workout: \(TerminalText.escape(error))",
      .trouble)
  }
}
