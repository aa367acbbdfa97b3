import CoachProtocol
import Link

/// Commands of the user and the system, and the audio.
extension PhoneNode {
  mutating func carryOut(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    switch command.name {
    case "mute": updateAudio(.muted, at: now, into: &output)
    case "unmute": updateAudio(.unmuted, at: now, into: &output)
    case "interrupt": updateAudio(.interrupted, at: now, into: &output)
    case "interruptionEnd":
      let shouldResume = command.argument("shouldResume") == .bool(true)
      updateAudio(.interruptionEnded(shouldResume: shouldResume), at: now, into: &output)
    case "startWorkout": carryOutStart(command, at: now, into: &output)
    case "endWorkout": carryOutEnd(command, at: now, into: &output)
    case "findWatch":
      let call = AppMessage.findWatch(FindWatch(sentAt: PhoneTime(nanoseconds: clock.reading(at: now))))
      session.sendMessage(call.encoded, kind: call.kind.rawValue, at: now, into: &output)
    case "history": showHistory(at: now, into: &output)
    case "wipe": wipe(at: now, into: &output)
    case RecordCommand.word: record(command, at: now, into: &output)
    case _ where IngestionCommand.words.contains(command.name):
      carryOutIngestion(command, at: now, into: &output)
    case _ where DailyCommand.words.contains(command.name): carryOutDaily(command, at: now, into: &output)
    case _ where TrainingCommand.words.contains(command.name): carryOutTraining(command, at: now, into: &output)
    default:
      guard
        !probes.carryOut(command, through: &session, clock: clock.reading(at: now), at: now, into: &output)
      else { return }
      refuse(command.name, why: "the phone knows no such command", at: now, into: &output)
    }
  }

  /// Records a refused command.
  func refuse(_ command: String, why: String, at now: VirtualTime, into output: inout NodeOutput) {
    output.record(CommandRefusal(why).event(command, at: now, on: .phone))
  }

  /// Passes an input to the audio queue, stores what changed, and records the events.
  mutating func updateAudio(_ input: AudioQueue.Input?, at now: VirtualTime, into output: inout NodeOutput) {
    audio.receive(input, at: now, into: &audioEffects)
    var hasChanged = false
    for effect in audioEffects {
      guard let change = effect.change else { continue }
      persist(change, into: &output)
      hasChanged = true
    }
    if hasChanged { output.items.append(.commit) }
    if output.isRecording { for effect in audioEffects { record(effect, at: now, into: &output) } }
    audioEffects.removeAll(keepingCapacity: true)
  }
}

extension PhoneNode {
  /// Records an audio event; one that plays a recording names it.
  private func record(_ effect: AudioEffect, at now: VirtualTime, into output: inout NodeOutput) {
    var rendered: String?
    if case .started(_, let message, _, _) = effect { rendered = recording(of: message) }
    output.record(effect.event(rendered: rendered, at: now))
  }
}

extension AudioEffect {
  /// The change that the phone stores; nil for none.
  fileprivate var change: RareChange? {
    switch self {
    case .ended(_, let message): .ended(messageId: message)
    case .interrupted(_, let message, _), .dropped(let message, _): .interrupted(messageId: message)
    case .muted: .muted(true)
    case .unmuted: .muted(false)
    case .interruption: .audioTaken(true)
    case .interruptionEnded: .audioTaken(false)
    case .started, .duck, .unduck: nil
    }
  }
}
