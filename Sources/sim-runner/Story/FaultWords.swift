import Link

/// Describes what a fault does, in plain words.
struct FaultWords {
  /// A fault of the plan.
  struct Planned {
    var length: VirtualTime.Span?
    var direction: String?
    var channels: [String]
    var isOnUplink: Bool
  }

  private var planned: [String: Planned] = [:]

  /// - Parameter faults: The `faults` of a trace's header.
  init(_ faults: JSONNode) {
    for fault in faults.elements {
      guard let id = fault.member("id")?.text else { continue }
      planned[id] = Planned(
        length: fault.member("for")?.span, direction: fault.member("direction")?.text,
        channels: (fault.member("channels")?.elements ?? []).compactMap(\.text),
        isOnUplink: fault.member("uplink") != nil)
    }
  }

  /// The name that the scenario gave a fault; nil for one that was named after its content.
  func name(_ id: String, kind: String) -> String? {
    let stem = planned[id]?.isOnUplink == true ? "uplink-\(kind)-" : "\(kind)-"
    guard id.hasPrefix(stem) else { return TerminalText.escape(id) }
    let rest = id.dropFirst(stem.count).prefix { $0 != "-" }
    return rest.count == 6 && rest.allSatisfy(\.isHexDigit) ? nil : TerminalText.escape(id)
  }

