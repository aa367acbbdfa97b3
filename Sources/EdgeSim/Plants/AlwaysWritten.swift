package import Link

extension Plants {
  package static let alwaysWritten = Plants(bit: 31)
}

extension Plant {
  package static let alwaysWritten = Plant(
    "always-written", .alwaysWritten, in: [.edge],
    happened:
      "The memory card died after eight months of a write every quarter of an hour.",
    wrong:
      "The file is written at each sync.",
    right:
      "It is written only if its content changed.",
    caughtBy: ["few-writes"], sweptIn: "trust-aggregates")
}
