package import Link

extension Plants {
  /// A restarted watch stamps its messages with its clock alone.
  package static let backwardStamps = Plants(bit: 21)
}

extension Plant {
  package static let backwardStamps = Plant(
    "backward-stamps", .backwardStamps, in: [.watch],
    happened:
      "The newest progress was chosen by time stamps of two devices, and an older one won "
      + "(github.com/LeoKlaus/plappa/issues/321).",
    wrong:
      "A restarted watch stamps its messages with its clock alone, which may have been set back.",
    right:
      "Stamps increase, also over a restart and a change of the clock: the last one is stored.",
    caughtBy: ["sent-at-monotonic", "belief-is-newest"])
}
