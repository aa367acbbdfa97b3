package import Link

extension Plants {
  package static let startLost = Plants(bit: 45)
}

extension Plant {
  package static let startLost = Plant(
    "start-lost", .startLost, in: [.phone],
    happened:
      "A start was sent by message only to a sleeping watch; nothing happened, and nothing was reported.",
    wrong:
      "A start is sent once, by message only, and no answer is awaited.",
    right:
      "The watch answers every start; without an answer the phone repeats it after 10 s, and reports failure after 10 more.",
    caughtBy: ["start-in-time"])
}
