package import Link

extension Plants {
  /// The queue waits until the payload at its head can be read.
  package static let queueJam = Plants(bit: 43)
}

extension Plant {
  /// The queue waits until the payload at its head can be read.
  package static let queueJam = Plant(
    "queue-jam", .queueJam, in: [.phone],
    happened:
      "One payload that the receiver could not handle blocked every later event.",
    wrong:
      "The queue waits until the payload at its head can be read.",
    right:
      "It is set aside and recorded, and the queue goes on.",
    caughtBy: ["queues-drain"])
}
