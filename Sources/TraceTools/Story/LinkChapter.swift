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

  /// The current disturbance, for a progress line, if any.
  var situation: String? {
    let parts = [
      downSince.map { _ in "link cut" }, uplinkDownSince.map { _ in "uplink cut" },
      isWatchSilent ? "watch silent" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? active.last.map { $0.kind } : parts.joined(separator: ", ")
  }

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let time = event.time
    switch event.body {
    case .faultBegin(let fault): begin(fault, time, event.place, into: &lines)
    case .faultEnd(let fault): end(fault, time, into: &lines)
    case .linkDown(let down): cut(down.cause, time, event.place, into: &lines)
    case .linkUp(let up): restore(up.cause, time, event.place, into: &lines)
    case .reachability(let change): reach(change, time, event.place, into: &lines)
    case .livenessDisconnected(let alarm): missWatch(alarm, time, into: &lines)
    case .livenessReconnected(let relief): hearWatch(relief, time, into: &lines)
    default: break
    }
  }

  private mutating func begin(
    _ fault: FaultBegan, _ time: VirtualTime, _ place: TraceEvent.Place, into lines: inout [StoryLine]
  ) {
    let (id, kind, params) = (fault.fault, fault.kind, fault.params.node)
    let isFlapping = kind == "disconnect" && params?["flap"] != nil
    let voice = Self.voice(of: kind, params)
    active.append((id, kind, isFlapping, voice))
    // A plain cut is reported when the link goes down, in the same instant, unless it is down already.
    // The device's own lines report what happens to it.
    let isReported = FaultWords.isReportedByDevice(kind)
    guard !isReported, kind != "disconnect" || isFlapping || isDown(place) else { return }
    var text = words.beginning(id, kind: kind, params: params)
    if kind == "disconnect", !isFlapping {
      text = "one more cut while \(Self.name(place)) is down" + words.remark(id, kind: kind)
    }
    lines.add(time, voice, text, .trouble)
  }

  /// The device of a fault that acts on one, or the link.
  private static func voice(of kind: String, _ params: JSONNode?) -> StoryLine.Voice {
    guard FaultCatalog.nodeFaults.contains(where: { $0.kind == kind }) else { return .link }
    return params?["node"]?.text.flatMap(StoryLine.Voice.init(rawValue:)) ?? .link
  }

  private mutating func end(_ ended: FaultEnded, _ time: VirtualTime, into lines: inout [StoryLine]) {
    let (id, kind) = (ended.fault, ended.kind)
    let fault = active.first { $0.id == id }
    active.removeAll { $0.id == id }
    guard !FaultWords.isReportedByDevice(kind), kind != "disconnect" || fault?.isFlapping == true else { return }
    lines.add(time, fault?.voice ?? .link, words.ending(id, kind: kind), .relief)
  }

  private func isDown(_ place: TraceEvent.Place) -> Bool { (place == .uplink ? uplinkDownSince : downSince) != nil }

  private static func name(_ place: TraceEvent.Place) -> String {
    place == .uplink ? "the way to the cloud" : "the link"
  }

  private mutating func cut(
    _ id: String, _ time: VirtualTime, _ place: TraceEvent.Place, into lines: inout [StoryLine]
  ) {
    if place == .uplink { uplinkDownSince = time } else { downSince = time }
    let fault = active.first { $0.id == id }
    guard fault?.isFlapping != true else { return }
    let remark = fault.map { words.remark(id, kind: $0.kind) } ?? ""
    lines.add(time, .link, "\(Self.name(place)) is cut\(remark)", .trouble)
  }

  private mutating func restore(
    _ id: String, _ time: VirtualTime, _ place: TraceEvent.Place, into lines: inout [StoryLine]
  ) {
    let since = place == .uplink ? uplinkDownSince : downSince
    if place == .uplink { uplinkDownSince = nil } else { downSince = nil }
    guard active.first(where: { $0.id == id })?.isFlapping != true else { return }
    let length = since.map { " after \(StoryText.length(time - $0))" } ?? ""
    lines.add(time, .link, "\(Self.name(place)) is back\(length)", .relief)
  }

  private func reach(
    _ change: ReachabilityChanged, _ time: VirtualTime, _ place: TraceEvent.Place, into lines: inout [StoryLine]
  ) {
    let (voice, peer) = place == .watch ? (StoryLine.Voice.watch, "phone") : (.phone, "watch")
    let why =
      switch change.cause {
      case "supervision": ": the radio has heard nothing for too long"
      case "reconnect": " again"
      default: ""
      }
    let silence = change.told == false ? ", and its app gets no callback" : ""
    let text = (change.reachable ? "reaches the \(peer)" : "no longer reaches the \(peer)") + why + silence
    lines.add(time, voice, text, .quiet)
  }

  private mutating func missWatch(_ alarm: LivenessLost, _ time: VirtualTime, into lines: inout [StoryLine]) {
    isWatchSilent = true
    lastHeard = alarm.lastFresh.flatMap(Self.moment)
    let text =
      lastHeard.map {
        "says that the watch is silent: not a word for \(StoryText.length(time - $0)), the last one at "
          + StoryText.clock($0)
      } ?? "says that the watch is silent: nothing since the workout began"
    lines.add(time, .phone, text, .trouble)
  }

  private mutating func hearWatch(_ relief: LivenessRegained, _ time: VirtualTime, into lines: inout [StoryLine]) {
    isWatchSilent = false
    let isEnd = relief.reason == "ended"
    var text = isEnd ? "no longer waits for the watch: the workout has ended" : "hears the watch again"
    if let lastHeard, !isEnd { text += " after \(StoryText.length(time - lastHeard, places: 1)) of silence" }
    lines.add(time, .phone, text, .relief)
  }

  /// When the phone last heard the watch, according to a line of the trace.
  private static func moment(_ lastFresh: JSONText) -> VirtualTime? {
    lastFresh.node?["t"]?.integer.map { VirtualTime(nanoseconds: $0) }
  }
}

