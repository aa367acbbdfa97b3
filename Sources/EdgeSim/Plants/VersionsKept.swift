package import Link

extension Plants {
  package static let versionsKept = Plants(bit: 30)
}

extension Plant {
  package static let versionsKept = Plant(
    "versions-kept", .versionsKept, in: [.edge],
    happened:
      "The context store grew to 200 MB in a year, and the server ran out of memory.",
    wrong:
      "Each day keeps all its earlier versions.",
    right:
      "A day has one snapshot, of at most 3 KB.",
    caughtBy: ["day-size", "sync-complete"], sweptIn: "trust-aggregates")
}
