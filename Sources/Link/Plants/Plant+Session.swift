extension Plant {
  /// Those of the session, on either side.
  public static let session: [Plant] = [
    silentRefusal,
    replyNever,
  ]
}
