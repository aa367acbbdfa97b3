/// Hands a device after a crash what it had handled last, again.
public struct DeliveredTwiceFault: SessionQuirkFault {
  /// The device that receives it again.
  public var node: NodeRole

  /// Creates a fault.
  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.deliveredTwice
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "The framework forgets that the app has handled an entry, and hands it over again at the app's next start:"
      + " the session knows it by its number, and it has no effect.",
    formula:
      "of each queue the entry handled last while the fault was on, at every start of the app while it is on,"
      + " before anything else: a `transfer.redelivered` line. Entries cancelled by their sender are not repeated.",
    reality:
      "Once per crash between callback and acknowledgement. Inferred from the framework's inbox on disk, which is"
      + " acknowledged after the callback (class dumps of WatchConnectivity, iOS 12); no report with figures was"
      + " found: assumed.",
    parameters: [.init("deliveredTwice", "watch, phone", standard: nil, "the device that receives it again")])
}
