extension Plants {
  /// The wait for a reply has no deadline.
  public static let replyNever = Plants(bit: 1)
}

extension Plant {
  /// The wait for a reply has no deadline.
  public static let replyNever = Plant(
    "reply-never", .replyNever, in: [.watch, .phone],
    happened:
      "A message waited for its reply forever when the peer died while it handled it.",
    wrong:
      "The wait for a reply has no deadline.",
    right:
      "A missing reply becomes an error at its deadline.",
    caughtBy: ["reply-in-time"])
}
