import CoachProtocol
import Link

/// A race's recordings, haptic cues, and row.
extension PhoneNode {
  /// Renders the race's lines, and stores script and race at the first start of its app.
  mutating func prepareRace(_ script: Script, in turn: inout Turn) {
    var names: Set<String> = []
    for (index, message) in script.messages.enumerated() {
      guard let name = message.prerenderedAudioPath, names.insert(name).inserted else { continue }
      let length = SpeechLength.span(words: SpeechLength.wordCount(in: message.text), audio.voice)
      let milliseconds = UInt64(length.nanoseconds / 1_000_000)
      let content = FileContent.recording(
        key: RandomStream.key(setup.seed, UInt64(index)), milliseconds: milliseconds,
        byteCount: M4AContainer.size(milliseconds: milliseconds))
      turn.items.append(.file(.make(content, as: name)))
    }
    persist(.scriptStored(script, source: setup.scriptSource), in: &turn)
    guard var race = setup.race else { return }
    race.scriptId = script.id
    persist(.raceStored(race), in: &turn)
  }

  /// Stores which run the race became.
  mutating func persistRaceRun(_ runId: Identifier, in turn: inout Turn) {
    guard var race = setup.race else { return }
    race.scriptId = engine.script?.id
    race.runId = runId
    persist(.raceStored(race), in: &turn)
  }

  /// Sends a haptic cue for a line about food or drink.
  mutating func tap(for message: String, in turn: inout Turn) {
    guard let haptic = RaceScript.haptic(of: message, in: setup.race) else { return }
    let cue = AppMessage.hapticCue(HapticCue(haptic, sentAt: PhoneTime(nanoseconds: clock.reading(at: turn.now))))
    session.sendMessage(cue.encoded, kind: cue.kind.rawValue, in: &turn)
  }

  /// The recording of a line; nil if it is synthesized live.
  func recording(of message: String) -> String? {
    guard setup.race != nil else { return nil }
    return engine.script?.messages.first { $0.id == message }?.prerenderedAudioPath
  }
}
