import CoachProtocol
import Link

/// Connects the coach in the cloud with uplink, run, script engine and store.
extension PhoneNode {
  /// Passes an input to the coach's client.
  mutating func updateCoach(_ input: AIClient.Input?, in turn: inout Turn) {
    coach.receive(input, at: coachMoment(at: turn.now), &engine, &changes, in: &turn)
  }

  func coachMoment(at now: VirtualTime) -> CloudCoach.Moment {
    CloudCoach.Moment(clock: clock.reading(at: now), consumer: consumer)
  }

  mutating func beginCoach(in turn: inout Turn) {
    if setup.hasEdge { coach.begin(at: coachMoment(at: turn.now), &engine, &changes, in: &turn) }
  }

  /// Receives a frame of the uplink.
  mutating func receiveUplink(_ frame: Frame, in turn: inout Turn) {
    guard let response = coach.uplink?.receive(frame, in: &turn) else { return }
    if daily?.isAwaiting(response.id) == true {
      return updateDaily(in: &turn) {
        $0.receive(status: response.status, body: response.body, $1, into: &$2)
      }
    }
    updateCoach(.answered(response.id, status: response.status, body: response.body), in: &turn)
  }

  /// Handles a notice that the uplink is up or down.
  mutating func receiveUplinkNotice(isUp: Bool, in turn: inout Turn) {
    guard setup.hasEdge else { return }
    coach.uplink?.receive(isUp: isUp, in: &turn)
    updateCoach(.uplink(isUp: isUp), in: &turn)
    daily?.receive(uplinkIsUp: isUp, at: turn.now)
  }

  /// Fires due timers of uplink, client and replies.
  mutating func fireCoach(in turn: inout Turn) {
    guard setup.hasEdge else { return }
    let now = turn.now
    if let at = coach.uplink?.nextDeadline, at <= now { coach.uplink?.fire(in: &turn) }
    if let at = coach.client.nextDeadline, at <= now { updateCoach(nil, in: &turn) }
    // A stock line that was added just now may be spoken at once.
    scheduleReplyCheck(at: now)
    guard coach.popReplyCheck(at: now), let runId = consumer.workoutId else { return }
    let position = coach.position(in: runId, consumer.record, engine.trail, at: now)
    engine.checkReplies(position, at: now, canCommit: !isDiskFull, into: &decisions)
    if !decisions.isEmpty { carryOutScript(of: runId, in: &turn) }
  }

  /// Lets the coach ask what this input calls for, and updates the next check of replies.
  mutating func finishInput(in turn: inout Turn) {
    if !coach.runDecisions.isEmpty || !coach.otherStarts.isEmpty {
      coach.askAfterDecisions(
        at: coachMoment(at: turn.now), sessions: training?.record, &engine, &changes, in: &turn)
    }
    if let (runId, summary) = coach.newSummary {
      coach.newSummary = nil
      let isStored =
        !isDiskFull && updateTraining(in: &turn) { book, _, orders in book.store(summary, ofRun: runId, &orders) }
      if isStored { turn.items.append(.commit) }
    }
    scheduleReplyCheck(at: turn.now)
  }

  /// Schedules the next check of replies by timer: while the run is paused or the watch is silent.
  private mutating func scheduleReplyCheck(at now: VirtualTime) {
    let isNeeded = !engine.replies.isEmpty && (consumer.state == .paused || consumer.isWatchDisconnected)
    coach.scheduleReplyCheck(isNeeded: isNeeded, at: now)
  }
}