/// The thread of items that an app could not send, and of rare events, whose kinds have a sentence of their own.
struct TrafficChapter: StoryChapter {
  /// The same trouble within this time is reported once; the summary counts it.
  private static let pause = VirtualTime.Span.seconds(60)

  /// When each trouble was last reported; lookup only.
  private var reportedAt: [String: VirtualTime] = [:]

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard event.place == .watch || event.place == .phone else { return }
    switch event.body {
    case .messageRefused(let message):
      // Snapshots are sent every second, and the summary counts those that were not.
      guard message.kind != "liveMetrics" else { return }
      addLine(event, "cannot send \(quoted(message.kind)): \(TerminalText.escape(message.error))", into: &lines)
    case .messageFailed(let message):
      addLine(
        event, "its message \(quoted(message.kind)) fails: \(TerminalText.escape(message.error))", into: &lines)
    case .transferFailed(let transfer):
      addLine(
        event, "its transfer \(quoted(transfer.kind)) fails: \(TerminalText.escape(transfer.error))", into: &lines)
    default:
      guard let sentence = EventCatalog.entry(event.name)?.sentence?(event.fields) else { return }
      addLine(event, TerminalText.escape(sentence.text), sentence.isRelief ? .relief : .trouble, into: &lines)
    }
  }

  private func quoted(_ kind: String?) -> String { kind.map { "\"\(TerminalText.escape($0))\"" } ?? "" }

  private mutating func addLine(
    _ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone = .trouble, into lines: inout [StoryLine]
  ) {
    let text = text.replacing("  ", with: " ")
    let key = "\(event.place.text) \(text)"
    if let last = reportedAt[key], event.time - last < Self.pause { return }
    // A user's node may produce any number of different failures.
    if reportedAt.count >= 1_000 { reportedAt.removeAll() }
    reportedAt[key] = event.time
    lines.add(event, text, tone)
  }
}
