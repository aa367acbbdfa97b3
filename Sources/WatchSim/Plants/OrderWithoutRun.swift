package import Link

extension Plants {
  /// An order to end a workout ends whichever is on.
  package static let orderWithoutRun = Plants(bit: 19)
}

extension Plant {
  package static let orderWithoutRun = Plant(
    "order-without-run", .orderWithoutRun, in: [.watch],
    happened:
      "An app repeated commands of the past when it came back after a while "
      + "(github.com/Automattic/pocket-casts-ios/issues/1430): they named no session, and reached the "
      + "next one.",
    wrong:
      "An order to end a workout ends whichever is on.",
    right:
      "An order names its workout, and is refused while another one is on.",
    caughtBy: ["order-ends-its-run"],
    sweptIn: "trust-runs")
}
