package import Link

extension Plants {
  package static let rowlessRun = Plants(bit: 65)
}

extension Plant {
  package static let rowlessRun = Plant(
    "rowless-run", .rowlessRun, in: [.phone],
    happened:
      "A run whose last snapshot overtook the end of the run before it was missing in the list of this simulator's "
      + "own phone, though its start and its end had arrived.",
    wrong:
      "The start and the end of a workout that was refused once are dropped.",
    right:
      "A start or an end that arrives always leaves a row, whether the phone believed in the run or not.",
    caughtBy: ["run-has-row"],
    sweptIn: "trust-belief")
}
