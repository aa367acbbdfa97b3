/// Suppresses reports that a device's transfers have arrived.
public struct FinishLostFault: SessionQuirkFault {
  /// The device that gets no reports.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.finishLost
  public static let effect =
    "accepts confirmations without a `transfer.finished` and without a report to its app"
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "A transfer that reaches the other side's inbox is not reported as finished: the app gets no callback, and the"
      + " transfer stays outstanding until the app restarts. Nothing is sent again.",
    formula:
      "every transfer of the device that is confirmed between begin and end: no `transfer.finished`, then or later,"
      + " and the end of the run lists it as outstanding.",
    reality:
      "A file had arrived, its sender got no callback, and the list of outstanding transfers did not shrink"
      + " (openradar 29779788). The frequency is assumed.")
  public static let story = FaultStory(ending: "finished transfers are reported again") {
    "the \($0.device) gets no reports of arrivals"
  }
  public static let parameters = besideDevice(Self(.watch), "the device that gets no report")
}

extension SessionQuirk {
  /// Transfers that reached the peer are never reported as finished.
  public static let finishLost = SessionQuirk("finishLost", number: 11)
}

extension FaultBegan {
  /// The parameter `node`; nil for a fault without one.
  public var node: String? {
    guard let params = try? JSONParser.parse(params.text, dialect: .json), case .object(let members) = params.value,
      case .string(let text)? = members.first(where: { $0.key == "node" })?.node.value
    else { return nil }
    return text
  }

  /// The nodes whose apps this fault keeps from learning that their transfers have arrived, until they restart.
  ///
  /// Both for a fault without a readable node; none for a fault of another kind.
  public var uninformedNodes: [TraceEvent.Place] {
    guard kind == FinishLostFault.quirk.name else { return [] }
    let both = [TraceEvent.Place.watch, .phone]
    let named = both.filter { $0.text == node }
    return named.isEmpty ? both : named
  }
}

extension Session {
  /// Reports a finished transfer, unless the quirk suppresses the report.
  mutating func reportFinished(_ entry: QueueEntry, in turn: inout Turn) {
    guard !quirks.on[.finishLost] else {
      if quirks.unreported.count == QuirkState.unreportedMax { quirks.unreported.removeFirst() }
      quirks.unreported.append(entry)
      return
    }
    turn.record(TransferFinished.self, on: configuration.role.place) {
      $0.identity = TransferIdentity(entry.transfer, entry.lane, entry.seq)
    }
    deliver(.finished(entry.lane, transfer: entry.transfer, seq: entry.seq), in: &turn)
  }
}
