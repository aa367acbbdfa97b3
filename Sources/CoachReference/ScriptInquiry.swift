package import Link

/// Follows a trace and records, for each line of the script and each snapshot, what kept the line back.
///
/// It computes from the trace alone, with the checkers' own reading of the script and not the engine's.
package struct ScriptInquiry: Sendable {
  /// The time between two snapshots after which the phone counts as deaf, and a stretch is not continued.
  package static let gapMax = VirtualTime.Span.seconds(3)

  /// One decision of the phone about a line.
  private struct Decision {
    let id: String
    let isDispatch: Bool
    let event: EventBody
    let place: Occurrence
  }

  private var reference: ReferenceRun
  private var isOpen = false
  private var decisions: [Decision] = []
  private var lastDispatched = ""
  private var previous: VirtualTime?
  private var histories: [LineHistory] = []
  /// By id; lookup only.
  private var indices: [String: Int] = [:]

  package init(header: TraceHeader) { reference = ReferenceRun(header: header) }

  /// Observes the next event, which is on line `line` of the trace.
  package mutating func observe(_ source: TraceEvent, line: Int) {
    guard source.catalogIndex != nil else { return }
    let place = Occurrence(source, line: line)
    if isOpen, closes(source) { evaluate() }
    switch source.body {
    case .snapshotFresh(let snapshot):
      reference.observe(snapshot, at: place)
      isOpen = reference.isSnapshot(on: line)
    case .scriptDispatch(let it):
      observe(Decision(id: it.rank.message, isDispatch: true, event: source.body, place: place))
    case .scriptExpired(let it):
      observe(Decision(id: it.rank.message, isDispatch: false, event: source.body, place: place))
    default: reference.observe(source.body, at: place)
    }
  }

  /// Whether a line shows that the phone has finished with the last snapshot.
  private func closes(_ event: TraceEvent) -> Bool {
    let isLater = event.time != reference.snapshotTime
    switch event.body {
    case .scriptDispatch, .scriptExpired, .scriptSkipped, .nodeKilled, .nodeFailed, .faultBegin, .faultEnd:
      return isLater
    // The script that is loaded next is the one of the run that the snapshot opened: it is evaluated against it.
    case .scriptLoaded: return isLater || !reference.changedState
    case .runState(let run): return isLater || run.cause != "snapshot"
    case .snapshotFresh, .messageReceived, .transferDelivered, .contextReceived, .nodeStarted:
      return isLater || event.place == .phone
    default: return false
    }
  }

  /// The history of each line of the scripts that were in force, in their order; call it at the end of the trace.
  package mutating func finish() -> [LineHistory] {
    if isOpen { evaluate() }
    for index in reference.rules.indices { _ = history(of: reference.id(of: index)) }
    return histories
  }

  private mutating func observe(_ decision: Decision) {
    if isOpen { decisions.append(decision) } else { apply(decision) }
  }

  private mutating func apply(_ decision: Decision) {
    if decision.isDispatch { lastDispatched = decision.id }
    reference.observe(decision.event, at: decision.place)
  }

  private mutating func history(of id: String) -> Int {
    if let index = indices[id] { return index }
    indices[id] = histories.count
    histories.append(LineHistory(id: id))
    return histories.count - 1
  }

  private mutating func evaluate() {
    isOpen = false
    reference.absorb()
    if let snapshot = reference.snapshot {
      reference.evaluate()
      let isGap = previous.map { snapshot.time - $0 > Self.gapMax } ?? false
      previous = snapshot.time
      for index in reference.rules.indices {
        let hindrance = hindrance(of: index, at: snapshot)
        let history = history(of: reference.id(of: index))
        histories[history].add(hindrance, at: snapshot.time, line: snapshot.line, isGap: isGap)
      }
    }
    for decision in decisions { apply(decision) }
    decisions.removeAll(keepingCapacity: true)
  }

  private mutating func hindrance(of index: Int, at snapshot: ReferenceSnapshot) -> LineHindrance {
    let id = reference.id(of: index)
    if let decision = decisions.first(where: { $0.id == id }) {
      return decision.isDispatch ? .dispatched : reference.pastGrace(of: index)
    }
    guard reference.isJudged else { return .notRunning(belief: reference.belief.state) }
    if let hindrance = reference.hindrance(of: index, at: snapshot.time) { return hindrance }
    guard reference.fullDisks.isEmpty else { return .diskFull }
    if let other = decisions.first(where: \.isDispatch) { return .outranked(by: other.id) }
    if let last = reference.lastDispatch, snapshot.time - last < ReferenceRun.window {
      return .window(until: last + ReferenceRun.window, after: lastDispatched)
    }
    return .unexplained
  }
}

extension ReferenceRun {
  /// What keeps a line of the script from being due at the snapshot received last; nil if it is due.
  ///
  /// The snapshot was absorbed, and its variables evaluated.
  mutating func hindrance(of index: Int, at now: VirtualTime) -> LineHindrance? {
    let rule = rules[index]
    let standing = standing(of: rule)
    switch rule.kind {
    case .never: return .unplanned
    case .distance, .time, .every:
      if rule.kind != .every, standing.spokenCount > 0 { return .played }
      if rule.kind != .every, standing.isOver { return .expired }
      if rule.kind == .every, rule.playsOnce, standing.spokenCount > 0 { return .played }
      if case .due = standpoint(of: index) { return nil }
      if case .expired = standpoint(of: index) { return pastGrace(of: index) }
      let reached = rule.kind == .time ? maxElapsed : maxDistance
      let needs = rule.kind == .every ? Double(latestMultiple(rule.at) + 1) * rule.at : rule.at
      if reached < needs { return .ahead(needs: needs, reached: reached, isTime: rule.kind == .time) }
    case .expression:
      if rule.playsOnce, standing.spokenCount > 0 { return .played }
      if let last = standing.lastDispatch, (now - last).nanoseconds < rule.cooldown {
        return .cooldown(until: last + VirtualTime.Span(nanoseconds: rule.cooldown))
      }
      if case .due = standpoint(of: index) { return nil }
      if isEligible(index) {
        let shortfall = shortfall(of: rule)
        return .unfulfilled(shortfall.text, distance: shortfall.distance)
      }
    }
    return .otherBranch(needs: script?.messages[index].branch ?? "", active: activeBranch)
  }

  /// How far past its point a line is at the snapshot received last.
  func pastGrace(of index: Int) -> LineHindrance {
    let rule = rules[index]
    let isTime = rule.kind == .time
    let reached = (isTime ? snapshot?.elapsed : snapshot?.distance) ?? 0
    let point = rule.kind == .every ? Double(latestMultiple(rule.at)) * rule.at : rule.at
    return .pastGrace(past: reached - point, grace: isTime ? graceSeconds : graceMeters, isTime: isTime)
  }
}

extension ScriptRank {
  /// Whether the line is an answer to the athlete rather than a line of the script.
  package var isReply: Bool { trigger == "ai_reply" }
}
