import Link

/// The thread of users' controls during the run, by keys or `ctl`.
struct ControlChapter: StoryChapter {
  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard event.name == ControlGiven.name, event.place == .runner else { return }
    let command = TerminalText.escape(event["command"]?.text ?? "")
    let effect = TerminalText.escape(event["effect"]?.text ?? "")
    var line = StoryLine(time: event.time, voice: .run, text: "by hand: \(command): \(effect)")
    if command.hasPrefix("mark ") { line.text = "marked by hand: \(command.dropFirst(5))" }
    if event["refused"]?.boolean == true {
      line.text = "by hand: \(command), which is refused: \(effect)"
      line.tone = .quiet
    }
    lines.append(line)
  }
}
