import CSimulation
import Foundation
import Link
import LinkTransport

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

/// Grants in virtual time: the app runs at their instants, and at no other time.
extension SessionRuntime {
  /// Limit of one answer, in bytes of frames, for an app that sends without end at one instant.
  private static let answerBytesMax = 3 * pendingBytesMax

  /// In a run whose nodes are killed at random moments, the new epoch, and the journal of the previous start; the lock is
  /// held.
  var beginning: NodeClient.Beginning? {
    guard let answered = setup?.answered, let keeper else { return nil }
    return (keeper.epoch, answered, earlierJournal)
  }

  /// Handles a grant, and runs the app at its instant until every thread waits.
  ///
  /// What the app does is part of this answer.
  func settle(_ grant: FreeGrant, _ clock: VirtualClock) throws(RuntimeError) -> Answer {
    clock.advance(to: grant.time)
    // While a grant's inputs are delivered, the app's actions are effects of the last one.
    condition.withLock { answerItems = AnswerItems(precedesEnd: !grant.firesTimers) }
    var answer = try answer(grant)
    if answer.stoppedAt != nil { return answer }
    let (isAsleep, isEnding) = condition.withLock {
      guard keeper != nil, let setup else { return (false, false) }
      clock.setSkew(withNode { $0.skew(at: now, startedAt: setup.startedAt) })
      return withNode { ($0.isAsleep, $0.isEnding) }
    }
    // The app's delegate is called before the app's threads stop, and after they go on.
    if isAsleep, reportSleep(true) { _ = clock.settle(firesTimers: false) }
    clock.setAsleep(isAsleep)
    if !isAsleep { reportSleep(false) }
    var bytes = 0
    while true {
      handOverActs()
      handOverDeviceMessages()
      // After the end of the run callbacks still come, but the app's timers do not fire.
      answer.appDeadline = clock.settle(firesTimers: grant.firesTimers && !isEnding)
      bytes += condition.withLock { pendingBytes }
      guard bytes <= Self.answerBytesMax else { throw RuntimeError("sends without end at one instant") }
      let more = try self.answer(FreeGrant(time: grant.time, firesTimers: false, inputs: []))
      answer.stoppedAt = more.stoppedAt
      answer.nextDeadline = more.nextDeadline
      // Sending may have made room for a call that waited.
      if more.stoppedAt != nil { break }
      if more.items.isEmpty, !handOverActs() { break }
    }
    var last: [Turn.Item] = []
    if !isAsleep, answer.stoppedAt == nil { last += condition.withLock { takeRefusedActs() } }
    if answer.stoppedAt == nil {
      last += condition.withLock { takeFindings(isAsleep: isAsleep, isEnding: isEnding) }
    }
    try takeFindings(clock, into: &last)
    answer.items = try endAnswer(with: last)
    return answer
  }

  /// Makes all effects durable that an answer reports.
  private func endAnswer(with last: [Turn.Item]) throws(RuntimeError) -> [Turn.Item] {
    condition.lock()
    defer { condition.unlock() }
    answerItems.add(last)
    do throws(StoreError) { try keeper?.endGrant() } catch {
      fail("its store failed: \(error)")
      throw RuntimeError("its store failed: \(error)")
    }
    if let answered { self.answered = answered + 1 }
    return answerItems.items
  }

  /// Adds an event for each thing that virtual time cannot control, and ends the process for one that stops the app.
  private func takeFindings(_ clock: VirtualClock, into items: inout [Turn.Item]) throws(RuntimeError) {
    while let finding = clock.takeFinding() {
      if finding.kind == "deadlock" {
        // The conductor finds the whole text in the library's report.
        fflush(nil)
        _exit(98)
      }
      let role = role
      items.append(
        .event(
          TraceEvent(AppFindingMade.self, at: now, on: role.place) {
            $0.kind = finding.kind
            $0.text = finding.text
          }))
    }
  }
}
