package import Link

extension Plants {
  package static let halfFile = Plants(bit: 41)
}

extension Plant {
  package static let halfFile = Plant(
    "half-file", .halfFile, in: [.phone],
    happened:
      "A voice note cut by a crash showed up as a playable file.",
    wrong:
      "After a start the app lists a partly received file as a note.",
    right:
      "File and row appear together or not at all; the transfer continues where it stopped.",
    caughtBy: ["voice-note-whole"])
}
