package import Link

extension Plants {
  /// The watch reports a route of sessions indoors.
  package static let poolRoute = Plants(bit: 24)
}

extension Plant {
  package static let poolRoute = Plant(
    "pool-route", .poolRoute, in: [.watch],
    happened:
      "The map of a swim showed a zigzag over the roof of the pool, and its points were counted as distance.",
    wrong:
      "The watch leaves the receiver on in the pool and on the range, and reports what it measures under the roof.",
    right:
      "Only disciplines outdoors have a route.",
    caughtBy: ["no-route-indoors"], sweptIn: "trust-training")
}
