package import Link

extension Plants {
  package static let delegateRace = Plants(bit: 42)
}

extension Plant {
  package static let delegateRace = Plant(
    "delegate-race", .delegateRace, in: [.phone],
    happened:
      "A received file was deleted by the system when the delegate returned, before it had been moved.",
    wrong:
      "The file is moved on a thread that is busy while the coach speaks; the session deletes the file "
      + "first.",
    right:
      "The session owns the file until the handler has committed its move.",
    caughtBy: ["voice-note-whole"])
}
