package import Link

extension Plants {
  /// A race waits for a script of the edge.
  package static let raceNoSignal = Plants(bit: 58)
}

extension Plant {
  package static let raceNoSignal = Plant(
    "race-no-signal", .raceNoSignal, in: [.phone],
    happened:
      "There was no network at all on race day; the coach stayed silent.",
    wrong:
      "A race requests its script from the edge, and is silent until it arrives.",
    right:
      "A race uses only what is on the phone, and requests nothing from the edge.",
    caughtBy: ["no-network-in-race-mode"], sweptIn: "trust-race")
}
