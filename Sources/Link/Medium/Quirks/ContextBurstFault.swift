/// Delivers old and repeated contexts to a device that wakes.
public struct ContextBurstFault: SessionQuirkFault {
  /// The device that gets them.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.contextBurst
  public static let effect =
    "on waking and at its start, delivers the last 8 contexts since the quirk began once more, each one to"
    + " three times, in order; each is a `context.repeated` line"
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "When its app wakes or starts, the device gets earlier contexts once more, old and repeated ones in a row, the"
      + " latest last.",
    formula:
      "at each waking the last 8 contexts received since begin, or the latest one if there are none, each 1 + floor(3"
      + " x draw) times, in the order of arrival. Each delivery is a `context.repeated` line, except the first one of"
      + " a new context.",
    reality:
      "A suspended watch app got contexts 618, 621, 621, 624, 630, 630, ... within one second when it woke"
      + " (pocket-casts-ios issue 1430).")
  public static let story = FaultStory(ending: "contexts are no longer repeated") {
    "the \($0.device) gets old contexts again when it wakes"
  }
  public static let parameters = besideDevice(Self(.watch), "the device that gets them")
}

extension SessionQuirk {
  /// On waking, the app gets old and repeated contexts.
  public static let contextBurst = Self("contextBurst", number: 9) { session, _, _, _ in
    session.quirks.contexts = []
  }
}

extension Session {
  /// Stores a received context for a burst.
  mutating func storeContext(_ slot: SessionRecord.ContextSlot) {
    guard quirks.on[.contextBurst] else { return }
    if quirks.contexts.count == QuirkState.contextsMax { quirks.contexts.removeFirst() }
    quirks.contexts.append(slot)
  }

  /// Delivers every stored context, each one to three times, the latest last.
  ///
  /// - Parameter isNew: Whether the app has not got the latest one yet.
  mutating func handOverBurst(isNew: Bool, in turn: inout Turn) {
    guard let latest = contexts.received else { return }
    quirks.bursts += 1
    for slot in quirks.contexts.isEmpty ? [latest] : quirks.contexts {
      let key = RandomStream.key(slot.seq.rawValue, quirks.bursts)
      let count = 1 + configuration.random.number(below: 3, for: key)
      for time in 1...count {
        if !isNew || slot.seq != latest.seq || time > 1 {
          turn.record(ContextRepeated.self, on: configuration.role.place) {
            $0.seq = Int64(clamping: slot.seq.rawValue)
            $0.digest = EventDigest(bits: Digest.prefix(slot.payload))
          }
        }
        turn.deliveries.append(.context(payload: slot.payload, seq: slot.seq))
      }
    }
  }
}
