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
    var to: NodeRole
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
  private var messages: [MessageNumber: Int] = [:]
  private var published: [MessageNumber.Stamp: Int] = [:]
  private var fresh: [MessageNumber.Stamp: Int] = [:]
  private var queued: [Identifier: Int] = [:]
  private var lastFrame: [Identifier: Int] = [:]
  private var lastFate: [Identifier: Int] = [:]
  /// The last delivery of each transfer's frames at this instant.
  private var arrivedNow: [Identifier: Int] = [:]
  /// What became of each frame: its last copy's line, and of each voice note: its transfer's line.
  private var fates: [Int64: Int] = [:]
  private var notes: [Identifier: Int] = [:]
  /// The first frame of a transfer that was lost.
  private var firstLoss: [Identifier: Int] = [:]
  private var begun: [String: Int] = [:]
  private var dispatched: [String: Int] = [:]
  private var started: [Int64: Int] = [:]
  private var requested: [String: Int] = [:]
  private var nodeChanged: [NodeRole: Int] = [:]
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
  /// What apps may answer; nil for a search.
  private var arrivals: AppArrivals?
  /// How many of the causes of the last event may be the one that made an app act.
  private(set) var candidateCount = 0
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
    arrivals = header.map { AppArrivals($0) }
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
      arrivedNow.removeAll(keepingCapacity: true)
    }
    var seen = Set<Int>()
    // A trace may quote any number as a line.
    let candidates = arrivals?.candidates(for: event)
    candidateCount = candidates?.count ?? 0
    let direct = candidates.map { $0.isEmpty ? known(starts[event.place]) : $0 } ?? causes(of: event)
    let causes = (known(clocks?.cause(of: event)) + direct).filter {
      $0 >= 1 && $0 < line && seen.insert($0).inserted
    }
    arrivals?.observe(event, line: line)
    clocks?.observe(event, line: line)
    deafness?.observe(event, line: line)
    record(event, line)
    return causes
  }

  private func causes(of event: TraceEvent) -> [Int] {
    switch event.body {
    case .frameSent(let frame): return causesOfSending(frame, event)
    case .frameDelivered(let frame): return causesOfPassage(frame.id, event.time)
    case .frameDuplicated(let frame): return causesOfPassage(frame.id, event.time)
    case .frameDropped(let frame): return causesOfLoss(frame, event.place)
    case .messageReceived(let message): return causesOfReceipt(message, event)
    case .messageFailed(let message):
      let key = MessageNumber(from: event.place, stamp: MessageNumber.Stamp(message.epoch, message.seq))
      return known(messages[key], unreachable[event.place])
    case .messageRefused: return known(unreachable[event.place], own(event))
    case .snapshotFresh: return known(input(event, ["message.received"]) ?? arrival(event))
    case .snapshotStale(let stale):
      let skew = stale.why == .late ? active.first { $0.kind == "clockSkew" }?.line : nil
      return known(input(event, ["message.received"]) ?? arrival(event), skew)
    case .voiceReceived(let voice):
      return known(input(event) ?? starts[event.place], isStrict ? notes[voice.note] : own(event))
    case .livenessDisconnected: return known(lastFresh, lossSinceFresh, cutSinceFresh)
    case .livenessReconnected: return known(input(event, ["snapshot.fresh", "run.state"]), lastSilence)
    case .linkDown(let down): return known(begun[down.cause])
    case .linkUp(let up): return known(begun[up.cause])
    case .faultBegin where isStrict: return []
    case .faultEnd(let fault): return known(begun[fault.fault])
    case .reachability(let change): return causesOfReachability(change.cause, event)
    case .nodeKilled, .nodeSuspended, .nodeResumed: return known(own(event, .runner))
    case .nodeStarted(let start): return known(nodeChanged[start.target])
    case .scriptDispatch(let line): return causesOfDecision(line.rank.message, line.figures, event)
    case .scriptExpired(let line): return causesOfDecision(line.rank.message, line.figures, event)
    case .scriptSkipped(let line): return causesOfDecision(line.message, line.figures, event)
    case .audioStart(let audio): return known(dispatched[audio.message])
    case .audioEnd(let audio): return known(started[audio.utterance])
    case .audioInterrupted(let audio): return known(silenced, started[audio.utterance])
    case .transferQueued, .scriptLoaded, .audioDuck, .audioUnduck: return known(own(event), input(event))
    case .violation(let violation): return quoted(violation.lines, of: violation)
    case .expectation(let expectation): return quoted(expectation.lines)
    case .audioInterruptionBegan, .audioInterruptionEnded: return known(own(event), input(event))
    case .other(let other): return causes(of: other.kind, event)
    default: return causesOfOtherEvent(event)
    }
  }

  private func causes(of kind: any TraceEventKind, _ event: TraceEvent) -> [Int] {
    switch kind {
    case is MessageDuplicate: known(arrival(event), input(event))
    case is NodeRestarted: known(own(event, .runner))
    case let loss as PowerLost: known(nodeChanged[loss.target] ?? own(event))
    case let change as ScriptBranched: known(dispatched[change.message])
    case let dropped as AudioDropped: known(silenced, dispatched[dropped.message])
    case is AudioMuted, is AudioUnmuted: known(own(event), input(event))
    default: causesOfOtherEvent(event)
    }
  }

  /// The causes of any other event: of a transfer, of an answer, or by its place and instant.
  private func causesOfOtherEvent(_ event: TraceEvent) -> [Int] {
    let name = event.name.text
    if name.hasPrefix("transfer.") {
      let transfer = event.identifier("transfer")
      let arrived = transfer.flatMap { arrivedNow[$0] } ?? arrival(event)
      return known(arrived ?? transfer.flatMap { lastFate[$0] }, transfer.flatMap { queued[$0] })
    }
    let input = input(event)
    if name.hasPrefix("ai."), name != "ai.requested", let id = event["id"]?.text, let line = requested[id] {
      return known(input, line)
    }
    return known(input ?? own(event) ?? starts[event.place], input == nil ? nil : own(event, isBeside: true))
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

  /// The sending of a frame, and the faults that held it back.
  private func causesOfPassage(_ id: Int64, _ time: VirtualTime) -> [Int] {
    guard let frame = sent[id] else { return [] }
    return [frame.line] + (isStrict && time - frame.time > .seconds(1) ? frame.delaying : [])
  }

  /// The last cut of the link, unless it was over before the last fresh snapshot.
  private var cutSinceFresh: Int? {
    guard let cut = cut[.link], let up = restored[.link], let lastFresh, up > cut, up < lastFresh else {
      return cut[.link]
    }
    return nil
  }

  private func known(_ lines: Int?...) -> [Int] { lines.compactMap(\.self) }

  /// The last input of this instant at the event's node.
  private func input(_ event: TraceEvent, _ names: [String]? = nil) -> Int? {
    inputs.last { $0.place == event.place && (names?.contains($0.name) ?? true) }?.line
  }

  /// The frame that arrived last at this instant at the event's node.
  private func arrival(_ event: TraceEvent) -> Int? { input(event, ["frame.delivered"]) }

  /// The frame that brought a message: of several at one instant its own.
  private func causesOfReceipt(_ message: MessageReceived, _ event: TraceEvent) -> [Int] {
    let key = MessageNumber(from: message.from.place, stamp: MessageNumber.Stamp(message.epoch, message.seq))
    guard let line = messages[key], let frame = frameLines[line], let fate = fates[frame] else {
      return known(arrival(event), input(event))
    }
    return [fate]
  }

  private func causesOfSending(_ frame: FrameSent, _ event: TraceEvent) -> [Int] {
    if let transfer = frame.transfer, let line = queued[transfer] {
      return frame.attempt == nil ? [line] : known(firstLoss[transfer] ?? lastFrame[transfer], line)
    }
    if event.place == .watch, frame.channel == .message, frame.kind == .data,
      let line = published[MessageNumber.Stamp(frame.epoch, frame.seq)]
    {
      return [line]
    }
    return known(lastOwn[event.place]?.line ?? input(event) ?? starts[event.place])
  }

  private func causesOfLoss(_ lost: FrameDropped, _ place: TraceEvent.Place) -> [Int] {
    let frame = sent[lost.id]
    let why: Int? =
      switch lost.cause {
      case .disconnected: cut[place]
      case .nodeDown, .suspended: frame.flatMap { nodeChanged[$0.to] }
      default: nil
      }
    return known(lost.fault.flatMap { begun[$0] }, why, frame?.line)
  }

  private func causesOfReachability(_ cause: String, _ event: TraceEvent) -> [Int] {
    switch cause {
    case "supervision": known(cut[.link])
    case "reconnect": known(restored[.link])
    default: known(quirks[cause], input(event))
    }
  }

  /// What led to a decision of the coach: the snapshot at which it was made, and the request for an answer.
  private func causesOfDecision(_ message: String, _ figures: SnapshotFigures, _ event: TraceEvent) -> [Int] {
    let stamp = figures.epoch.flatMap { epoch in figures.seq.map { MessageNumber.Stamp(epoch, $0) } }
    return known(stamp.flatMap { fresh[$0] } ?? input(event), requested[message])
  }

  private func quoted(_ text: JSONText, of violation: ViolationFound? = nil) -> [Int] {
    let lines = text.wholeNumbers
    // What became of a quoted frame says more than its sending; what is quoted of the end is no cause.
    return lines.reversed().filter { $0 <= lastBeforeEnd }.map { frameLines[$0].flatMap { fates[$0] } ?? $0 }
      + known(violation.flatMap { unreported($0, lines) })
  }

  /// What kept the watch from being heard in a silence that the phone did not report.
  private func unreported(_ violation: ViolationFound, _ lines: [Int]) -> Int? {
    guard violation.invariant == "liveness-deadline", silences.isDisjoint(with: lines) else { return nil }
    let deadline = VirtualTime(nanoseconds: violation.t0)
    let since = VirtualTime(nanoseconds: max(0, violation.t0 -| LivenessMonitor.silenceMax.nanoseconds))
    return deafness?.reason(from: since, to: deadline)?.line
  }

  // MARK: What later lines refer to

  private mutating func record(_ event: TraceEvent, _ line: Int) {
    let place = event.place
    switch event.body {
    case .frameSent(let frame): recordSending(frame, event, line)
    case .frameDelivered(let frame): recordFate(frame.id, wasLost: false, line)
    case .frameDropped(let frame): recordFate(frame.id, wasLost: true, line)
    case .snapshot(let snapshot): published[MessageNumber.Stamp(snapshot.metrics)] = line
    case .ghostSnapshot(let snapshot): published[MessageNumber.Stamp(snapshot.metrics)] = line
    case .snapshotFresh(let snapshot):
      fresh[MessageNumber.Stamp(snapshot.metrics)] = line
      (lastFresh, lossSinceFresh) = (line, nil)
    case .livenessDisconnected:
      lastSilence = line
      silences.insert(line)
    case .transferQueued(let transfer):
      queued[transfer.identity.transfer] = line
      if let note = transfer.details.note { notes[note] = line }
    case .faultBegin(let fault):
      begun[fault.fault] = line
      active.append(Active(id: fault.fault, kind: fault.kind, line: line, isOnUplink: place == .uplink))
      quirks[fault.kind] = line
    case .linkDown: cut[place] = line
    case .linkUp: restored[place] = line
    case .reachability(let change): unreachable[place] = change.reachable ? nil : line
    case .scriptDispatch(let dispatch): dispatched[dispatch.rank.message] = line
    case .audioStart(let audio): started[audio.utterance] = line
    case .audioInterruptionBegan: silenced = line
    case .aiRequested(let request): requested[request.id.text] = line
    case .faultEnd(let fault): active.removeAll { $0.id == fault.fault }
    case .voiceRecorded(let voice): notes[voice.note] = line
    case .other(let other):
      switch other.kind {
      case is AudioMuted: silenced = line
      case let restart as NodeRestarted: nodeChanged[restart.target] = line
      default: break
      }
    default: if let node = event.body.nodeChange?.target { nodeChanged[node] = line }
    }
    recordOrder(event, line)
  }

  /// Records what the order within an instant says.
  private mutating func recordOrder(_ event: TraceEvent, _ line: Int) {
    let (place, name) = (event.place, event.name.text)
    if name != "expectation", name != "violation", name != "end" { lastBeforeEnd = line }
    switch place {
    case .link, .uplink: break
    default:
      guard name != "frame.sent", !isStrict || name != "message.refused" else { break }
      let last = lastOwn[place]
      lastOwn[place] = (line, name, last?.name == name ? last?.before : last?.line)
    }
    if isStrict, case .nodeStarted(let start) = event.body { starts[start.target.place] = line }
    guard place == .watch || place == .phone || place == .edge else { return }
    switch event.body {
    case .messageReceived, .snapshotFresh, .snapshotStale, .transferDelivered, .contextReceived, .workoutState,
      .aiReply, .aiFallback, .aiCached, .runState, .edgeRequest:
      inputs.append(Input(line: line, place: place, name: name))
    default: break
    }
  }

  private mutating func recordSending(_ frame: FrameSent, _ event: TraceEvent, _ line: Int) {
    sent[frame.id] = Sent(
      line: line, from: event.place, to: frame.to, transfer: frame.transfer, time: event.time,
      delaying: active.filter { holdsBack($0, frame, from: event.place) }.map(\.line))
    frameLines[line] = frame.id
    if let transfer = frame.transfer { lastFrame[transfer] = line }
    if frame.channel == .message, frame.kind == .data {
      messages[MessageNumber(from: event.place, stamp: MessageNumber.Stamp(frame.epoch, frame.seq))] = line
    }
  }

  /// Whether a fault may hold a frame back: by its kind, its link, its channels and its direction.
  private func holdsBack(_ fault: Active, _ frame: FrameSent, from place: TraceEvent.Place) -> Bool {
    let isOnUplink = place == .edge || frame.to == .edge
    guard Self.delayingKinds.contains(fault.kind), fault.isOnUplink == isOnUplink else { return false }
    guard let planned = words.planned(fault.id) else { return true }
    let direction = "\(place.text)-to-\(frame.to.text)"
    return (planned.channels.isEmpty || planned.channels.contains(frame.channel.text))
      && (planned.direction ?? direction) == direction
  }

  private static let delayingKinds: Set<String> = [
    "delay", "reorder", "bandwidth", "batch", "queueStall", "contextCongestion",
  ]

  private mutating func recordFate(_ id: Int64, wasLost: Bool, _ line: Int) {
    guard let frame = sent[id] else { return }
    fates[id] = line
    if let transfer = frame.transfer { lastFate[transfer] = line }
    guard wasLost else {
      if let transfer = frame.transfer { arrivedNow[transfer] = line }
      return inputs.append(Input(line: line, place: frame.to.place, name: "frame.delivered"))
    }
    if let transfer = frame.transfer, firstLoss[transfer] == nil { firstLoss[transfer] = line }
    if frame.from == .watch, lossSinceFresh == nil { lossSinceFresh = line }
  }
}
