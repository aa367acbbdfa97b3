package import Link

extension Plants {
  /// A word about any workout opens a run, whatever run is on.
  package static let phantomRun = Plants(bit: 32)
}

extension Plant {
  /// A word about any workout opens a run, whatever run is on.
  package static let phantomRun = Plant(
    "phantom-run", .phantomRun, in: [.phone],
    happened:
      "A ghost watch session announced a run again while another one was on, or after it; the phone opened "
      + "a second run of zeros.",
    wrong:
      "A word about any workout opens a run, whatever run is on.",
    right:
      "An old or foreign start is refused and recorded, the watch is told to end it, and no other workout "
      + "opens a run while one is on.",
    caughtBy: ["belief-is-newest"])
}
