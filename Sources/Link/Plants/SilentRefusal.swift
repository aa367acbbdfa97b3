extension Plants {
  /// A message that is refused leaves no error behind.
  public static let silentRefusal = Plants(bit: 0)
}

extension Plant {
  /// A message that is refused leaves no error behind.
  public static let silentRefusal = Plant(
    "silent-refusal", .silentRefusal, in: [.watch, .phone],
    happened:
      "The phone's registry lost the watch app: every send failed, while the watch still showed the phone "
      + "as reachable.",
    wrong:
      "A message that is refused leaves no error behind.",
    right:
      "The error of every send is surfaced at once; who cannot be reached knows it, whatever the other side "
      + "thinks.",
    caughtBy: ["no-silent-refusal"])
}
