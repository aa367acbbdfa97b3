/// Keeps a starting app from being notified of the context that it already has.
public struct ContextUnannouncedFault: SessionQuirkFault {
  /// The device whose app is not notified.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.contextUnannounced
  public static let isDrawnByDefault = false
  public static let isDrawnForApps = true
  public static let effect =
    "at its start, delivers no context to its app: the one that is there is in the app's property only"
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "When the app starts, a context that waits for it is in `receivedApplicationContext`, but no callback follows."
      + " An app that reads contexts in the callback alone misses it.",
    formula:
      "at every start of the app while the fault is on: the context that arrived before is not delivered.",
    reality:
      "After a cold launch the property was already set and no callback came in some runs; in others the callback came"
      + " first (measured on a pair of simulators, iOS and watchOS 26.5). How often is not known.")
  public static let story = FaultStory(ending: "contexts are announced at a start again") {
    "the \($0.device)'s app is not notified of a context that is there when it starts"
  }
  public static let parameters = besideDevice(Self(.watch), "the device whose app is not notified")
}

extension SessionQuirk {
  /// A starting app gets no callback for the context that it already has.
  public static let contextUnannounced = Self(
    "contextUnannounced", number: 12,
    withholds: { session, delivery in if case .context = delivery { !session.isActivated } else { false } })
}
