/// Notifies a starting app of the context that it already has, although an earlier start was notified of it.
public struct ContextRepeatedFault: SessionQuirkFault {
  /// The device whose app is notified again.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.contextRepeated
  public static let isDrawnByDefault = false
  public static let isDrawnForApps = true
  public static let effect =
    "at its start, delivers the context that is there to its app, though an earlier start had it; a `context.repeated`"
    + " line"
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "Each start of the app while the fault is on gets a callback for the context that is in"
      + " `receivedApplicationContext`, also for one that the app has had.",
    formula:
      "at every start of the app while the fault is on: the latest context is delivered, with a `context.repeated` line"
      + " unless it was waiting.",
    reality:
      "One send was followed by two callbacks, and by a callback after a cold launch, in some runs (measured on a pair of"
      + " simulators, iOS and watchOS 26.5). Apple documents the delivery of what is waiting. How often is not known.")
  public static let story = FaultStory(ending: "contexts are announced once again") {
    "the \($0.device)'s app is notified of its context at every start"
  }
  public static let parameters = besideDevice(Self(.watch), "the device whose app is notified again")
}

extension SessionQuirk {
  /// A starting app gets a callback for the context that it already has.
  public static let contextRepeated = Self("contextRepeated", number: 13)
}

extension Session {
  /// Delivers the context of an earlier start again.
  ///
  /// - Parameter isWaiting: Whether no earlier start has delivered it, as far as the session knows.
  mutating func repeatContext(_ slot: SessionRecord.ContextSlot, isWaiting: Bool, in turn: inout Turn) {
    let delivery = SessionDelivery.context(payload: slot.payload, seq: slot.seq)
    if !isWithheld(delivery), !isWaiting || configuration.contextAtStart == .latest {
      turn.record(ContextRepeated.self, on: configuration.role.place) {
        $0.seq = Int64(clamping: slot.seq.rawValue)
        $0.digest = EventDigest(bits: Digest.prefix(slot.payload))
      }
    }
    deliver(delivery, in: &turn)
  }
}
