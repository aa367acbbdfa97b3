import Console
import Link

/// The thread of a run that the phone requests: the watch's answer, or what happens without one.
struct StartChapter: StoryChapter {
  /// The run that the phone last called late, so that the story says so once.
  private var late: String?

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.name {
    case StartAccepted.name: addLine(event, "accepts the phone's start", into: &lines)
    case StartRejected.name:
      let reason = TerminalText.escape(event["reason"]?.text ?? "")
      let text = event.place == .watch ? "declines the phone's start" : "learns that the watch declines the start"
      addLine(event, "\(text): \(reason)", .trouble, into: &lines)
    case StartAsked.name: ask(event, into: &lines)
    case StartAcked.name:
      let isWord = event["word"]?.text != "startAck"
      addLine(event, "knows that the watch has begun\(isWord ? ", by a message of the run" : "")", .quiet, into: &lines)
    case StartFailed.name:
      let why = TerminalText.escape(event["why"]?.text ?? "no answer")
      addLine(event, "could not start the run on the watch: \(why)", .trouble, into: &lines)
    case StartCancelled.name: addLine(event, "cancels the start", .quiet, into: &lines)
    case StartLate.name:
      guard late != event["runId"]?.text else { return }
      late = event["runId"]?.text
      addLine(event, "learns too late that the watch runs it anyway: orders it to stop", .trouble, into: &lines)
    case TrackerStarted.name: addLine(event, "tracks the run itself", into: &lines)
    case TrackerEnded.name: end(event, into: &lines)
    default: break
    }
  }

  private func ask(_ event: TraceEvent, into lines: inout [StoryLine]) {
    // Test traffic has no attempt number.
    guard let attempt = event["attempt"]?.integer else { return }
    var text = attempt > 1 ? "asks the watch again to start the run" : "asks the watch to start a run"
    if event["channel"]?.text == "applicationContext" { text += ", by context, for when it is reachable" }
    guard let error = event["error"]?.text else { return addLine(event, text, into: &lines) }
    addLine(event, "cannot ask the watch to start a run: \(TerminalText.escape(error))", .trouble, into: &lines)
  }

  private func end(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let seconds = Int64(min(max(event["elapsed"]?.double ?? 0, 0), 1e9).rounded())
    let distance = event["distance"]?.double.map { ", \(StoryText.kilometres($0)) by the plan" } ?? ""
    addLine(event, "the run it tracked itself is over: \(StoryText.clock(seconds: seconds))\(distance)", into: &lines)
  }

  private func addLine(
    _ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone = .plain, into lines: inout [StoryLine]
  ) {
    let voice: StoryLine.Voice = event.place == .watch ? .watch : .phone
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: tone))
  }
}
