public import Link

extension Plant {
  /// Plants in both apps.
  public static let bothApps: [Plant] = [
    companionEcho,
    staleStart,
    mealsUploaded,
    unsyncedStore,
  ]
}
