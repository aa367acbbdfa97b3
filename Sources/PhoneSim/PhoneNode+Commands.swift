import CoachProtocol
import Link

/// What the user and the system do on the phone, and what is heard of it.
extension PhoneNode {
  mutating func carryOut(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    switch command.name {
    case "mute": sound(.muted, at: now, into: &output)
    case "unmute": sound(.unmuted, at: now, into: &output)
    case "interrupt": sound(.interrupted, at: now, into: &output)
    case "interruptionEnd":
      let shouldResume = command.argument("shouldResume") == .bool(true)
      sound(.interruptionEnded(shouldResume: shouldResume), at: now, into: &output)
    case "startWorkout": carryOutStart(command, at: now, into: &output)
    case "endWorkout": carryOutEnd(command, at: now, into: &output)
    case "history": showHistory(at: now, into: &output)
    case "wipe": wipe(at: now, into: &output)
    case RecordCommand.word: record(command, at: now, into: &output)
    default:
      guard
        !probes.carryOut(command, through: &session, clock: clock.reading(at: now), at: now, into: &output)
      else { return }
      refuse(command.name, why: "the phone knows no such command", at: now, into: &output)
    }
  }

  /// Writes the line of a command that is not carried out.
  func refuse(_ command: String, why: String, at now: VirtualTime, into output: inout NodeOutput) {
    output.record(CommandRefusal(why).event(command, at: now, on: .phone))
  }

  /// Lets the audio queue take an input, keeps what became of played lines, and writes its lines.
  mutating func sound(_ input: AudioQueue.Input?, at now: VirtualTime, into output: inout NodeOutput) {
    audio.receive(input, at: now, into: &sounds)
    var hasChanged = false
    for effect in sounds {
      guard let change = effect.change else { continue }
      keep(change, into: &output)
      hasChanged = true
    }
    if hasChanged { output.items.append(.commit) }
    if output.isRecording { for effect in sounds { record(effect, at: now, into: &output) } }
    sounds.removeAll(keepingCapacity: true)
  }
}

extension PhoneNode {
  /// Writes the line of what the audio queue did; one that plays a recording says which.
  private func record(_ effect: AudioEffect, at now: VirtualTime, into output: inout NodeOutput) {
    var event = effect.event(at: now)
    if case .started(_, let message, _, _) = effect, let name = recording(of: message) {
      event.fields.append(.init("rendered", .string(name)))
    }
    output.record(event)
  }
}

extension AudioEffect {
  /// What the phone keeps of it; nil for nothing.
  fileprivate var change: RareChange? {
    switch self {
    case .ended(_, let message): .ended(messageId: message)
    case .interrupted(_, let message, _), .dropped(let message, _): .interrupted(messageId: message)
    case .muted: .muted(true)
    case .unmuted: .muted(false)
    case .interruption: .soundTaken(true)
    case .interruptionEnded: .soundTaken(false)
    case .started, .duck, .unduck: nil
    }
  }
}
