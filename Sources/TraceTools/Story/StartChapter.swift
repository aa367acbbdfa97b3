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
      addLine(event, "\(text): \(refusal.reason.text)", .trouble, into: &lines)
    case .startAsked(let request): ask(request, event, into: &lines)
    case .startAcked(let answer):
      let isWord = answer.word != "startAck"
      addLine(event, "knows that the watch has begun\(isWord ? ", by a message of the run" : "")", .quiet, into: &lines)
    case .startFailed(let failure):
      let why = TerminalText.escape(failure.why)
      addLine(event, "could not start the run on the watch: \(why)", .trouble, into: &lines)
    case .startCancelled: addLine(event, "cancels the start", .quiet, into: &lines)
    case .startLate(let answer):
      guard late != answer.runId else { return }
      late = answer.runId
      addLine(event, "learns too late that the watch runs it anyway: orders it to stop", .trouble, into: &lines)
    case .trackerStarted: addLine(event, "tracks the run itself", into: &lines)
    case .trackerEnded(let end):
      let length = StoryText.clock(seconds: Int64(min(max(end.elapsed, 0), 1e9).rounded()))
      let distance = end.distance.map { ", \(StoryText.kilometres($0)) by the plan" } ?? ""
      addLine(event, "the run it tracked itself is over: \(length)\(distance)", into: &lines)
    case .other(let other): if other.kind is StartAccepted { addLine(event, "accepts the phone's start", into: &lines) }
    default: break
    }
  }

  private func ask(_ request: StartAsked, _ event: TraceEvent, into lines: inout [StoryLine]) {
    // Test traffic has no attempt number.
    guard let attempt = request.attempt else { return }
    var text = attempt > 1 ? "asks the watch again to start the run" : "asks the watch to start a run"
    if request.channel == .applicationContext { text += ", by context, for when it is reachable" }
    guard let error = request.error else { return addLine(event, text, into: &lines) }
    addLine(event, "cannot ask the watch to start a run: \(TerminalText.escape(error))", .trouble, into: &lines)
  }

  private func addLine(
    _ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone = .plain, into lines: inout [StoryLine]
  ) {
    let voice: StoryLine.Voice = event.place == .watch ? .watch : .phone
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: tone))
  }
}
