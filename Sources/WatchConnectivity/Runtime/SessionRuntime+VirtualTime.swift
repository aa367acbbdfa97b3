import Foundation
import Link
import LinkTransport

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
