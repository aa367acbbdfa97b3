package import Link

extension Plants {
  /// A race waits for a script of the edge.
  package static let raceNoSignal = Plants(bit: 58)
}

extension Plant {
  /// A race waits for a script of the edge.
  package static let raceNoSignal = Plant(
    "race-no-signal", .raceNoSignal, in: [.phone],
    happened:
      "There was no network at all on race day; the coach stayed silent.",
    wrong:
      "A race asks the edge for its script, and is silent until it comes.",
    right:
      "A race speaks from what is on the phone, and asks the edge for nothing while it is on.",
    caughtBy: ["no-network-in-race-mode"], sweptIn: "trust-race")
}
