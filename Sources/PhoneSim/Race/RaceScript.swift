package import CoachProtocol
import Link

/// The script of a race: everything that is said comes from it, and it needs nobody.
///
/// To the lines of the scenario or the personality it adds the race's cues, and each line gets the name of its recording,
/// which the phone renders before the start.
package enum RaceScript {
  /// The priority of a cue: who does not drink does not arrive.
  package static let cuePriority = 80

  /// A cue as a line of the script.
  package struct Cue: Sendable, Equatable {
    /// The line's id.
    package var id: String
    /// How the wrist is tapped when it is spoken.
    package var haptic: HapticCue.Kind
    /// Where, and what is said.
    package var cue: RaceCue
  }

  /// The cues of a race with the ids of their lines: `fueling.1`, `hydration.1`.
  package static func cues(of race: RaceSetup) -> [Cue] {
    race.fuelingPlan.enumerated().map { Cue(id: "fueling.\($0 + 1)", haptic: .fuelingReminder, cue: $1) }
      + race.hydrationPlan.enumerated().map { Cue(id: "hydration.\($0 + 1)", haptic: .hydrationReminder, cue: $1) }
  }

  /// The tap that belongs to a line; nil for a line that is no cue.
  package static func haptic(of message: String, in race: RaceSetup?) -> HapticCue.Kind? {
    guard let race else { return nil }
    if place(message, "fueling.", race.fuelingPlan.count) { return .fuelingReminder }
    return place(message, "hydration.", race.hydrationPlan.count) ? .hydrationReminder : nil
  }

  private static func place(_ message: String, _ prefix: String, _ count: Int) -> Bool {
    guard message.hasPrefix(prefix), let number = Int(message.dropFirst(prefix.count)) else { return false }
    return 1...max(1, count) ~= number && count > 0
  }

  /// Makes the script.
  ///
  /// - Parameters:
  ///   - script: The lines of the scenario, or of the personality.
  ///   - race: What is planned.
  package static func make(_ script: Script, race: RaceSetup) -> Script {
    var script = script
    if script.id == nil { script.id = "race" }
    for cue in cues(of: race) {
      script.messages.append(
        ScriptMessage(id: cue.id, trigger: cue.cue.trigger, text: cue.cue.text, priority: cuePriority))
    }
    for place in script.messages.indices where script.messages[place].prerenderedAudioPath == nil {
      script.messages[place].prerenderedAudioPath = recordingName(script.messages[place].text)
    }
    return script
  }

  /// The name of a text's recording: the same text is rendered once.
  static func recordingName(_ text: String) -> String {
    "line-\(Digest.text(Digest.sha256(Array(text.utf8))).prefix(16)).m4a"
  }

  /// A recording of so many words: AAC at 64 kbit/s.
  static func byteCount(words: Int) -> UInt64 {
    UInt64(SpeechLength.span(words: words).nanoseconds / 1_000_000 * 8)
  }
}

extension RaceCue {
  /// The place as a trigger.
  var trigger: any Trigger {
    switch place {
    case .atMeters(let meters): DistanceAtTrigger(atMeters: meters)
    case .everyMeters(let meters): DistanceEveryTrigger(everyMeters: meters)
    case .atSeconds(let seconds): TimeTrigger(atSeconds: seconds)
    }
  }
}
