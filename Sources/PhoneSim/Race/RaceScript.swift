package import CoachProtocol
import Link

/// The script of a race, which works without a network.
///
/// Adds the race's cues to the lines of the scenario or personality. Each line names its recording, which the phone
/// renders before the start.
package enum RaceScript {
  package static let cuePriority = 80

  /// A cue as a line of the script.
  package struct Cue: Sendable, Equatable {
    package var id: String
    package var haptic: HapticCue.Kind
    package var cue: RaceCue
  }

  /// The cues of a race with the ids of their lines: `fueling.1`, `hydration.1`.
  package static func cues(of race: RaceSetup) -> [Cue] {
    race.fuelingPlan.enumerated().map { Cue(id: "fueling.\($0 + 1)", haptic: .fuelingReminder, cue: $1) }
      + race.hydrationPlan.enumerated().map { Cue(id: "hydration.\($0 + 1)", haptic: .hydrationReminder, cue: $1) }
  }

  /// The haptic cue of a line; nil if the line is not a cue.
  package static func haptic(of message: String, in race: RaceSetup?) -> HapticCue.Kind? {
    guard let race else { return nil }
    if isCue(message, "fueling.", race.fuelingPlan.count) { return .fuelingReminder }
    return isCue(message, "hydration.", race.hydrationPlan.count) ? .hydrationReminder : nil
  }

  private static func isCue(_ message: String, _ prefix: String, _ count: Int) -> Bool {
    guard message.hasPrefix(prefix), let number = Int(message.dropFirst(prefix.count)) else { return false }
    return 1...max(1, count) ~= number && count > 0
  }

  package static func make(_ script: Script, race: RaceSetup, voice: VoiceSetup? = nil) -> Script {
    var script = script
    if script.id == nil { script.id = "race" }
    let spoken = voice.map { InstalledVoice.best(for: $0.language) } ?? .standard
    for cue in cues(of: race) {
      script.messages.append(
        ScriptMessage(id: cue.id, trigger: cue.cue.trigger, text: cue.cue.text, priority: cuePriority))
    }
    for index in script.messages.indices where script.messages[index].prerenderedAudioPath == nil {
      script.messages[index].prerenderedAudioPath = recordingName(script.messages[index].text, spoken)
    }
    return script
  }

  /// The file name of a text's recording by a voice; equal texts share one.
  static func recordingName(_ text: String, _ voice: InstalledVoice) -> String {
    let words = voice == .standard ? text : "\(voice.name.rawValue): \(text)"
    return "line-\(Digest.text(Digest.sha256(Array(words.utf8))).prefix(16)).m4a"
  }
}

extension RaceCue {
  /// The trigger at the cue's point.
  var trigger: any Trigger {
    switch point {
    case .atMeters(let meters): DistanceAtTrigger(atMeters: meters)
    case .everyMeters(let meters): DistanceEveryTrigger(everyMeters: meters)
    case .atSeconds(let seconds): TimeTrigger(atSeconds: seconds)
    }
  }
}

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
