import CoachProtocol
import Link

/// How the app asks HealthKit and EventKit: what they answer, when, and in which shape.
///
/// The samples are those of ``PhoneHealth``; an import has recorded ones. The stores belong to the system, so they outlive
/// the app and need no state of their own.
struct AppleStores: Sendable {
  enum Answer: Sendable, Equatable {
    /// The samples of the period, as the JSON that the app stages.
    case samples(String)
    case denied
    case unavailable
  }

  private let setup: IngestionSetup
  /// What the stores contain; nil to simulate it.
  let recorded: RecordedAppleData?

  init(setup: IngestionSetup, recorded: RecordedAppleData? = nil) {
    self.setup = setup
    self.recorded = recorded.map { recorded in
      var sorted = recorded
      sorted.finish()
      return sorted
    }
  }

  private func has(_ effect: StoreFailure.Effect, _ type: AppleDataType, at now: VirtualTime) -> Bool {
    setup.failures.contains { $0.effect == effect && $0.applies(to: type, at: now) }
  }

  /// Whether the user lets the app read a type at an instant.
  func isGranted(_ type: AppleDataType, at now: VirtualTime) -> Bool { !has(.denied, type, at: now) }

  /// When a query of this instant is answered.
  func answerTime(_ type: AppleDataType, at now: VirtualTime) -> VirtualTime {
    let slow = setup.failures.first { $0.effect == .slow && $0.applies(to: type, at: now) }
    return now + setup.latency + (slow?.lateness ?? .zero)
  }

  /// Whether the answer of this instant arrives twice.
  func repeats(_ type: AppleDataType, at now: VirtualTime) -> Bool { has(.twice, type, at: now) }

  /// Answers a query for the samples that start in the period of a day.
  ///
  /// - Parameters:
  ///   - health: The phone's health store; nil if there is none.
  ///   - today: The true time in nanoseconds since 1970; nothing has happened after it.
  func answer(
    _ type: AppleDataType, day: LocalDay, health: PhoneHealth?, today: Int64, at now: VirtualTime
  ) -> Answer {
    if has(.denied, type, at: now) { return .denied }
    if has(.unavailable, type, at: now) { return .unavailable }
    let seconds = CalendarDay.floorDivided(today, 1_000_000_000)
    let samples: [AppleSample]
    if let recorded {
      samples = recorded.samples(type, of: day).filter { $0.end <= seconds }
    } else {
      let found = health?.samples(type, of: day, until: seconds, at: now) ?? []
      samples = found.filter { type != .calendar || setup.asksCalendar($0.calendar.title) }
    }
    let isNew = has(.newFormat, type, at: now)
    var elements = samples.map { $0.json(type, isNew: isNew) }
    if has(.twice, type, at: now) { elements += elements }
    return .samples(JSONValue.array(elements).compactText)
  }
}

/// A sample of a store; times in seconds since 1970.
package struct AppleSample: Sendable {
  var id: String
  package var start: Int64
  package var end: Int64
  /// A category's value.
  package var value: String
  /// A quantity, how many attend, or the code of a reminder's state and priority.
  package var amount: Double
  /// The device that recorded it.
  var source = AppleSample.watch

  static let watch = "Apple Watch"

  /// Whether an appointment is an entry for the whole day, and no meeting.
  package var isAllDay: Bool { amount == 0 }
  /// Whether a task is done, and whether its priority is high.
  package var task: (isDone: Bool, isImportant: Bool) { (amount > 1, amount == 2) }

  var quantity: SourceQuantity { SourceQuantity(source: source, time: start..<end, value: amount) }

  /// What attendees answer to an invitation.
  private static let statuses = ["accepted", "declined", "tentative", "pending"]

  /// A number of this sample alone, from its identifier.
  private var number: Int { Int(id.utf8.reduce(UInt64(0)) { ($0 &* 31) &+ UInt64($1) } % 1_000) }

  /// The calendar of an entry: one in three is private.
  package var calendar: (title: String, color: String) { number % 3 == 0 ? ("Personal", "green") : ("Work", "blue") }

  /// The same, corrected afterwards: a quantity is larger by a tenth, a period a minute longer, a task done.
  func corrected(_ type: AppleDataType) -> Self {
    var sample = self
    sample.end += 60
    switch type {
    case .calories, .exercise: sample.amount = amount * 11 / 10
    // Done, and of no high priority.
    case .reminders where amount <= 1: sample.amount = 3
    case .reminders, .sleep, .mindfulness, .calendar: break
    }
    return sample
  }

  /// The record as the app encodes it; `isNew` is for the shape of a newer system.
  func json(_ type: AppleDataType, isNew: Bool) -> JSONNode {
    func date(_ seconds: Int64) -> JSONValue {
      let text = LocalDay.dateText(seconds &* 1_000_000_000)
      return isNew ? .object(of: ["date": text]) : .string(text)
    }
    let (from, to) = (date(start), date(end))
    let members: KeyValuePairs<String, (any JSONConvertible)?>
    switch type {
    case .sleep, .mindfulness:
      members = [
        type.idKey: id, "startDate": from, "endDate": to, "value": value,
        "metadata": JSONValue.object(of: ["HKWasUserEntered": type == .mindfulness]),
      ]
    case .calories, .exercise:
      let quantity = JSONValue.object(of: [
        isNew ? "amount" : "value": amount,
        isNew ? "unitString" : "unit": type == .calories ? "kcal" : "min",
      ])
      members = [
        type.idKey: id, "startDate": from, "endDate": to, "quantity": quantity, "sourceName": source,
      ]
    case .calendar:
      let names = ["Alice", "Bob", "Carol", "Dan"].prefix(Int(min(max(amount, 0), 4)))
      let attendees = names.enumerated().map { index, name in
        JSONValue.object(of: ["name": name, "status": Self.statuses[(number + index) % Self.statuses.count]])
      }
      members = [
        type.idKey: id, "title": "Meeting", "startDate": from, "endDate": to, "isAllDay": isAllDay,
        "calendar": JSONValue.object(of: ["title": calendar.title, "color": calendar.color]), "attendees": attendees,
      ]
    case .reminders:
      let (isDone, isImportant) = task
      members = [
        type.idKey: id, "title": "Task",
        "dueDate": isDone && number % 4 == 0 ? nil : from, isNew ? "isCompleted" : "completed": isDone,
        "completionDate": isDone ? date(end) : nil, "priority": isImportant ? 1 : 5,
        "calendar": JSONValue.object(of: ["title": "Work Tasks"]),
      ]
    }
    return JSONNode(.object(of: members))
  }
}
