import Console
import CoachProtocol
package import Link
import PhoneSim
import WatchSim

extension Scenario {
  /// A user's action at an instant: an element of `workout.events` and `phone.events`.
  package struct TimedCommand: Sendable, Equatable {
    package var at: VirtualTime
    package var command: NodeCommand
    /// The place of its `do` in the file; empty for one that no event orders.
    var path = ""
    var position = TextPosition.nowhere
  }
}

extension Scenario.TimedCommand {
  /// The actions on the watch.
  static let watchForms: [CommandForm<Void>] =
    [
      CommandForm("pause", "pauses the workout", ()), CommandForm("resume", "continues it", ()),
      CommandForm("end", "ends it", ()), RecordCommand.form("talk", "takes a voice note").erased,
      CommandForm("sendAgain", "sends the workout's events once more, by message", ()), GhostCommand.form.erased,
    ] + ProbeCommand.forms.map(\.erased)

  /// The tap on the watch's complication.
  static let start = "start"

  /// The action by which the phone requests a run.
  package static let startWorkout = "startWorkout"

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
  static let phoneForms: [CommandForm<Void>] =
    system + IngestionCommand.forms.map(\.erased) + DailyCommand.forms.map(\.erased)
    + TrainingCommand.forms.map(\.erased) + VoiceCommand.forms.map(\.erased) + ProbeCommand.forms.map(\.erased)

  private static let system: [CommandForm<Void>] = [
    CommandForm("mute", "mutes the coach", ()), CommandForm("unmute", "lets it speak again", ()),
    CommandForm("interrupt", "begins an interruption: a phone call", ()),
    CommandForm(
      "interruptionEnd", "ends it", false,
      [Field("shouldResume", \.self, .bool, "whether the queue goes on, instead of being emptied")]
    ) { _, _ in () },
    RecordCommand.form(RecordCommand.word, "takes a voice note").erased,
    CommandForm("findWatch", "has the watch tap and ring, if it is reached within 10 s", ()),
    CommandForm("history", "looks at the list of runs; with `health`", ()),
    CommandForm("wipe", "deletes all that the app keeps of workouts and athlete; with `health`", ()),
    CommandForm(
      startWorkout,
      "asks the watch to [start](built-in-apps.md#starts-by-the-phone) a workout; refused after the last one", ()),
    CommandForm("endWorkout", "ends it", ()),
    CommandForm(
      "switchWatch", "pairs another watch of an app of your own ([activation](your-app-reference.md#behaviour))", ()),
    CommandForm(unpairWatch, "cuts the link until `pairWatch`, or until the run's end; for an app of your own", ()),
    CommandForm(pairWatch, "pairs the watch again", ()),
    CommandForm("disableComplication", "takes the complication of an app of your own off the watch's face", ()),
    CommandForm("enableComplication", "puts it back", ()),
  ]

  /// An event.
  ///
  /// - Parameters:
  ///   - name: Its name in the JSON Schema.
  ///   - about: What it is, for the reference page.
  ///   - forms: One for each value of `do`.
  static func schema(_ name: String, _ about: String, _ forms: [CommandForm<Void>]) -> ValueSchema<Self> {
    ValueSchema(
      .object(ObjectDescription(name, about, forms: forms)),
      read: { value in
        guard let reader = value.object() else { return nil }
        let at = reader.duration("at", required: true)
        guard let what = reader.value("do", required: true), let form = what.oneOf(forms.map { ($0.name, $0) }),
          form.read(reader) != nil
        else { return nil }
        reader.finish()
        guard let at else { return nil }
        let members = reader.members.filter { $0.key != "at" && $0.key != "do" }
        let arguments = JSONOutput.line(members)
        return Self(
          at: .start + at, command: NodeCommand(form.name, arguments: arguments), path: what.path,
          position: what.node.position)
      },
      write: { timed, style in
        var members = [JSONMember("at", ValueSchema.instant.write(timed.at, style))]
        members.append(JSONMember("do", .string(timed.command.name)))
        if let more = try? JSONParser.parse(timed.command.arguments, dialect: .json),
          case .object(let arguments) = more.value
        {
          members += arguments
        }
        return .object(members)
      })
  }
}
