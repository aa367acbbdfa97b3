package import Link

extension Plants {
  package static let halfTrusted = Plants(bit: 27)
}

extension Plant {
  package static let halfTrusted = Plant(
    "half-trusted", .halfTrusted, in: [.edge],
    happened:
      "After a power loss the server went on with a half-written file: most days were missing, and stayed so.",
    wrong:
      "The identifier is read from the half file, so that the phone believes the store to be whole.",
    right:
      "A file that cannot be read as a whole is left out: a new store, which the phone fills.",
    caughtBy: ["wiped-server-whole", "sync-complete"], sweptIn: "trust-aggregates")
}
