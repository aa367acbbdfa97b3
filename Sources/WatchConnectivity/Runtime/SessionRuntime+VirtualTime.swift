import Foundation
import Link
import LinkTransport

/// What a device in virtual time does with a grant: its app runs at that instant, and at no other time.
extension SessionRuntime {
  /// How much one answer may hold, in bytes of frames: an app that sends without end at one instant is stopped there.
  private static let answerBytesMax = 3 * pendingBytesMax

  /// In a run whose nodes are killed at random moments, the epoch that begins; the lock is held.
  ///
  /// What the start before did not live to tell comes with the first answer, not with this one: an app keeps its lines and
  /// no journal.
  var beginning: (epoch: Epoch, answered: UInt64)? {
    guard let answered = setup?.answered, let keeper else { return nil }
    return (keeper.epoch, answered)
  }

  /// Takes a grant, and has the app run at its instant until every thread waits.
  ///
  /// What the app does is part of this answer.
  func settle(_ grant: FreeGrant, _ clock: VirtualClock) throws(RuntimeError) -> Answer {
    clock.advance(to: grant.time)
    var answer = try answer(grant)
    if answer.stoppedAt != nil { return answer }
    let (isAsleep, isEnding) = condition.withLock {
      guard keeper != nil, let setup else { return (false, false) }
      clock.setSkew(withNode { $0.skew(at: now, startedAt: setup.startedAt) })
      return withNode { ($0.isAsleep, $0.isEnding) }
    }
    clock.setAsleep(isAsleep)
    // While a grant's inputs are handed over, what the app does is an effect of the last one: it comes before its end.
    let end = grant.firesTimers ? nil : answer.items.lastIndex { if case .handled = $0 { true } else { false } }
    var effects: [NodeOutput.Item] = []
    var bytes = 0
    while true {
      // After the end of the run callbacks still come, and the app's timers stay still.
      answer.appDeadline = clock.settle(firesTimers: grant.firesTimers && !isEnding)
      bytes += condition.withLock { pendingBytes }
      guard bytes <= Self.answerBytesMax else { throw RuntimeError("sends without end at one instant") }
      let more = try self.answer(FreeGrant(time: grant.time, firesTimers: false, inputs: []))
      effects += more.items
      answer.stoppedAt = more.stoppedAt
      answer.nextDeadline = more.nextDeadline
      // Sending may have made room for a call that waited.
      if more.items.isEmpty || more.stoppedAt != nil { break }
    }
    try takeFindings(clock, into: &effects)
    answer.items.insert(contentsOf: effects, at: end ?? answer.items.endIndex)
    return answer
  }

  /// Adds a line for each thing that virtual time cannot control, and ends the process for one that stops the app.
  private func takeFindings(_ clock: VirtualClock, into items: inout [NodeOutput.Item]) throws(RuntimeError) {
    while let finding = clock.takeFinding() {
      if finding.kind == "deadlock" {
        // The conductor finds the whole text in the library's report.
        fflush(nil)
        _exit(98)
      }
      let role = role
      items.append(
        .event(
          TraceEvent(
            "app.finding", at: now, on: role.place,
            [.init("kind", .string(finding.kind)), .init("text", .string(finding.text))])))
    }
  }
}
