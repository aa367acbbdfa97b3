package import Link

extension Plants {
  /// An app that starts lists the file that is still being received as a note.
  package static let halfFile = Plants(bit: 41)
}

extension Plant {
  /// An app that starts lists the file that is still being received as a note.
  package static let halfFile = Plant(
    "half-file", .halfFile, in: [.phone],
    happened:
      "A voice note cut by a crash showed up as a playable file.",
    wrong:
      "An app that starts lists the file that is still being received as a note.",
    right:
      "File and row appear together or not at all; the transfer goes on where it stopped.",
    caughtBy: ["voice-note-whole"])
}
