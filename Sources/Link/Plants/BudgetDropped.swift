extension Plants {
  /// A complication transfer beyond the budget of the day is dropped without an error.
  public static let budgetDropped = Plants(bit: 3)
}

extension Plant {
  public static let budgetDropped = Plant(
    "budget-dropped", .budgetDropped, in: [.watch, .phone],
    happened:
      "Background wake-ups for complications have a budget of 50 a day; an app that had used it up "
      + "stopped getting updates (github.com/LoopKit/Loop/issues/816).",
    wrong:
      "A complication transfer beyond the budget of the day is dropped without an error.",
    right:
      "Beyond the budget a transfer is queued as an ordinary one.",
    caughtBy: ["queues-drain", "guaranteed-no-loss"],
    sweptIn: "traffic")
}
