package import Link

extension Plants {
  package static let doubleTracking = Plants(bit: 46)
}

extension Plant {
  package static let doubleTracking = Plant(
    "double-tracking", .doubleTracking, in: [.phone],
    happened:
      "The phone gave up waiting and tracked the run itself; the late watch start then ran as well.",
    wrong:
      "A failed start is not cancelled, and the watch's updates of it feed the run that the phone tracks.",
    right:
      "A failed start is cancelled, its late updates are refused, and a watch that started it is ordered to end it.",
    caughtBy: ["one-tracker"])
}
