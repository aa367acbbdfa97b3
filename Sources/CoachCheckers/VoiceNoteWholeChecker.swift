package import Link

/// `voice-note-whole`: a voice note arrives complete and once, or not at all.
package struct VoiceNoteWholeChecker: Checker {
  package static let invariant = "voice-note-whole"
  package static let about =
    "A voice note of the watch is received once, at the instant its file is delivered and with the bytes it was recorded with; each note is transcribed at most once."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + ["transfer.delivered", "voice.recorded", "voice.received", "voice.transcribed", "end"]

  /// The observed state of a note.
  private struct Note {
    /// Its recording, if the trace shows it.
    var recorded: (bytes: Int64, line: Int)?
    /// The line of its row on the phone, recorded there or received.
    var keptLine: Int?
    var transcribedLine: Int?
  }

  /// A delivered file of a note that the phone has not reported yet.
  private struct Delivered {
    let note: Identifier
    let bytes: Int64?
    let time: VirtualTime
    let line: Int
  }

  private var notes: [Identifier: Note] = [:]
  private var delivered: Delivered?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if let delivered, event.time > delivered.time { reportUnreceived(delivered, &report) }
    switch event.body {
    case .transferDelivered(let file): observeDelivered(file, event, line, &report)
    case .voiceRecorded(let voice): observeRecorded(voice, event, line, &report)
    case .voiceReceived(let voice): observeReceived(voice, event, line, &report)
    case .voiceTranscribed(let voice): observeTranscribed(voice.note, event, line, &report)
    default:
      // A phone that died while it handled a file reports it when it receives it again.
      if NodeLines.isPhoneUp(after: event) == false { delivered = nil }
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    // A truncated trace may end in between.
    if let delivered, ending.isComplete { reportUnreceived(delivered, &report) }
  }

  private mutating func observeDelivered(
    _ file: TransferDelivered, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    guard event.place == .phone, file.identity.channel == .file, file.details.kind == "voiceNote",
      let note = file.details.note
    else { return }
    if let delivered { reportUnreceived(delivered, &report) }
    // A note that arrived by an earlier transfer is recognised by its name, and not received again.
    guard notes[note]?.keptLine == nil else { return }
    delivered = Delivered(note: note, bytes: file.bytes, time: event.time, line: line)
  }

  private mutating func observeRecorded(
    _ voice: VoiceRecorded, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    let note = voice.note
    if let before = notes[note]?.recorded {
      report.append(
        Self.violation("note \(note.text) was recorded twice", at: event.time, lines: [before.line, line]))
    }
    notes[note, default: Note()].recorded = (voice.bytes, line)
    if event.place == .phone { notes[note, default: Note()].keptLine = line }
  }

  private mutating func observeReceived(
    _ voice: VoiceReceived, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    let (note, bytes) = (voice.note, voice.bytes)
    let file = delivered
    delivered = nil
    let known = notes[note]
    notes[note, default: Note()].keptLine = line
    if let before = known?.keptLine {
      report.append(
        Self.violation("note \(note.text) was received again", at: event.time, lines: [before, line]))
    } else if let file, file.note == note {
      if let whole = file.bytes, bytes != whole {
        report.append(
          Self.violation(
            "note \(note.text) has \(bytes) bytes, but its file has \(whole)", at: event.time, lines: [file.line, line])
        )
      }
    } else {
      report.append(
        Self.violation("note \(note.text) was received without its file", at: event.time, lines: [line]))
    }
    if let recorded = known?.recorded, recorded.bytes != bytes {
      report.append(
        Self.violation(
          "note \(note.text) was recorded with \(recorded.bytes) bytes and received with \(bytes)", at: event.time,
          lines: [recorded.line, line]))
    }
  }

  private mutating func observeTranscribed(
    _ note: Identifier, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    if notes[note]?.keptLine == nil {
      report.append(
        Self.violation(
          "note \(note.text) was transcribed, but the phone does not have it", at: event.time, lines: [line]))
    } else if let before = notes[note]?.transcribedLine {
      report.append(
        Self.violation("note \(note.text) was transcribed again", at: event.time, lines: [before, line]))
    }
    notes[note, default: Note()].transcribedLine = line
  }

  private mutating func reportUnreceived(_ file: Delivered, _ report: inout [Violation]) {
    delivered = nil
    report.append(
      Self.violation(
        "the file of note \(file.note.text) was delivered, and the note was not received", at: file.time,
        lines: [file.line]))
  }
}
