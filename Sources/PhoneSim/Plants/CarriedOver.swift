package import Link

extension Plants {
  /// A run begins with the script position of the run before it.
  package static let carriedOver = Plants(bit: 59)
}

extension Plant {
  package static let carriedOver = Plant(
    "carried-over", .carriedOver, in: [.phone],
    happened:
      "In the second run of the morning the coach said nothing: it had said it all in the first.",
    wrong:
      "A new run continues with the script position of the run before it.",
    right:
      "Each run starts with an empty position and without earlier snapshots.",
    caughtBy: ["no-missed-dispatch"], sweptIn: "runs-nemesis")
}
