package import Link

/// `voice-note-whole`: a voice note arrives complete and once, or not at all.
package struct VoiceNoteWholeChecker: Checker {
  package static let invariant = "voice-note-whole"
  package static let about =
    "A voice note of the watch is received once, at the instant its file is delivered and with the bytes it was recorded with; each note is transcribed at most once, and once more by the cloud if that failed."

  /// The observed state of a note.
  private struct Note {
    /// Its recording, if the trace shows it.
    var recorded: (bytes: Int64, line: Int)?
    /// The line of its row on the phone, recorded there or received.
    var keptLine: Int?
    var transcribedLine: Int?
    /// Whether the phone's recogniser failed, and the cloud has not read it.
    var isUnread = false
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

  package mutating func transferDelivered(_ file: TransferDelivered, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeDelivered(file, event, &report)
  }

  package mutating func voiceRecorded(_ voice: VoiceRecorded, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeRecorded(voice, event, &report)
  }

  package mutating func voiceReceived(_ voice: VoiceReceived, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeReceived(voice, event, &report)
  }

  package mutating func voiceTranscribed(_ voice: VoiceTranscribed, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeTranscribed(voice, event, &report)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    // A phone that died while it handled a file reports it when it receives it again.
    if change.isUp(.phone) == false { delivered = nil }
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let delivered, event.time > delivered.time { reportUnreceived(delivered, &report) }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A truncated trace may end in between.
    if let delivered, ending.isComplete { reportUnreceived(delivered, &report) }
  }

  private mutating func observeDelivered(
    _ file: TransferDelivered, _ event: Occurrence, _ report: inout Report
  ) {
    guard event.place == .phone, file.identity.channel == .file, file.details.kind == "voiceNote",
      let note = file.details.note
    else { return }
    if let delivered { reportUnreceived(delivered, &report) }
    // A note that arrived by an earlier transfer is recognised by its name, and not received again.
    guard notes[note]?.keptLine == nil else { return }
    delivered = Delivered(note: note, bytes: file.bytes, time: event.time, line: event.line)
  }

  private mutating func observeRecorded(
    _ voice: VoiceRecorded, _ event: Occurrence, _ report: inout Report
  ) {
    let note = voice.note
    if let before = notes[note]?.recorded {
      report.add("note \(note.text) was recorded twice", at: event.time, lines: [before.line, event.line])
    }
    notes[note, default: Note()].recorded = (voice.bytes, event.line)
    if event.place == .phone { notes[note, default: Note()].keptLine = event.line }
  }

  private mutating func observeReceived(
    _ voice: VoiceReceived, _ event: Occurrence, _ report: inout Report
  ) {
    let (note, bytes) = (voice.note, voice.bytes)
    let file = delivered
    delivered = nil
    let known = notes[note]
    notes[note, default: Note()].keptLine = event.line
    if let before = known?.keptLine {
      report.add("note \(note.text) was received again", at: event.time, lines: [before, event.line])
    } else if let file, file.note == note {
      if let whole = file.bytes, bytes != whole {
        report.add(
          "note \(note.text) has \(bytes) bytes, but its file has \(whole)", at: event.time,
          lines: [file.line, event.line])
      }
    } else {
      report.add("note \(note.text) was received without its file", at: event.time, lines: [event.line])
    }
    if let recorded = known?.recorded, recorded.bytes != bytes {
      report.add(
        "note \(note.text) was recorded with \(recorded.bytes) bytes and received with \(bytes)", at: event.time,
        lines: [recorded.line, event.line])
    }
  }

  private mutating func observeTranscribed(
    _ voice: VoiceTranscribed, _ event: Occurrence, _ report: inout Report
  ) {
    let note = voice.note
    if voice.by == .cloud, notes[note]?.isUnread == true {
      notes[note]?.isUnread = false
      return
    }
    if notes[note]?.keptLine == nil {
      report.add(
        "note \(note.text) was transcribed, but the phone does not have it", at: event.time, lines: [event.line])
    } else if let before = notes[note]?.transcribedLine {
      report.add("note \(note.text) was transcribed again", at: event.time, lines: [before, event.line])
    }
    notes[note, default: Note()].transcribedLine = event.line
    notes[note, default: Note()].isUnread = voice.status == .failed
  }

  private mutating func reportUnreceived(_ file: Delivered, _ report: inout Report) {
    delivered = nil
    report.add(
      "the file of note \(file.note.text) was delivered, and the note was not received", at: file.time,
      lines: [file.line])
  }
}
