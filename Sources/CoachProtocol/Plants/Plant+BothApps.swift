public import Link

extension Plant {
  /// Those that take both apps.
  public static let bothApps: [Plant] = [
    companionEcho,
    staleStart,
  ]
}
