import CoachProtocol
import Link

/// Commands of users and the system on the watch.
extension WatchNode {
  mutating func carryOut(_ command: NodeCommand, in turn: inout Turn) {
    let now = turn.now
    // Users cannot tap an app that is not on the screen.
    if isAsleep { return refuse(command.name, why: "the app sleeps", in: &turn) }
    switch command.name {
    case "start": carryOutStart(in: &turn)
    case "pause", "resume", "end": carryOutOnWorkout(command, in: &turn)
    case "talk": carryOutTalk(command, in: &turn)
    case "cancelTalk": carryOutCancelTalk(command, in: &turn)
    case "sendAgain": sendAgain(command, in: &turn)
    case GhostCommand.word: carryOutGhost(command, in: &turn)
    default:
      guard
        probes.carryOut(command, through: &session, clock: clock.reading(at: now), in: &turn)
      else { return refuse(command.name, why: "the watch knows no such command", in: &turn) }
      if !record.notes.isEmpty { voiceNotesWithdrawn(in: &turn) }
    }
  }

  /// Starts the planned workout: one tap on the complication.
  private mutating func carryOutStart(in turn: inout Turn) {
    guard host == nil || host?.state == .ended else { return refuse("start", why: "a workout is on", in: &turn) }
    begin(plannedWorkoutId(at: turn.now), cause: .scenario, in: &turn)
  }

  private mutating func carryOutOnWorkout(_ command: NodeCommand, in turn: inout Turn) {
    let now = turn.now
    let cause: WorkoutCause = command.argument("cause") == .string("duration") ? .duration : .scenario
    // At the end of the scenario no further workout starts.
    if cause == .duration, host != nil { startsAt = nil }
    guard host != nil else {
      // Pressed before the run's first workout, it takes back that start; a later one is another plan.
      let isFirst = startsAt == setup.startsAt && !record.isStartUsed
      if command.name == "end", let at = startsAt, isFirst || cause == .duration {
        startsAt = cause == .duration ? nil : setup.nextStart(after: at)
        persist(.startUsed, in: &turn)
        turn.items.append(.commit)
      }
      return refuse(command.name, why: "no workout is on", in: &turn)
    }
    if cause == .duration, host?.state == .ended, !setup.later.isEmpty { return rememberHost() }
    let time = WatchTime(nanoseconds: clock.reading(at: now))
    switch command.name {
    case "pause": host?.pause(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    case "resume": host?.resume(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    default: host?.end(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    }
    carryOutHostEffects(in: &turn)
  }

  func refuse(_ kind: String, why: String, in turn: inout Turn) {
    turn.record(CommandRefused.self, on: .watch) {
      $0.kind = kind
      $0.why = why
    }
  }
}
