import CoachProtocol
import Link

/// Commands of users and the system on the watch.
extension WatchNode {
  mutating func carryOut(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    // Users cannot tap an app that is not on the screen.
    if isAsleep { return refuse(command.name, why: "the app sleeps", at: now, into: &output) }
    switch command.name {
    case "pause", "resume", "end": carryOutOnWorkout(command, at: now, into: &output)
    case "talk": carryOutTalk(command, at: now, into: &output)
    case "cancelTalk": carryOutCancelTalk(command, at: now, into: &output)
    case "sendAgain": sendAgain(command, at: now, into: &output)
    case GhostCommand.word: carryOutGhost(command, at: now, into: &output)
    default:
      guard
        probes.carryOut(command, through: &session, clock: clock.reading(at: now), at: now, into: &output)
      else { return refuse(command.name, why: "the watch knows no such command", at: now, into: &output) }
      if !record.notes.isEmpty { voiceNotesWithdrawn(into: &output) }
    }
  }

  private mutating func carryOutOnWorkout(
    _ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput
  ) {
    let cause: WorkoutCause = command.argument("cause") == .string("duration") ? .duration : .scenario
    // At the end of the scenario no further workout starts.
    if cause == .duration, host != nil { startsAt = nil }
    guard host != nil else {
      // The run ends before its workout started, so it never starts.
      if command.name == "end", startsAt != nil {
        startsAt = cause == .duration ? nil : setup.nextStart(after: startsAt ?? now)
        persist(.startUsed, into: &output)
        output.items.append(.commit)
      }
      return refuse(command.name, why: "no workout is on", at: now, into: &output)
    }
    if cause == .duration, host?.state == .ended, !setup.later.isEmpty { return rememberHost() }
    let time = WatchTime(nanoseconds: clock.reading(at: now))
    switch command.name {
    case "pause": host?.pause(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    case "resume": host?.resume(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    default: host?.end(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    }
    carryOutHostEffects(at: now, into: &output)
  }

  func refuse(_ kind: String, why: String, at now: VirtualTime, into output: inout NodeOutput) {
    output.record(CommandRefused.self, at: now, on: .watch) {
      $0.kind = kind
      $0.why = why
    }
  }
}
