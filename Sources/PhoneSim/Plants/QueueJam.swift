package import Link

extension Plants {
  package static let queueJam = Plants(bit: 43)
}

extension Plant {
  package static let queueJam = Plant(
    "queue-jam", .queueJam, in: [.phone],
    happened:
      "One payload that the receiver could not handle blocked every later event.",
    wrong:
      "An undecodable payload at its head blocks the queue.",
    right:
      "It is set aside and recorded, and the queue continues.",
    caughtBy: ["queues-drain"])
}
