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
    case RecordCommand.word: record(command, in: &turn)
    case _ where IngestionCommand.words.contains(command.name):
      carryOutIngestion(command, in: &turn)
    case _ where DailyCommand.words.contains(command.name): carryOutDaily(command, in: &turn)
    case _ where TrainingCommand.words.contains(command.name): carryOutTraining(command, in: &turn)
    default:
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
    audio.receive(input, at: turn.now, into: &audioEffects)
    var hasChanged = false
    for effect in audioEffects {
      guard let change = effect.change else { continue }
      persist(change, in: &turn)
      hasChanged = true
    }
    if hasChanged { turn.items.append(.commit) }
    if turn.isRecording { for effect in audioEffects { record(effect, in: &turn) } }
    audioEffects.removeAll(keepingCapacity: true)
  }
}

extension PhoneNode {
  /// Records an audio event; one that plays a recording names it.
  private func record(_ effect: AudioEffect, in turn: inout Turn) {
    let now = turn.now
    var rendered: String?
    if case .started(_, let message, _, _) = effect { rendered = recording(of: message) }
    turn.record(effect.event(rendered: rendered, at: now))
  }
}

extension AudioEffect {
  /// The change that the phone stores, if any.
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
