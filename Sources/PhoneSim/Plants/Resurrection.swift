package import Link

extension Plants {
  /// A fresh snapshot is believed, also of a run that has ended.
  package static let resurrection = Plants(bit: 35)
}

extension Plant {
  /// A fresh snapshot is believed, also of a run that has ended.
  package static let resurrection = Plant(
    "resurrection", .resurrection, in: [.phone],
    happened:
      "A metrics packet in flight arrived after the end and revived the run.",
    wrong:
      "A fresh snapshot is believed, also of a run that has ended.",
    right:
      "Ended is final.",
    caughtBy: ["ended-is-final"])
}
