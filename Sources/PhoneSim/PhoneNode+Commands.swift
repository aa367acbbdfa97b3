import CoachProtocol
import Link

/// Commands of the user and the system, and the audio.
extension PhoneNode {
  mutating func carryOut(_ command: NodeCommand, in turn: inout Turn) {
    let now = turn.now
    switch command.name {
    case "mute": updateAudio(.muted, in: &turn)
    case "unmute": updateAudio(.unmuted, in: &turn)
    case "interrupt": updateAudio(.interrupted, in: &turn)
    case "interruptionEnd":
      let shouldResume = command.argument("shouldResume") == .bool(true)
      updateAudio(.interruptionEnded(shouldResume: shouldResume), in: &turn)
    case "startWorkout": carryOutStart(command, in: &turn)
    case "endWorkout": carryOutEnd(command, in: &turn)
    case "findWatch":
      let call = AppMessage.findWatch(FindWatch(sentAt: PhoneTime(nanoseconds: clock.reading(at: now))))
      session.sendMessage(call.encoded, kind: call.kind.rawValue, in: &turn)
    case "history": showHistory(in: &turn)
    case "wipe": wipe(in: &turn)
    default:
      if let part = PhonePart.all.first(where: { $0.words.contains(command.name) }) {
        return part.carryOut(&self, command, &turn)
      }
      guard
        !probes.carryOut(command, through: &session, clock: clock.reading(at: now), in: &turn)
      else { return }
      refuse(command.name, why: "the phone knows no such command", in: &turn)
    }
  }

  /// Records a refused command.
  func refuse(_ command: String, why: String, in turn: inout Turn) {
    let now = turn.now
    turn.record(CommandRefusal(why).event(command, at: now, on: .phone))
  }

  /// Passes an input to the audio queue, stores what changed, and records the events.
  mutating func updateAudio(_ input: AudioQueue.Input?, in turn: inout Turn) {
    let now = turn.now
    audio.receive(input, at: now, into: &audioEvents)
    let first = changes.count
    for event in audioEvents {
      switch event {
      case let event as AudioEnded: persist(.ended(messageId: event.message), in: &turn)
      case let event as AudioInterrupted: persist(.interrupted(messageId: event.message), in: &turn)
      case let event as AudioDropped: persist(.interrupted(messageId: event.message), in: &turn)
      case is AudioMuted: persist(.muted(true), in: &turn)
      case is AudioUnmuted: persist(.muted(false), in: &turn)
      case is AudioInterruptionBegan: persist(.audioTaken(true), in: &turn)
      case is AudioInterruptionEnded: persist(.audioTaken(false), in: &turn)
      default: break
      }
    }
    if changes.count > first { turn.items.append(.commit) }
    if turn.isRecording {
      for var event in audioEvents {
        // One that plays a recording names it.
        if var started = event as? AudioStarted {
          started.rendered = recording(of: started.message)
          event = started
        }
        turn.record(TraceEvent(event, at: now, on: .phone))
      }
    }
    audioEvents.removeAll(keepingCapacity: true)
  }
}
