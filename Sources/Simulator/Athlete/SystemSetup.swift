import HealthSim
import Link

extension SystemSettings {
  private static let services = DeviceService.allCases.map { ($0.rawValue, $0) }
  private static let entriesMax = 1_000

  /// The key as it is read, written and described.
  static let schema = ObjectSchema<Self>(
    "system", "What apps meet that import CoreLocation, CoreMotion, AVFoundation, EventKit and the like.", Self(),
    [
      Field("answer", \.answer, .word, "what the user answers when an app asks for a service"),
      Field(
        "denied", \.denied, .array(of: .choice(services), count: 0...services.count),
        "services to which the user denies access"),
      Field("answerAfter", \.answerAfter, .duration(), "how long the user takes to answer"),
      Field("allowed", \.isAllowedBefore, .bool, "both apps were given all access before the run"),
      Field("accuracy", \.accuracy, .integer(1...1_000), "of positions, in metres"),
      Field("music", \.hasMusic, .bool, "another app plays music on both devices"),
      Field("liveActivities", \.hasLiveActivities, .bool, "the user allows Live Activities"),
      Field(
        "processorPerTurn", \.costOfTurn, .duration(max: .seconds(10)),
        "processor time of an app's turn; 48 s in 60 end an app whose device was untouched for 30 s"),
      Field(
        "appointments", \.appointments, .array(of: .object(SystemAppointment.schema), count: 0...entriesMax),
        "the athlete's appointments"),
      Field(
        "reminders", \.reminders, .array(of: .object(SystemReminder.schema), count: 0...entriesMax),
        "the athlete's reminders"),
      Field(
        "says", \.says, .array(of: .object(SystemSaying.schema), count: 0...entriesMax),
        "what the athlete says: recordings hear it"),
    ])
}

extension SystemAppointment {
  static let schema = ObjectSchema<Self>(
    "system.appointments[]", "An appointment of the athlete.", Self(),
    [
      Field("title", \.title, .string(bytes: 1...200), "its title", .required),
      Field("at", \.at, .instant, "its begin, since the run's start", .required),
      Field("for", \.length, .duration(), "its length"),
      Field("calendar", \.calendar, .string(bytes: 1...200), "the calendar's title"),
      Field("allDay", \.isAllDay, .bool, "it lasts the whole day"),
    ])
}

extension SystemReminder {
  static let schema = ObjectSchema<Self>(
    "system.reminders[]", "A reminder of the athlete.", Self(),
    [
      Field("title", \.title, .string(bytes: 1...200), "its title", .required),
      Field("due", \.due, .instant, "when it is due, since the run's start", .otherwise("no date")),
      Field("done", \.isDone, .bool, "it was done before the run"),
      Field("priority", \.priority, .integer(0...9), "0 none, 1 highest, 9 lowest"),
    ])
}

extension SystemSaying {
  static let schema = ObjectSchema<Self>(
    "system.says[]", "Something that the athlete says.", Self(),
    [
      Field("at", \.at, .instant, "since the run's start", .required),
      Field("text", \.text, .string(bytes: 1...1_000), "the words", .required),
    ])
}
