package import Link

extension Plants {
  /// A script that replaces another in mid-run restarts from its beginning, all at once.
  package static let swapBackfire = Plants(bit: 56)
}

extension Plant {
  package static let swapBackfire = Plant(
    "swap-backfire", .swapBackfire, in: [.phone],
    happened:
      "The full script replaced the stub in mid-run, and every line already passed fired at once.",
    wrong:
      "A script that replaces another in mid-run restarts from its beginning: all passed lines are "
      + "spoken, one after the other.",
    right:
      "Spoken lines stay spoken; passed positions expire or count as spoken, and are never "
      + "spoken late.",
    caughtBy: ["dispatch-window", "dispatch-justified", "play-once", "no-missed-dispatch"], sweptIn: "trust-coach")
}
