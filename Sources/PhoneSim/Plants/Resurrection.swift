package import Link

extension Plants {
  package static let resurrection = Plants(bit: 35)
}

extension Plant {
  package static let resurrection = Plant(
    "resurrection", .resurrection, in: [.phone],
    happened:
      "A metrics packet in flight arrived after the end and revived the run.",
    wrong:
      "A fresh snapshot is believed even after the run has ended.",
    right:
      "Ended is final.",
    caughtBy: ["ended-is-final"])
}
