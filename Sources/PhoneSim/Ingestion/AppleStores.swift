import CoachProtocol
import Link

/// How the app asks HealthKit and EventKit: what they answer, when, and in which shape.
///
/// HealthKit's samples are those of ``PhoneHealth``; EventKit's are drawn here, as a function of seed, type and day. An import
/// has recorded ones. The stores belong to the system, so they outlive the app and need no state of their own.
struct AppleStores: Sendable {
  enum Answer: Sendable, Equatable {
    /// The samples of the period, as the JSON that the app stages.
    case samples(String)
    case denied
    case unavailable
  }

  private let random: RandomStream
  private let setup: IngestionSetup
  /// What the stores contain; nil to simulate it.
  let recorded: RecordedAppleData?

  init(seed: UInt64, setup: IngestionSetup, recorded: RecordedAppleData? = nil) {
    random = RandomStream(seed: seed, name: "phone.apple")
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
  ///   - begin: The period's start in nanoseconds since 1970; it lasts 24 hours.
  ///   - health: The phone's health store; nil if there is none.
  ///   - today: The true time in nanoseconds since 1970; nothing has happened after it.
  func answer(
    _ type: AppleDataType, day: LocalDay, begin: Int64, health: PhoneHealth?, today: Int64, at now: VirtualTime
  ) -> Answer {
    if has(.denied, type, at: now) { return .denied }
    if has(.unavailable, type, at: now) { return .unavailable }
    let seconds = CalendarDay.floorDivided(today, 1_000_000_000)
    let samples: [AppleSample]
    if let recorded {
      samples = recorded.samples(type, of: day).filter { $0.end <= seconds }
    } else if type.source == "HealthKit" {
      samples = health?.samples(type, of: day, until: seconds, at: now) ?? []
    } else {
      let entries = entries(type, day, first: CalendarDay.floorDivided(begin, 1_000_000_000))
      let asked = entries.filter { type != .calendar || setup.asksCalendar($0.calendar.title) }
      samples = setup.failures.changing(asked.filter { $0.end <= seconds }, type, at: now)
    }
    let isNew = has(.newFormat, type, at: now)
    var elements = samples.map { $0.json(type, isNew: isNew) }
    if has(.twice, type, at: now) { elements += elements }
    return .samples(JSONValue.array(elements).compactText)
  }

  /// EventKit's entries of a day, by their start; `first` in seconds since 1970.
  private func entries(_ type: AppleDataType, _ day: LocalDay, first: Int64) -> [AppleSample] {
    let stream = random.appending(".\(type.rawValue)")
    let key = UInt64(bitPattern: day.number)
    func draw(_ number: Int, below bound: UInt64) -> Int64 {
      Int64(stream.number(below: bound, for: key, draw: UInt64(number)))
    }
    let number = setup.samples ?? Int(draw(0, below: 5))
    // From six in the morning on, within 16 hours.
    let step = Int64(57_600 / max(number, 1))
    return (0..<number).map { index in
      let start = first + 21_600 + Int64(index) * step
      let length = min(step, 300 + draw(2 * index + 1, below: 40) * 60)
      return AppleSample(
        id: Identifier(stream, for: UInt64(bitPattern: start)).text, start: start, end: start + length, value: "",
        amount: Double(draw(2 * index + 2, below: 5)))
    }
  }
}

/// A sample of a store; times in seconds since 1970.
struct AppleSample: Sendable {
  var id: String
  var start: Int64
  var end: Int64
  /// A category's value.
  var value: String
  /// A quantity, or the code of a reminder's state and priority.
  var amount: Double
  /// The device that recorded it.
  var source = AppleSample.watch

  static let watch = "Apple Watch"

  var quantity: SourceQuantity { SourceQuantity(source: source, time: start..<end, value: amount) }

  /// What attendees answer to an invitation.
  private static let statuses = ["accepted", "declined", "tentative", "pending"]

  /// A number of this sample alone, from its identifier.
  private var number: Int { Int(id.utf8.reduce(UInt64(0)) { ($0 &* 31) &+ UInt64($1) } % 1_000) }

  /// The calendar of an entry: one in three is private.
  var calendar: (title: String, color: String) { number % 3 == 0 ? ("Personal", "green") : ("Work", "blue") }

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
        type.idKey: id, "title": "Meeting", "startDate": from, "endDate": to, "isAllDay": amount == 0,
        "calendar": JSONValue.object(of: ["title": calendar.title, "color": calendar.color]), "attendees": attendees,
      ]
    case .reminders:
      let isDone = amount > 1
      members = [
        type.idKey: id, "title": "Task",
        "dueDate": isDone && number % 4 == 0 ? nil : from, isNew ? "isCompleted" : "completed": isDone,
        "completionDate": isDone ? date(end) : nil, "priority": amount == 2 ? 1 : 5,
        "calendar": JSONValue.object(of: ["title": "Work Tasks"]),
      ]
    }
    return JSONNode(.object(of: members))
  }
}
