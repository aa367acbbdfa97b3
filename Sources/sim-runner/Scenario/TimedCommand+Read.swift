import CoachProtocol
import Link
import PhoneSim
import WatchSim

/// Users' actions: `workout.events` and `phone.events` of a scenario.
extension Scenario.TimedCommand {
  /// A value of `do`, and how its event is read.
  struct Word: Sendable {
    /// The value.
    var name: String
    /// Reads the members beside `at` and `do`; false after reporting errors.
    var read: @Sendable (JSONObjectReader) -> Bool
    /// A value with flags, or without other members.
    static func plain(_ name: String, flags: [String] = []) -> Word {
      Word(name: name) { reader in
        for flag in flags { _ = reader.bool(flag) }
        return true
      }
    }
  }

  /// Test traffic, which both devices support.
  private static let probes = ProbeCommand.words.map { name in
    Word(name: name) { ProbeCommand(name, $0) != nil }
  }

  /// The actions on the watch.
  static let watchWords =
    [
      Word.plain("pause"), .plain("resume"), .plain("end"),
      Word(name: "talk") { RecordCommand($0) != nil },
      .plain("sendAgain"), Word(name: GhostCommand.word) { GhostCommand($0) != nil },
    ] + probes

  /// The action by which the phone requests a run.
  static let startWorkout = "startWorkout"

  /// The actions that unpair the phone's watch, and pair it again.
  static let unpairWatch = "unpairWatch"
  static let pairWatch = "pairWatch"

  /// Whether the watch is paired after an event; nil for one that does not concern that.
  static func isPaired(after name: String) -> Bool? {
    switch name {
    case unpairWatch: false
    case pairWatch: true
    default: nil
    }
  }

  /// The actions on the phone, and events that happen to it.
  static let phoneWords =
    [
      Word.plain("mute"), .plain("unmute"), .plain("interrupt"), .plain("interruptionEnd", flags: ["shouldResume"]),
      Word(name: RecordCommand.word) { RecordCommand($0) != nil }, .plain("history"), .plain("wipe"),
      .plain(startWorkout), .plain("endWorkout"), .plain("switchWatch"),
      .plain(unpairWatch), .plain(pairWatch), .plain("disableComplication"), .plain("enableComplication"),
    ] + IngestionCommand.words.map { word in Word(name: word) { IngestionCommand(word, $0) != nil } }
    + DailyCommand.words.map { word in Word(name: word) { DailyCommand(word, $0) != nil } }
    + TrainingCommand.words.map { word in Word(name: word) { TrainingCommand(word, $0) != nil } } + probes

  /// Reads a list of events; reports and skips invalid ones.
  ///
  /// - Parameter onStart: Receives the `do` of each ``startWorkout`` among them, in order.
  static func read(
    _ list: [JSONValueReader], words: [Word], onStart: (JSONValueReader) -> Void = { _ in }
  ) -> [Scenario.TimedCommand] {
    var commands: [Scenario.TimedCommand] = []
    for element in list {
      guard let reader = element.object() else { continue }
      let at = reader.duration("at", required: true)
      guard let what = reader.value("do", required: true),
        let word = what.oneOf(words.map { ($0.name, $0) })
      else { continue }
      guard word.read(reader) else { continue }
      reader.finish()
      guard let at else { continue }
      if word.name == startWorkout { onStart(what) }
      let members = reader.members.filter { $0.key != "at" && $0.key != "do" }
      let arguments = String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self)
      commands.append(
        Scenario.TimedCommand(
          at: .start + at, command: NodeCommand(word.name, arguments: arguments), position: what.node.position))
    }
    return commands
  }
}
