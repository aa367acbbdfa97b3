package import Link

extension Plants {
  package static let phantomRun = Plants(bit: 32)
}

extension Plant {
  package static let phantomRun = Plant(
    "phantom-run", .phantomRun, in: [.phone],
    happened:
      "A ghost watch session announced a run again during or after another one; the phone opened "
      + "a second, empty run.",
    wrong:
      "An update of any workout opens a run, even while another is on.",
    right:
      "An old or foreign start is refused and recorded, and no workout opens a run while one is on, unless it began "
      + "later and its timer counts.",
    caughtBy: ["belief-is-newest"])
}
