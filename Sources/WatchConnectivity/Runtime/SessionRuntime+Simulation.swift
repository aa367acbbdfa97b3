import CSimulation
import Foundation
import Link

/// Facts from the app, and acts to it: the session's side of WristwireSupport.
extension SessionRuntime {
  /// An act without a handler so far.
  struct PendingAct {
    var name: String
    /// The scenario's `with`, a JSON object.
    var json: [UInt8]
    /// When it arrived.
    var since: VirtualTime
  }

  /// How long an app outside virtual time may take to register the handler of an act.
  private static let patience = VirtualTime.Span.seconds(5)

  // MARK: Facts

  /// Adds a fact to the trace; a refused one is a finding.
  func record(name: String, json: [UInt8]) {
    let fact = Result { () throws(AppFact.Refusal) in try AppFact(name: name, json: json) }
    condition.withLock {
      guard !isOver, failure == nil, stoppedAt == nil else { return }
      if factsAt != now { (factsAt, factCount, factBytes) = (now, 0, 0) }
      guard factCount < AppFact.instantMax, factBytes + json.count <= Self.pendingBytesMax else {
        guard !hasDroppedFacts else { return }
        hasDroppedFacts = true
        let limit = "at most \(AppFact.instantMax), and \(Self.pendingBytesMax >> 20) MiB"
        return addFinding("fact", "found more facts at one instant, expected \(limit): further ones are dropped")
      }
      factCount += 1
      factBytes += json.count
      switch fact {
      case .success(let fact): put([.event(fact.event(at: now, on: role.place))])
      case .failure(let refusal): addFinding("fact", refusal.text)
      }
    }
  }

  /// Adds a line of the app's log to the trace.
  func record(_ line: AppLogged) {
    condition.withLock {
      guard !isOver, failure == nil, stoppedAt == nil else { return }
      if logAt != now { (logAt, logCount) = (now, 0) }
      guard logCount < AppLogged.instantMax else {
        let limit = "at most \(AppLogged.instantMax)"
        return addFinding(
          "log", "found more lines of the log at one instant, expected \(limit): further ones are dropped")
      }
      logCount += 1
      put([.event(TraceEvent(AppLogged.self, at: now, on: role.place) { $0 = line })])
    }
  }

  /// Adds an event about a mistake of the app, once for each text; the lock is held.
  func addFinding(_ kind: String, _ text: String) {
    guard findings.count < Self.findingsMax, findings.insert("\(kind) \(text)").inserted else { return }
    put([.event(AppFact.finding(kind, text, at: now, on: role.place))])
  }

  /// The limit of different findings, in case an app causes a new one with each fact.
  private static let findingsMax = 100

  // MARK: Acts

  /// Passes pending acts to the app's handlers.
  ///
  /// - Returns: Whether a handler will be called.
  @discardableResult
  func handOverActs() -> Bool {
    let acts = condition.withLock {
      if keeper != nil {
        for command in withNode({ $0.takeActs() }) {
          pendingActs.append(PendingAct(name: command.name, json: command.json, since: now))
        }
      }
      return pendingActs
    }
    guard !acts.isEmpty else { return false }
    let left = acts.filter { !deliver($0) }
    condition.withLock { pendingActs = left }
    return left.count < acts.count
  }

  private func deliver(_ act: PendingAct) -> Bool {
    let name = act.name.utf8.map { CChar(bitPattern: $0) }
    let json = act.json.map { CChar(bitPattern: $0) }
    guard wristwire_simulation_take_act(name, name.count, json, json.count) == 1 else { return false }
    watchMain("the act \(act.name)")
    condition.withLock {
      var fields: [TraceEvent.Field] = [.init("do", .string(act.name))]
      if act.json.count > 2 { fields.append(.init("with", .json(String(decoding: act.json, as: UTF8.self)))) }
      put([.event(TraceEvent("app.act", at: now, on: role.place, fields))])
    }
    return true
  }

  /// Drops the acts that a settled app has no handler for, and returns the events about them; the lock is held.
  func takeRefusedActs() -> [Turn.Item] {
    let before = pending.count
    refuseActs(isSettled: true)
    defer { pending.removeSubrange(before...) }
    return Array(pending[before...])
  }

  /// Drops acts without a handler; the lock is held.
  ///
  /// - Parameter isSettled: Whether every thread of the app waits, so that no handler can still be registered now.
  func refuseActs(isSettled: Bool) {
    let now = now
    for act in pendingActs where isSettled || now >= act.since + Self.patience {
      var name = ""
      appendQuoted(act.name, to: &name)
      put([
        .event(
          AppFact.finding(
            "act", "no handler takes the act \(name): expected Simulation.onAct(\(name)) before the app first waits",
            at: now, on: role.place))
      ])
    }
    pendingActs.removeAll { isSettled || now >= $0.since + Self.patience }
  }
}
