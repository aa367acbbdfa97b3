package import Link

extension Plants {
  /// A row that the cloud delivers again is stored as a new one.
  package static let twinRows = Plants(bit: 15)
}

extension Plant {
  package static let twinRows = Plant(
    "twin-rows", .twinRows, in: [.phone],
    happened:
      "After a bad connection every photo and every session of the week was there twice.",
    wrong:
      "A phone stores each delivered copy as a new row, and no column is unique that would prevent it.",
    right:
      "A row has one identifier on all phones, and a copy that says nothing new changes nothing.",
    caughtBy: ["row-once", "stores-converge"], sweptIn: "two-phones")
}
