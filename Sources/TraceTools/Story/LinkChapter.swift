import Console
import Link

/// The thread of the link: faults, cuts, reachability, and the phone's report that the watch is silent.
struct LinkChapter: StoryChapter {
  private let words: FaultWords
  /// The faults that are on, by id: their kind, and whether they flap.
  private var active: [(id: String, kind: String, isFlapping: Bool, voice: StoryLine.Voice)] = []
  private var downSince: VirtualTime?
  private var uplinkDownSince: VirtualTime?
  /// When the phone last heard the watch before it reported the silence.
  private var lastHeard: VirtualTime?
  private var isWatchSilent = false

  /// - Parameter faults: The `faults` of a trace's header.
  init(faults: JSONNode) { words = FaultWords(faults) }

  /// The current disturbance, for a progress line; nil for none.
  var situation: String? {
    let parts = [
      downSince.map { _ in "link cut" }, uplinkDownSince.map { _ in "uplink cut" },
      isWatchSilent ? "watch silent" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? active.last.map { $0.kind } : parts.joined(separator: ", ")
  }

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.name {
    case FaultBegan.name: begin(event, into: &lines)
    case FaultEnded.name: end(event, into: &lines)
    case LinkWentDown.name: cut(event, into: &lines)
    case LinkCameUp.name: restore(event, into: &lines)
    case ReachabilityChanged.name: reach(event, into: &lines)
    case LivenessLost.name: missWatch(event, into: &lines)
    case LivenessRegained.name: hearWatch(event, into: &lines)
    default: break
    }
  }

  private mutating func begin(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let (id, kind) = (event["fault"]?.text ?? "", event["kind"]?.text ?? "")
    let params = StoryJSON.node(event["params"])
    let isFlapping = kind == "disconnect" && params?["flap"] != nil
    let voice = Self.voice(of: kind, params)
    active.append((id, kind, isFlapping, voice))
    // A plain cut is reported when the link goes down, in the same instant, unless it is down already.
    // The device's own lines report what happens to it.
    let isReported = FaultWords.isReportedByDevice(kind)
    guard !isReported, kind != "disconnect" || isFlapping || isDown(event.place) else { return }
    var text = words.beginning(id, kind: kind, params: params)
    if kind == "disconnect", !isFlapping {
      text = "one more cut while \(Self.name(event.place)) is down" + words.remark(id, kind: kind)
    }
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: .trouble))
  }

  /// The device of a fault that acts on one, or the link.
  private static func voice(of kind: String, _ params: JSONNode?) -> StoryLine.Voice {
    guard FaultCatalog.nodeFaults.contains(where: { $0.kind == kind }) else { return .link }
    return params?["node"]?.text.flatMap(StoryLine.Voice.init(rawValue:)) ?? .link
  }

  private mutating func end(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let (id, kind) = (event["fault"]?.text ?? "", event["kind"]?.text ?? "")
    let fault = active.first { $0.id == id }
    active.removeAll { $0.id == id }
    guard !FaultWords.isReportedByDevice(kind), kind != "disconnect" || fault?.isFlapping == true else { return }
    lines.append(
      StoryLine(time: event.time, voice: fault?.voice ?? .link, text: words.ending(id, kind: kind), tone: .relief))
  }

  private func isDown(_ place: TraceEvent.Place) -> Bool { (place == .uplink ? uplinkDownSince : downSince) != nil }

  private static func name(_ place: TraceEvent.Place) -> String {
    place == .uplink ? "the way to the cloud" : "the link"
  }

  private mutating func cut(_ event: TraceEvent, into lines: inout [StoryLine]) {
    if event.place == .uplink { uplinkDownSince = event.time } else { downSince = event.time }
    let id = event["cause"]?.text ?? ""
    let fault = active.first { $0.id == id }
    guard fault?.isFlapping != true else { return }
    let remark = fault.map { words.remark(id, kind: $0.kind) } ?? ""
    lines.append(
      StoryLine(time: event.time, voice: .link, text: "\(Self.name(event.place)) is cut\(remark)", tone: .trouble))
  }

  private mutating func restore(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let since = event.place == .uplink ? uplinkDownSince : downSince
    if event.place == .uplink { uplinkDownSince = nil } else { downSince = nil }
    let id = event["cause"]?.text ?? ""
    guard active.first(where: { $0.id == id })?.isFlapping != true else { return }
    let length = since.map { " after \(StoryText.length(event.time - $0))" } ?? ""
    lines.append(
      StoryLine(time: event.time, voice: .link, text: "\(Self.name(event.place)) is back\(length)", tone: .relief))
  }

  private func reach(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let isReachable = event["reachable"]?.boolean ?? false
    let (voice, peer) = event.place == .watch ? (StoryLine.Voice.watch, "phone") : (.phone, "watch")
    let why =
      switch event["cause"]?.text {
      case "supervision": ": the radio has heard nothing for too long"
      case "reconnect": " again"
      default: ""
      }
    let silence = event["told"]?.boolean == false ? ", and its app gets no callback" : ""
    let text = (isReachable ? "reaches the \(peer)" : "no longer reaches the \(peer)") + why + silence
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: .quiet))
  }

  private mutating func missWatch(_ event: TraceEvent, into lines: inout [StoryLine]) {
    isWatchSilent = true
    lastHeard = Self.moment(event["lastFresh"])
    let text =
      lastHeard.map {
        "says that the watch is silent: not a word for \(StoryText.length(event.time - $0)), the last one at "
          + StoryText.clock($0)
      } ?? "says that the watch is silent: not a word since the run began"
    lines.append(StoryLine(time: event.time, voice: .phone, text: text, tone: .trouble))
  }

  private mutating func hearWatch(_ event: TraceEvent, into lines: inout [StoryLine]) {
    isWatchSilent = false
    let isEnd = event["reason"]?.text == "ended"
    var text = isEnd ? "no longer waits for the watch: the run has ended" : "hears the watch again"
    if let lastHeard, !isEnd { text += " after \(StoryText.length(event.time - lastHeard, places: 1)) of silence" }
    lines.append(StoryLine(time: event.time, voice: .phone, text: text, tone: .relief))
  }

  /// When the phone last heard the watch, according to a line of the trace.
  private static func moment(_ value: TraceValue?) -> VirtualTime? {
    guard case .integer(let nanoseconds)? = StoryJSON.node(value)?["t"]?.value else { return nil }
    return VirtualTime(nanoseconds: nanoseconds)
  }
}