  /// `tunnel, for 45 s`: the given name and the planned length, if any, in brackets.
  func remark(_ id: String, kind: String) -> String {
    let parts = [name(id, kind: kind), planned[id]?.length.map { "for \(StoryText.length($0))" }].compactMap(\.self)
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  /// The beginning of a fault as a sentence without its end.
  func beginning(_ id: String, kind: String, params: JSONNode?) -> String {
    let uplink = planned[id]?.isOnUplink == true ? "on the way to the cloud: " : ""
    return uplink + effect(kind, params) + scope(id) + remark(id, kind: kind)
  }

  /// The sentence for the end of a fault.
  func ending(_ id: String, kind: String) -> String {
    let noun =
      switch kind {
      case "loss": "the bad reception is over"
      case "delay": "the slow stretch is over"
      case "reorder": "frames arrive in order again"
      case "duplicate": "nothing arrives twice any more"
      case "corrupt": "nothing is damaged any more"
      case "bandwidth": "the link has its full bandwidth again"
      case "disconnect": "the link no longer breaks"
      case "kill": "the crash is over"
      case "reboot": "the reboot is over"
      case "suspend": "the sleep is over"
      case "diskFull": "there is room on the disk again"
      case "clockSkew": "the clock is right again"
      case "notInstalled": "the app is there again"
      case "reachabilityStuck": "reachability is reported correctly again"
      case "reachabilityEdgeLost": "changes of reachability are reported again"
      case "phantomReachable": "the phantom reachability is over"
      case "sendFails": "sends work again"
      case "oneWay": "both directions work again"
      case "queueStall": "the queue moves again"
      case "contextBurst": "contexts are no longer repeated"
      case "contextCongestion": "contexts no longer delay messages"
      case "replyLost": "replies arrive again"
      case "deliveredTwice": "crashes no longer cause repeats"
      case "finishLost": "finished transfers are reported again"
      default: "\(TerminalText.escape(kind)) is over"
      }
    let uplink = planned[id]?.isOnUplink == true ? "on the way to the cloud: " : ""
    return uplink + noun + (name(id, kind: kind).map { " (\($0))" } ?? "")
  }

  private func effect(_ kind: String, _ params: JSONNode?) -> String {
    func percent(_ key: String) -> String { StoryText.percent(params?.member(key)?.double ?? 0) }
    func seconds(_ key: String) -> String { StoryText.length(params?.member(key)?.span ?? .zero) }
    switch kind {
    case "loss":
      if let every = params?.member("every")?.double {
        return "bad reception: each \(Self.ordinal(Int(saturating: min(max(every, 0), 1e15)))) packet is lost"
      }
      if params?.member("goodToBad") != nil { return "bad reception: packets get lost in bursts" }
      return params?.member("probability")?.double == 1
        ? "no reception: all packets get lost" : "bad reception: \(percent("probability")) of all packets get lost"
    case "delay": return "everything takes \(seconds("mean")) longer, give or take \(seconds("jitter"))"
    case "reorder": return "\(percent("probability")) of all packets are overtaken by later ones"
    case "duplicate": return "\(percent("probability")) of all packets arrive more than once"
    case "corrupt": return "\(percent("probability")) of all packets arrive damaged"
    case "bandwidth":
      let bytes = params?.member("bytesPerSecond")?.double ?? 0
      return "only \(StoryText.count(Int(min(max(bytes, 0), 1e15)))) bytes a second get through"
    case "disconnect":
      guard let flap = params?.member("flap") else { return "the link is cut" }
      let (down, up) = (flap.member("down")?.span ?? .zero, flap.member("up")?.span ?? .zero)
      return "the link flaps: \(StoryText.length(down)) down, \(StoryText.length(up)) up, again and again"
    case "kill": return "the \(node(params))'s app crashes"
    case "reboot":
      guard case .bool(true)? = params?.member("power")?.value else { return "the \(node(params)) reboots" }
      return "the \(node(params))'s power fails"
    case "suspend": return "the \(node(params))'s app is put to sleep"
    case "diskFull": return "the \(node(params))'s disk is full"
    case "clockSkew":
      let offset = params?.member("offset")?.double ?? 0
      let drift = params?.member("driftPPM")?.double ?? 0
      let shift = VirtualTime.Span(nanoseconds: Int64((min(abs(offset), 1e9) * 1e9).rounded()))
      let way = offset < 0 ? "behind" : "ahead"
      return "the \(node(params))'s clock is \(StoryText.length(shift)) \(way)" + (drift == 0 ? "" : " and drifts")
    case "notInstalled": return "the \(node(params))'s app seems not to be installed"
    case "reachabilityStuck": return "the \(node(params)) is stuck in its belief about reachability"
    case "reachabilityEdgeLost": return "the \(node(params))'s app gets no changes of reachability"
    case "phantomReachable": return "the \(node(params)) believes the other side reachable, whether it is or not"
    case "oneWay":
      return "nothing from the \(TerminalText.escape(params?.member("from")?.text ?? "device")) gets through"
    case "sendFails": return "some sends of the \(node(params))'s app fail"
    case "queueStall": return "the \(node(params))'s queue stalls until more is queued"
    case "contextBurst": return "the \(node(params)) gets old contexts again when it wakes"
    case "contextCongestion": return "frequent contexts delay messages"
    case "replyLost":
      return params?.member("probability")?.double == 1
        ? "all replies get lost" : "\(percent("probability")) of all replies get lost"
    case "deliveredTwice": return "the \(node(params)) gets items again after a crash that it had already handled"
    case "finishLost": return "the \(node(params)) gets no reports of arrivals"
    default: return "\(TerminalText.escape(kind)) begins"
    }
  }

  private func node(_ params: JSONNode?) -> String { TerminalText.escape(params?.member("node")?.text ?? "device") }

  /// Whether the lines of the device's app already report a kind of fault.
  static func isOfDevice(_ kind: String) -> Bool { ["kill", "reboot", "suspend"].contains(kind) }

  private static func ordinal(_ number: Int) -> String {
    let ending =
      switch (number % 10, number % 100) {
      case (_, 11...13): "th"
      case (1, _): "st"
      case (2, _): "nd"
      case (3, _): "rd"
      default: "th"
      }
    return StoryText.count(number) + ending
  }

  private func scope(_ id: String) -> String {
    var text = ""
    switch planned[id]?.direction {
    case "watch-to-phone": text += " from watch to phone"
    case "phone-to-watch": text += " from phone to watch"
    case "phone-to-edge": text += " from the phone to the cloud"
    case "edge-to-phone": text += " from the cloud to the phone"
    default: break
    }
    if let channels = planned[id]?.channels, !channels.isEmpty { text += ", \(StoryText.list(channels)) only" }
    return text
  }
}
