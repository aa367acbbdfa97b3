package import Console
package import Link

/// One line of a story: time, voice, sentence.
package struct StoryLine: Equatable {
  /// The subject of a line.
  package enum Voice: String {
    case watch, phone, link, coach, run, edge
  }

  /// The highlighting of a line on a terminal.
  package enum Tone {
    case plain, quiet, speech, trouble, relief, broken
  }

  package var time: VirtualTime
  package var voice: Voice
  package var text: String
  package var tone = Tone.plain
  /// The trace line that it describes.
  package var traceLine = 0

  /// Whether it reports a violation.
  var isBroken: Bool { tone == .broken }

  /// The line as text: time, voice, sentence; a long sentence continues below itself.
  ///
  /// - Parameters:
  ///   - isColored: Whether it may hold escape sequences.
  ///   - columns: The width of a line.
  package func rendered(isColored: Bool = false, columns: Int = 100) -> String {
    let clock = StoryText.clock(time)
    let head = String(repeating: " ", count: max(0, 8 - clock.count)) + clock + "  " + padded(voice.rawValue) + "  "
    let indent = String(repeating: " ", count: head.count)
    let pieces = wrap(TerminalText.escape(text), to: max(20, columns - head.count))
    let lines = pieces.enumerated().map { index, piece in
      let lead = index == 0 ? Terminal.styled(head, .dim, when: isColored) : indent
      return lead + Terminal.styled(piece, tone.styles, when: isColored)
    }
    return lines.joined(separator: "\n")
  }

  private func padded(_ word: String) -> String { word + String(repeating: " ", count: max(0, 5 - word.count)) }
}

extension [StoryLine] {
  mutating func add(
    _ time: VirtualTime, _ voice: StoryLine.Voice, _ text: String, _ tone: StoryLine.Tone = .plain
  ) {
    append(StoryLine(time: time, voice: voice, text: text, tone: tone))
  }

  /// Adds a line about a device's event.
  mutating func add(_ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone = .plain) {
    add(event.time, StoryLine.Voice(event.place), text, tone)
  }
}

extension StoryLine.Voice {
  /// The voice of a device's events.
  init(_ place: TraceEvent.Place) { self = place == .watch ? .watch : .phone }
}

extension StoryLine.Tone {
  /// How a terminal shows it.
  package var styles: [Terminal.Style] {
    switch self {
    case .plain: []
    case .quiet: [.dim]
    case .speech: [.cyan]
    case .trouble: [.yellow]
    case .relief: [.green]
    case .broken: [.red]
    }
  }
}
