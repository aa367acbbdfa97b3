package import Link

/// `voice-note-whole`: a voice note is there as a whole, once, or not at all.
package struct VoiceNoteWholeChecker: Checker {
  package static let invariant = "voice-note-whole"
  package static let about =
    "A voice note of the watch is received once, at the instant its file is delivered and with the bytes it was recorded with; each note is transcribed at most once."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + ["transfer.delivered", "voice.recorded", "voice.received", "voice.transcribed", "end"]

  /// What is known of a note.
  private struct Note {
    /// Of its recording, where that was told.
    var recorded: (bytes: Int64?, line: Int)?
    /// Of its row on the phone: recorded there, or received.
    var keptLine: Int?
    var transcribedLine: Int?
  }

  /// A delivered file of a note of which the phone has told nothing yet.
  private struct Delivered {
    let note: Identifier
    let bytes: Int64?
    let time: VirtualTime
    let line: Int
  }

  private var notes: [Identifier: Note] = [:]
  private var delivered: Delivered?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    if let delivered, event.time > delivered.time { tellUnreceived(delivered, &report) }
    switch event.name.code {
    case TraceEvent.Name.Code.transferDelivered: observeDelivered(event, line, &report)
    case TraceEvent.Name.Code.voiceRecorded: observeRecorded(event, line, &report)
    case TraceEvent.Name.Code.voiceReceived: observeReceived(event, line, &report)
    case TraceEvent.Name.Code.voiceTranscribed: observeTranscribed(event, line, &report)
    default:
      // What a phone that dies had in hand it tells of when it has it again.
      if NodeLines.isPhoneUp(after: event) == false { delivered = nil }
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    // A truncated trace may have broken off in between.
    if let delivered, ending.isComplete { tellUnreceived(delivered, &report) }
  }

  private mutating func observeDelivered(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard event.place == .phone, event["channel"]?.text == Channel.file.text, event["kind"]?.text == "voiceNote",
      let note = Self.note(event)
    else { return }
    if let delivered { tellUnreceived(delivered, &report) }
    // A note that came by another transfer before is known by its name, and not received again.
    guard notes[note]?.keptLine == nil else { return }
    delivered = Delivered(note: note, bytes: event["bytes"]?.integer, time: event.time, line: line)
  }

  private mutating func observeRecorded(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard let note = Self.note(event) else { return }
    if let before = notes[note]?.recorded {
      report.append(
        Self.violation("note \(note.text) was recorded twice", at: event.time, lines: [before.line, line]))
    }
    notes[note, default: Note()].recorded = (event["bytes"]?.integer, line)
    if event.place == .phone { notes[note, default: Note()].keptLine = line }
  }

  private mutating func observeReceived(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard let note = Self.note(event) else { return }
    let file = delivered
    delivered = nil
    let known = notes[note]
    notes[note, default: Note()].keptLine = line
    let bytes = event["bytes"]?.integer
    if let before = known?.keptLine {
      report.append(
        Self.violation("note \(note.text) was received again", at: event.time, lines: [before, line]))
    } else if let file, file.note == note {
      if let bytes, let whole = file.bytes, bytes != whole {
        report.append(
          Self.violation(
            "note \(note.text) has \(bytes) bytes, its file \(whole)", at: event.time, lines: [file.line, line]))
      }
    } else {
      report.append(
        Self.violation("note \(note.text) was received without its file", at: event.time, lines: [line]))
    }
    if let recorded = known?.recorded, let bytes, let whole = recorded.bytes, bytes != whole {
      report.append(
        Self.violation(
          "note \(note.text) was recorded with \(whole) bytes and received with \(bytes)", at: event.time,
          lines: [recorded.line, line]))
    }
  }

  private mutating func observeTranscribed(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard let note = Self.note(event) else { return }
    if notes[note]?.keptLine == nil {
      report.append(
        Self.violation(
          "note \(note.text) was transcribed, which the phone does not have", at: event.time, lines: [line]))
    } else if let before = notes[note]?.transcribedLine {
      report.append(
        Self.violation("note \(note.text) was transcribed again", at: event.time, lines: [before, line]))
    }
    notes[note, default: Note()].transcribedLine = line
  }

  private static func note(_ event: TraceEvent) -> Identifier? {
    guard case .uuid(let high, let low) = event["note"] else { return nil }
    return Identifier(high: high, low: low)
  }

  private mutating func tellUnreceived(_ file: Delivered, _ report: inout [Violation]) {
    delivered = nil
    report.append(
      Self.violation(
        "the file of note \(file.note.text) was delivered, and the note was not received", at: file.time,
        lines: [file.line]))
  }
}
