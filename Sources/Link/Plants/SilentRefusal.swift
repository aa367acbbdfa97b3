extension Plants {
  /// A refused message leaves no error behind.
  public static let silentRefusal = Plants(bit: 0)
}

extension Plant {
  /// A refused message leaves no error behind.
  public static let silentRefusal = Plant(
    "silent-refusal", .silentRefusal, in: [.watch, .phone],
    happened:
      "The phone's registry lost the watch app: every send failed, while the watch still showed the phone "
      + "as reachable.",
    wrong:
      "A refused message leaves no error behind.",
    right:
      "Every failed send reports its error at once: a side knows that its sends fail, whatever the other side "
      + "thinks.",
    caughtBy: ["no-silent-refusal"])
}
