package import Link

extension Plants {
  package static let forgottenCancel = Plants(bit: 50)
}

extension Plant {
  package static let forgottenCancel = Plant(
    "forgotten-cancel", .forgottenCancel, in: [.phone],
    happened:
      "The watch became unreachable during a start, the phone continued without it, and later both had "
      + "recorded the workout (github.com/piscoTech/GymTracker/issues/6, "
      + "github.com/astashov/liftosaur/issues/451).",
    wrong:
      "A restarted phone does not know which starts it gave up.",
    right:
      "Given-up starts are stored: late updates of them are refused, also after a restart.",
    caughtBy: ["one-tracker", "belief-is-newest"],
    sweptIn: "trust-runs")
}
