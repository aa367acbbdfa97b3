package import Link

extension Plants {
  /// A late summary ends whatever run is on.
  package static let swallowedRun = Plants(bit: 48)
}

extension Plant {
  package static let swallowedRun = Plant(
    "swallowed-run", .swallowedRun, in: [.phone],
    happened:
      "Workouts reached the phone up to an hour late (github.com/ryanbr/noop/issues/2265), and the "
      + "summary of the last run was taken for that of the next one.",
    wrong:
      "A late `workoutEnded` of an earlier run ends the run that is on.",
    right:
      "A summary belongs to the run that it names.",
    caughtBy: ["belief-is-newest"],
    sweptIn: "trust-runs")
}
