package import Link

extension Plants {
  /// A script that replaces another in mid-run is taken up from its beginning, all at once.
  package static let swapBackfire = Plants(bit: 56)
}

extension Plant {
  /// A script that replaces another in mid-run is taken up from its beginning, all at once.
  package static let swapBackfire = Plant(
    "swap-backfire", .swapBackfire, in: [.phone],
    happened:
      "The full script replaced the stub in mid-run, and every line already passed fired at once.",
    wrong:
      "A script that replaces another in mid-run is taken up from its beginning: what lies behind is "
      + "spoken, line after line.",
    right:
      "What was said stays said, and positions that are passed are let go or counted as said, never "
      + "spoken.",
    caughtBy: ["dispatch-window", "dispatch-justified", "play-once", "no-missed-dispatch"], sweptIn: "trust-coach")
}
