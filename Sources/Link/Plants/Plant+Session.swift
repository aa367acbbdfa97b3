extension Plant {
  /// The session's plants, of either side.
  public static let session: [Plant] = [
    silentRefusal,
    replyNever,
    expiredSession,
    budgetDropped,
  ]
}
