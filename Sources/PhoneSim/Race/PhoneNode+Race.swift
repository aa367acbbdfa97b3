import CoachProtocol
import Link

/// What a race has beside its script: recordings, cues on the wrist, and its row.
extension PhoneNode {
  /// Renders what will be said, and keeps script and race, before the first start of the race's app goes on.
  mutating func prepareRace(_ script: Script, into output: inout NodeOutput) {
    var names: Set<String> = []
    for (place, message) in script.messages.enumerated() {
      guard let name = message.prerenderedAudioPath, names.insert(name).inserted else { continue }
      let bytes = RaceScript.byteCount(words: SpeechLength.words(in: message.text))
      let content = FileContent.generated(key: RandomStream.key(setup.seed, UInt64(place)), byteCount: bytes)
      output.items.append(.file(.make(content, as: name)))
    }
    keep(.scriptKept(script, source: setup.scriptSource), into: &output)
    guard var race = setup.race else { return }
    race.scriptId = script.id
    keep(.raceKept(race), into: &output)
  }

  /// Keeps which run the race became.
  mutating func noteRaceRun(_ runId: Identifier, into output: inout NodeOutput) {
    guard var race = setup.race else { return }
    race.scriptId = engine.script?.id
    race.runId = runId
    keep(.raceKept(race), into: &output)
  }

  /// Taps the wrist for a line that tells to eat or drink.
  mutating func tap(for message: String, at now: VirtualTime, into output: inout NodeOutput) {
    guard let haptic = RaceScript.haptic(of: message, in: setup.race) else { return }
    let cue = AppMessage.hapticCue(HapticCue(haptic, sentAt: PhoneTime(nanoseconds: clock.reading(at: now))))
    session.sendMessage(cue.encoded, kind: cue.kind.rawValue, at: now, into: &output)
  }

  /// The recording that a line is played from; nil where it is spoken as it comes.
  func recording(of message: String) -> String? {
    guard setup.race != nil else { return nil }
    return engine.script?.messages.first { $0.id == message }?.prerenderedAudioPath
  }
}
