import CoachProtocol
import Console
package import Link
import PhoneSim

/// Finds the causes of each line of a trace among the lines before it.
///
/// Causes come from ids that the trace has (frames, transfers, snapshots, faults, utterances, requests), and from the
/// order within one instant: a node's lines follow the input that they answer.
package struct CauseFinder {
  private struct Sent {
    var line: Int
    var from: TraceEvent.Place
    var to: String
    var transfer: Identifier?
    var time: VirtualTime
    /// The faults on at its sending that may hold it back, by the lines of their beginnings.
    var delaying: [Int]
  }

  /// A fault that is on.
  private struct Active {
    var id: String
    var kind: String
    var line: Int
    var isOnUplink: Bool
  }

  /// A message by its sender and number.
  private struct MessageKey: Hashable {
    var from: TraceEvent.Place
    var stamp: Stamp
  }

  private struct Stamp: Hashable {
    var epoch: Int64
    var seq: Int64
  }

  /// An input that a node may answer at this instant.
  private struct Input {
    var line: Int
    var place: TraceEvent.Place
    var name: String
  }

  private var now = VirtualTime.start
  private var inputs: [Input] = []
  /// The nodes that were started at this instant.
  private var starts: [TraceEvent.Place: Int] = [:]
  /// The last line of each place at this instant, frames excluded, and the one before it of another name: lines of one
  /// name in a row are siblings, not causes of each other.
  private var lastOwn: [TraceEvent.Place: (line: Int, name: String, before: Int?)] = [:]

  // By id; lookup only.
  private var sent: [Int64: Sent] = [:]
  private var messages: [MessageKey: Int] = [:]
  private var published: [Stamp: Int] = [:]
  private var fresh: [Stamp: Int] = [:]
  private var queued: [Identifier: Int] = [:]
  private var lastFrame: [Identifier: Int] = [:]
  private var lastFate: [Identifier: Int] = [:]
  /// What became of each frame: its last copy's line, and of each voice note: its transfer's line.
  private var fates: [Int64: Int] = [:]
  private var notes: [Identifier: Int] = [:]
  /// The first frame of a transfer that was lost.
  private var firstLoss: [Identifier: Int] = [:]
  private var begun: [String: Int] = [:]
  private var dispatched: [String: Int] = [:]
  private var started: [Int64: Int] = [:]
  private var requested: [String: Int] = [:]
  private var nodeChanged: [String: Int] = [:]
  private var cut: [TraceEvent.Place: Int] = [:]
  private var restored: [TraceEvent.Place: Int] = [:]
  private var unreachable: [TraceEvent.Place: Int] = [:]
  private var silenced: Int?
  private var lastFresh: Int?
  private var lastSilence: Int?
  private var silences: Set<Int> = []
  /// The first frame from the watch that was lost since the last fresh snapshot.
  private var lossSinceFresh: Int?
  private var quirks: [String: Int] = [:]
  private var active: [Active] = []
  /// What set clocks back, and why the watch was not heard; nil for a search.
  private var clocks: ClockChanges?
  private var deafness: Deafness?
  /// The frames by the lines of their sending, for lookup only.
  private var frameLines: [Int: Int64] = [:]
  /// The last line before the verdicts.
  private var lastBeforeEnd = 0
  private let words: FaultWords

  /// Whether only what a reader may take for a cause counts: a search follows any line of the same instant, too.
  private let isStrict: Bool

  /// - Parameter header: The first line of the trace; nil for a search, which wants more than causes.
  package init(header: TraceHeader?) {
    words = FaultWords(header?.faults ?? JSONNode(.array([])))
    isStrict = header != nil
    clocks = isStrict ? ClockChanges() : nil
    deafness = header.map { Deafness($0) }
  }

  /// Observes the next event, which is on line `line` of the trace.
  ///
  /// - Returns: The lines of its direct causes, the most important first; empty if none is known.
  package mutating func observe(_ event: TraceEvent, line: Int) -> [Int] {
    if event.time != now {
      now = event.time
      inputs.removeAll(keepingCapacity: true)
      starts.removeAll(keepingCapacity: true)
      lastOwn.removeAll(keepingCapacity: true)
    }
    var seen = Set<Int>()
    // A trace may quote any number as a line.
    let causes = (known(clocks?.cause(of: event)) + causes(of: event)).filter {
      $0 >= 1 && $0 < line && seen.insert($0).inserted
    }
    clocks?.observe(event, line: line)
    deafness?.observe(event, line: line)
    record(event, line)
    return causes
  }

  private func causes(of event: TraceEvent) -> [Int] {
    let name = event.name.text
    switch name {
    case "frame.sent": return causesOfSending(event)
    case "frame.delivered", "frame.duplicated": return known(frame(event)?.line) + causesOfDelay(event)
    case "frame.dropped": return causesOfLoss(event)
    case "message.received", "message.duplicate": return known(arrival(event), input(event))
    case "message.failed":
      return known(lastSent(event), unreachable[event.place])
    case "message.refused": return known(unreachable[event.place], own(event))
    case "snapshot.fresh": return known(input(event, ["message.received"]) ?? arrival(event))
    case "snapshot.stale":
      let skew = event.text("why") == "late" ? active.first { $0.kind == "clockSkew" }?.line : nil
      return known(input(event, ["message.received"]) ?? arrival(event), skew)
    case "voice.received":
      return known(
        input(event) ?? starts[event.place], isStrict ? event.identifier("note").flatMap { notes[$0] } : own(event))
    case "liveness.disconnected": return known(lastFresh, lossSinceFresh, cutSinceFresh)
    case "liveness.reconnected": return known(input(event, ["snapshot.fresh", "run.state"]), lastSilence)
    case "link.down", "link.up": return known(event.text("cause").flatMap { begun[$0] })
    case "fault.begin" where isStrict: return []
    case "fault.end": return known(event.text("fault").flatMap { begun[$0] })
    case "reachability": return causesOfReachability(event)
    case "node.killed", "node.suspended", "node.resumed", "node.restarted": return known(own(event, .runner))
    case "node.started": return known(event.text("target").flatMap { nodeChanged[$0] })
    case "power.lost": return known(event.text("target").flatMap { nodeChanged[$0] } ?? own(event))
    case "violation", "expectation": return quoted(event)
    default:
      if name.hasPrefix("transfer.") { return causesOfTransfer(event, name) }
      if name.hasPrefix("script.") || name.hasPrefix("audio.") { return causesOfSpeech(event, name) }
      if name.hasPrefix("ai."), name != "ai.requested", let id = event["id"]?.text, let line = requested[id] {
        return known(input(event), line)
      }
      return known(
        input(event) ?? own(event) ?? starts[event.place], input(event) == nil ? nil : own(event, isBeside: true))
    }
  }

  /// The node's last line at this instant with another name; nil if there is none.
  ///
  /// - Parameter isBeside: Whether an input is known, so that only a change of the connection counts.
  private func own(_ event: TraceEvent, _ place: TraceEvent.Place? = nil, isBeside: Bool = false) -> Int? {
    guard let last = lastOwn[place ?? event.place] else { return nil }
    guard isStrict else { return last.line }
    if isBeside { return last.name == "reachability" || last.name.hasPrefix("liveness.") ? last.line : nil }
    return last.name == event.name.text ? last.before : last.line
  }

  /// The faults that held a frame back.
  private func causesOfDelay(_ event: TraceEvent) -> [Int] {
    guard isStrict, let frame = frame(event), event.time - frame.time > .seconds(1) else { return [] }
    return frame.delaying
  }

  /// The last cut of the link, unless it was over before the last fresh snapshot.
  private var cutSinceFresh: Int? {
    guard let cut = cut[.link], let up = restored[.link], let lastFresh, up > cut, up < lastFresh else {
      return cut[.link]
    }
    return nil
  }

  private func known(_ lines: Int?...) -> [Int] { lines.compactMap(\.self) }

  private func frame(_ event: TraceEvent) -> Sent? { event["id"]?.integer.flatMap { sent[$0] } }

  /// The last input of this instant at the event's node.
  private func input(_ event: TraceEvent, _ names: [String]? = nil) -> Int? {
    inputs.last { $0.place == event.place && (names?.contains($0.name) ?? true) }?.line
  }

  /// The frame that arrived last at this instant at the event's node.
  private func arrival(_ event: TraceEvent) -> Int? { input(event, ["frame.delivered"]) }

  /// The line of the last frame with an event's number that its node sent.
  private func lastSent(_ event: TraceEvent) -> Int? {
    Self.stamp(event).flatMap { messages[MessageKey(from: event.place, stamp: $0)] }
  }

  private func causesOfSending(_ event: TraceEvent) -> [Int] {
    if let transfer = event.identifier("transfer"), let line = queued[transfer] {
      return event["attempt"] == nil ? [line] : known(firstLoss[transfer] ?? lastFrame[transfer], line)
    }
    if event.place == .watch, event.text("channel") == "message", let stamp = Self.stamp(event),
      let line = published[stamp], event.text("kind") == "data"
    {
      return [line]
    }
    return known(lastOwn[event.place]?.line ?? input(event) ?? starts[event.place])
  }

  private func causesOfLoss(_ event: TraceEvent) -> [Int] {
    let frame = frame(event)
    let why: Int? =
      switch event.text("cause") {
      case "disconnected": cut[event.place]
      case "nodeDown", "suspended": frame.flatMap { nodeChanged[$0.to] }
      default: nil
      }
    return known(event.text("fault").flatMap { begun[$0] }, why, frame?.line)
  }

  private func causesOfReachability(_ event: TraceEvent) -> [Int] {
    switch event.text("cause") {
    case "supervision": known(cut[.link])
    case "reconnect": known(restored[.link])
    case let cause?: known(quirks[cause], input(event))
    case nil: known(input(event))
    }
  }

  private func causesOfTransfer(_ event: TraceEvent, _ name: String) -> [Int] {
    guard name != "transfer.queued" else { return known(own(event), input(event)) }
    let transfer = event.identifier("transfer")
    let origin = transfer.flatMap { queued[$0] }
    let arrived = input(event, ["frame.delivered"]) ?? transfer.flatMap { lastFate[$0] }
    return known(arrived, origin)
  }

  private func causesOfSpeech(_ event: TraceEvent, _ name: String) -> [Int] {
    let message = event.text("message")
    switch name {
    case "script.dispatch", "script.expired", "script.skipped":
      return known(
        Self.stamp(event).flatMap { fresh[$0] } ?? input(event), event.text("message").flatMap { requested[$0] })
    case "script.branch": return known(message.flatMap { dispatched[$0] })
    case "audio.start": return known(message.flatMap { dispatched[$0] })
    case "audio.end", "audio.interrupted":
      let begin = event["utterance"]?.integer.flatMap { started[$0] }
      return name == "audio.end" ? known(begin) : known(silenced, begin)
    case "audio.dropped": return known(silenced, message.flatMap { dispatched[$0] })
    default: return known(own(event), input(event))
    }
  }

  private func quoted(_ event: TraceEvent) -> [Int] {
    let lines = (StoryJSON.node(event["lines"])?.elements ?? []).compactMap { $0.double.flatMap { Int(exactly: $0) } }
    // What became of a quoted frame says more than its sending; what is quoted of the end is no cause.
    return lines.reversed().filter { $0 <= lastBeforeEnd }.map { frameLines[$0].flatMap { fates[$0] } ?? $0 }
      + known(unreported(event, lines))
  }

  /// What kept the watch from being heard in a silence that the phone did not report.
  private func unreported(_ event: TraceEvent, _ lines: [Int]) -> Int? {
    guard event.text("invariant") == "liveness-deadline", silences.isDisjoint(with: lines),
      let at = event["t0"]?.integer
    else { return nil }
    let deadline = VirtualTime(nanoseconds: at)
    let since = VirtualTime(nanoseconds: max(0, at -| LivenessMonitor.silenceMax.nanoseconds))
    return deafness?.reason(from: since, to: deadline)?.line
  }

  private static func stamp(_ event: TraceEvent) -> Stamp? {
    guard let epoch = event["epoch"]?.integer, let seq = event["seq"]?.integer else { return nil }
    return Stamp(epoch: epoch, seq: seq)
  }

  // MARK: What later lines refer to

  private mutating func record(_ event: TraceEvent, _ line: Int) {
    let name = event.name.text
    switch name {
    case "frame.sent": recordSending(event, line)
    case "frame.delivered", "frame.dropped": recordFate(event, line)
    case "snapshot", "ghost.snapshot": if let stamp = Self.stamp(event) { published[stamp] = line }
    case "snapshot.fresh":
      if let stamp = Self.stamp(event) { fresh[stamp] = line }
      (lastFresh, lossSinceFresh) = (line, nil)
    case "liveness.disconnected":
      lastSilence = line
      silences.insert(line)
    case "transfer.queued":
      if let transfer = event.identifier("transfer") { queued[transfer] = line }
      if let note = event.identifier("note") { notes[note] = line }
    case "fault.begin":
      if let id = event.text("fault") {
        begun[id] = line
        active.append(
          Active(id: id, kind: event.text("kind") ?? "", line: line, isOnUplink: event.place == .uplink))
      }
      if let kind = event.text("kind") { quirks[kind] = line }
    case "link.down": cut[event.place] = line
    case "link.up": restored[event.place] = line
    case "reachability": unreachable[event.place] = event["reachable"]?.boolean == false ? line : nil
    case "script.dispatch": if let message = event.text("message") { dispatched[message] = line }
    case "audio.start": if let utterance = event["utterance"]?.integer { started[utterance] = line }
    case "audio.mute", "audio.interruption": silenced = line
    case "ai.requested": if let id = event["id"]?.text { requested[id] = line }
    case "fault.end": active.removeAll { $0.id == event.text("fault") }
    case "voice.recorded": if let note = event.identifier("note") { notes[note] = line }
    default: if name.hasPrefix("node."), let target = event.text("target") { nodeChanged[target] = line }
    }
    if name != "expectation", name != "violation", name != "end" { lastBeforeEnd = line }
    switch event.place {
    case .link, .uplink: break
    default:
      guard name != "frame.sent", !isStrict || name != "message.refused" else { break }
      let last = lastOwn[event.place]
      lastOwn[event.place] = (line, name, last?.name == name ? last?.before : last?.line)
    }
    if isStrict, name == "node.started", let place = Self.device(event.text("target")) {
      starts[place] = line
    }
    if event.place == .watch || event.place == .phone || event.place == .edge {
      switch name {
      case "message.received", "snapshot.fresh", "snapshot.stale", "transfer.delivered", "context.received",
        "workout.state", "ai.reply", "ai.fallback", "ai.cached", "run.state", "edge.request":
        inputs.append(Input(line: line, place: event.place, name: name))
      default: break
      }
    }
  }

  private mutating func recordSending(_ event: TraceEvent, _ line: Int) {
    guard let id = event["id"]?.integer else { return }
    let transfer = event.identifier("transfer")
    sent[id] = Sent(
      line: line, from: event.place, to: event.text("to") ?? "", transfer: transfer, time: event.time,
      delaying: active.filter { holdsBack($0, event) }.map(\.line))
    frameLines[line] = id
    if let transfer { lastFrame[transfer] = line }
    if event.text("channel") == "message", event.text("kind") == "data", let stamp = Self.stamp(event) {
      messages[MessageKey(from: event.place, stamp: stamp)] = line
    }
  }

  /// Whether a fault may hold a frame back: by its kind, its link, its channels and its direction.
  private func holdsBack(_ fault: Active, _ frame: TraceEvent) -> Bool {
    let isOnUplink = frame.place == .edge || frame.text("to") == "edge"
    guard Self.delayingKinds.contains(fault.kind), fault.isOnUplink == isOnUplink else { return false }
    guard let planned = words.planned(fault.id) else { return true }
    let direction = "\(frame.place.text)-to-\(frame.text("to") ?? "")"
    return (planned.channels.isEmpty || planned.channels.contains(frame.text("channel") ?? ""))
      && (planned.direction ?? direction) == direction
  }

  private static let delayingKinds: Set<String> = [
    "delay", "reorder", "bandwidth", "batch", "queueStall", "contextCongestion",
  ]

  static func device(_ name: String?) -> TraceEvent.Place? {
    switch name {
    case "watch": .watch
    case "phone": .phone
    case "edge": .edge
    default: nil
    }
  }

  private mutating func recordFate(_ event: TraceEvent, _ line: Int) {
    guard let frame = frame(event) else { return }
    if let id = event["id"]?.integer { fates[id] = line }
    if let transfer = frame.transfer { lastFate[transfer] = line }
    if event.name.text == "frame.dropped" {
      if let transfer = frame.transfer, firstLoss[transfer] == nil { firstLoss[transfer] = line }
      if frame.from == .watch, lossSinceFresh == nil { lossSinceFresh = line }
      return
    }
    if let place = Self.device(frame.to) { inputs.append(Input(line: line, place: place, name: "frame.delivered")) }
  }
}
