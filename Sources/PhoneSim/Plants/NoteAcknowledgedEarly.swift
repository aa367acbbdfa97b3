package import Link

extension Plants {
  package static let noteAcknowledgedEarly = Plants(bit: 63)
}

extension Plant {
  package static let noteAcknowledgedEarly = Plant(
    "note-acknowledged-early", .noteAcknowledgedEarly, in: [.phone],
    happened:
      "The phone confirmed a recording when its file was in the inbox, the watch deleted its copy, and "
      + "a phone that failed before the import had lost it (github.com/fastrepl/anarlog/pull/6355).",
    wrong:
      "A voice note counts as handled before its row is stored.",
    right:
      "The row of a note and the handled mark of its file are one transaction.",
    caughtBy: ["queues-drain", "voice-note-whole"])
}
