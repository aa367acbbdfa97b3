public import Link

extension Plants {
  /// The phone posts the meals of each day beside its totals, and the server stores them.
  public static let mealsUploaded = Plants(bit: 28)
}

extension Plant {
  public static let mealsUploaded = Plant(
    "meals-uploaded", .mealsUploaded, in: [.phone, .edge],
    happened:
      "A user found the names of her meals in a backup of the server.",
    wrong:
      "The phone posts the meals of each day beside its totals, and the server stores them.",
    right:
      "Only daily totals leave the phone.",
    caughtBy: ["aggregates-only"], sweptIn: "trust-aggregates")
}
