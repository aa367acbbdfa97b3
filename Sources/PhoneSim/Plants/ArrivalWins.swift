package import Link

extension Plants {
  /// The copy of a row that arrives last replaces the row.
  package static let arrivalWins = Plants(bit: 14)
}

extension Plant {
  package static let arrivalWins = Plant(
    "arrival-wins", .arrivalWins, in: [.phone],
    happened:
      "A shot was corrected on the phone and on the tablet in the same minute, and each went on showing the other's score.",
    wrong:
      "A phone takes what the cloud delivers as the row, whenever it was written.",
    right:
      "Each column has the stamp of its change, and the greater one wins on every phone.",
    caughtBy: ["stores-converge"], sweptIn: "two-phones")
}
