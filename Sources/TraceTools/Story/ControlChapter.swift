import Link

/// The thread of users' controls during the run, by keys or `ctl`.
struct ControlChapter: StoryChapter {
  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard case .control(let control) = event.body, event.place == .runner else { return }
    let command = TerminalText.escape(control.command)
    let effect = TerminalText.escape(control.effect)
    var line = StoryLine(time: event.time, voice: .run, text: "by hand: \(command): \(effect)")
    if command.hasPrefix("mark ") { line.text = "marked by hand: \(command.dropFirst(5))" }
    if control.refused == true {
      line.text = "by hand: \(command), which is refused: \(effect)"
      line.tone = .quiet
    }
    lines.append(line)
  }
}
