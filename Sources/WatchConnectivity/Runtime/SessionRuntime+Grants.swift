import Foundation
import Link
import LinkTransport

/// Answers to grants.
extension SessionRuntime {
  /// What a device did since its last answer, and on this grant.
  struct Answer {
    /// Frames, events and ends of inputs, in order.
    var items: [Turn.Item] = []
    /// When the device needs its next grant; nil for not before its next input.
    var nextDeadline: VirtualTime?
    /// When a timer of the app itself is due, in virtual time, if any.
    var appDeadline: VirtualTime?
    /// The armed crash point at which it has stopped, if any.
    var stoppedAt: CrashPoint?
  }

  /// The items of an answer that is made in several steps.
  struct AnswerItems {
    private(set) var items: [Turn.Item] = []
    /// Whether what is added are effects of the grant's last input, and so precedes its end.
    let precedesEnd: Bool

    init(precedesEnd: Bool) { self.precedesEnd = precedesEnd }

    mutating func add(_ more: [Turn.Item]) {
      guard precedesEnd, let end = items.lastIndex(where: { if case .handled = $0 { true } else { false } }) else {
        items += more
        return
      }
      items.insert(contentsOf: more, at: end)
    }
  }

  /// Handles a grant.
  ///
  /// What the app did since the last one comes first, with the instant of this report.
  func answer(_ grant: FreeGrant) throws(RuntimeError) -> Answer {
    condition.lock()
    isAnswering = true
    defer {
      isAnswering = false
      condition.unlock()
    }
    if let failure { throw RuntimeError(failure) }
    now = max(now, grant.time)
    wasGranted = true
    var answer = Answer()
    do throws(StoreError) {
      answer.items = try items(of: grant)
    } catch {
      fail("its store failed: \(error)")
      throw RuntimeError("its store failed: \(error)")
    }
    if stoppedAt == nil {
      advanceActivation()
      warnOfDeactivation()
      refuseActs(isSettled: false)
    }
    answer.stoppedAt = stoppedAt
    answer.nextDeadline = keeper?.readGlance().nextDeadline.map { max($0, now + .milliseconds(1)) }
    condition.broadcast()
    return answer
  }

  private func items(of grant: FreeGrant) throws(StoreError) -> [Turn.Item] {
    if let armed = grant.armed { keeper?.armed = armed }
    var turn = Turn(at: now, isRecording: true)
    turn.items = pending
    for index in turn.items.indices {
      guard case .event(var event) = turn.items[index] else { continue }
      event.time = now
      turn.items[index] = .event(event)
    }
    pending = []
    pendingBytes = 0
    if stoppedAt == nil { try carryOut(grant, in: &turn) }
    // Also by a stopped device: this answer reports what its app did before, and its next start must not report it
    // again. Every crash point follows a commit, so nothing else becomes durable with it.
    if hasUnreported { try forgetUntold() }
    if followsGrants { answerItems.add(turn.items) }
    if commitsEachStep { try keeper?.endGrant() }
    return turn.items
  }

  /// Carries out a grant, up to an armed crash point.
  private func carryOut(_ grant: FreeGrant, in turn: inout Turn) throws(StoreError) {
    for input in grant.inputs {
      try handle(input, in: &turn)
      guard stoppedAt == nil else { return }
      turn.items.append(.handled)
    }
    guard grant.firesTimers, let due = keeper?.readGlance().nextDeadline, due <= now else { return }
    try handle(nil, in: &turn)
  }

  /// Handles one input, or fires the timers for nil.
  private func handle(_ input: NodeInput?, in turn: inout Turn) throws(StoreError) {
    stoppedAt = try keeper?.receive(input, in: &turn)
    if stoppedAt == nil { stoppedAt = try withdrawUnreadableFiles(in: &turn) }
    notifyApp()
  }

  /// Removes the marks of what this answer reports, durably with everything else that it reports.
  private func forgetUntold() throws(StoreError) {
    var nothing = Turn(at: now, isRecording: false)
    _ = try keeper?.act(in: &nothing) { (node: inout SessionNode, turn: inout Turn) in
      node.appendChange(.removeAll(list: EarlierMarks.untold), in: &turn)
      turn.items.append(.commit)
    }
    hasUnreported = false
  }

  /// Writes an answer as records.
  ///
  /// - Parameter hasAppDeadline: Whether this is an app in virtual time.
  static func write(
    _ answer: Answer, hasAppDeadline: Bool, _ trace: inout TraceWriter, to writer: inout RecordWriter
  ) throws(NodeClientError) {
    for item in answer.items {
      switch item {
      case .frame(let frame): writer.frame(frame)
      case .handled: writer.handled()
      case .event(let event):
        do throws(WireError) {
          try writer.line { bytes in
            trace.append(event, to: &bytes)
            bytes.removeLast()
          }
        } catch {
          throw .wire(error)
        }
      case .frequent: preconditionFailure("this turn passes no values")
      case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk: break  // Carried out.
      }
    }
    if let point = answer.stoppedAt {
      writer.stopped(at: point)
    } else if hasAppDeadline {
      writer.done(nextDeadline: answer.nextDeadline, appDeadline: answer.appDeadline)
    } else {
      writer.done(nextDeadline: answer.nextDeadline)
    }
  }

  /// Waits until all pending callbacks have run.
  ///
  /// - Parameter deadline: Until when to wait; nil for as long as it takes.
  func settle(until deadline: Date? = nil) {
    condition.lock()
    defer { condition.unlock() }
    while callbacks > 0 {
      guard let deadline else {
        condition.wait()
        continue
      }
      if !condition.wait(until: deadline) { return }
    }
  }
}
