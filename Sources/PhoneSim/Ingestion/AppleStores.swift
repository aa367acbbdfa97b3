import CoachProtocol
import Link

/// The HealthKit and EventKit stores: simulated, as a function of seed, type, day and time, or recorded.
///
/// They belong to the system, so they outlive the app and need no state of their own.
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
  ///   - today: The true time in nanoseconds since 1970; nothing has happened after it.
  func answer(_ type: AppleDataType, day: LocalDay, begin: Int64, today: Int64, at now: VirtualTime) -> Answer {
    if has(.denied, type, at: now) { return .denied }
    if has(.unavailable, type, at: now) { return .unavailable }
    let first = begin / 1_000_000_000
    var samples =
      recorded?.samples(type, of: day) ?? Self.samples(type, day, first: first, count: setup.samples, random)
    samples.removeAll { $0.end > today / 1_000_000_000 }
    if has(.delete, type, at: now) { samples = samples.enumerated().filter { $0.offset % 2 == 1 }.map(\.element) }
    let isCorrected = has(.correct, type, at: now)
    let isNew = has(.newFormat, type, at: now)
    var elements = samples.map { $0.json(type, isCorrected: isCorrected, isNew: isNew) }
    if has(.twice, type, at: now) { elements += elements }
    return .samples(JSONValue.array(elements).compactText)
  }

  // MARK: Samples

  /// The samples of a day, by their start; `first` in seconds since 1970.
  private static func samples(
    _ type: AppleDataType, _ day: LocalDay, first: Int64, count: Int?, _ random: RandomStream
  ) -> [AppleSample] {
    let stream = random.appending(".\(type.rawValue)")
    let key = UInt64(bitPattern: day.number)
    func draw(_ number: Int, below bound: UInt64) -> Int64 {
      Int64(stream.number(below: bound, for: key, draw: UInt64(number)))
    }
    if type == .sleep { return night(first: first, stream, key: key) }
    let drawn = [AppleDataType.calories: 16, .exercise: Int(draw(0, below: 3)), .mindfulness: Int(draw(0, below: 3))]
    let number = count ?? drawn[type] ?? Int(draw(0, below: 5))
    // From six in the morning on, within 16 hours.
    let step = Int64(57_600 / max(number, 1))
    return (0..<number).map { index in
      let start = first + 21_600 + Int64(index) * step
      let length = type == .calories ? step : min(step, 300 + draw(2 * index + 1, below: 40) * 60)
      let amount = type == .calories ? 10 + draw(2 * index + 2, below: 300) : draw(2 * index + 2, below: 5)
      return AppleSample(
        id: Identifier(stream, for: RandomStream.key(key, UInt64(index))).text, start: start, end: start + length,
        value: type == .mindfulness ? "notApplicable" : "", amount: Double(type == .exercise ? length / 60 : amount))
    }
  }

  /// In bed from about eleven, with the stages of sleep; `first` is noon.
  private static func night(first: Int64, _ stream: RandomStream, key: UInt64) -> [AppleSample] {
    func draw(_ number: Int, below bound: UInt64) -> Int64 {
      Int64(stream.number(below: bound, for: key, draw: UInt64(number)))
    }
    let bed = first + 37_800 + draw(0, below: 60) * 60
    let up = bed + 25_200 + draw(1, below: 120) * 60
    func id(_ index: UInt64) -> String { Identifier(stream, for: RandomStream.key(key, index)).text }
    var samples = [AppleSample(id: id(0), start: bed, end: up, value: "inBed", amount: 0)]
    var start = bed + 600
    for index in 0..<12 {
      let end = start + 1_200 + draw(index + 2, below: 20) * 60
      guard end < up else { break }
      let stage = index % 5 == 4 ? "awake" : ["core", "deep", "core", "REM"][index % 4]
      samples.append(AppleSample(id: id(UInt64(index) + 1), start: start, end: end, value: stage, amount: 0))
      start = end
    }
    return samples
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
  var source = "Apple Watch"

  /// The record as the app encodes it.
  ///
  /// - Parameters:
  ///   - isCorrected: A quantity is larger by a tenth, a period a minute longer.
  ///   - isNew: In the shape of a newer system.
  func json(_ type: AppleDataType, isCorrected: Bool, isNew: Bool) -> JSONNode {
    let last = isCorrected ? end + 60 : end
    func date(_ seconds: Int64) -> JSONValue {
      let text = LocalDay.dateText(seconds &* 1_000_000_000)
      return isNew ? .object(of: ["date": text]) : .string(text)
    }
    let (from, to) = (date(start), date(last))
    let members: KeyValuePairs<String, (any JSONConvertible)?>
    switch type {
    case .sleep, .mindfulness:
      members = [
        type.idKey: id, "startDate": from, "endDate": to, "value": value,
        "metadata": JSONValue.object(of: ["HKWasUserEntered": type == .mindfulness]),
      ]
    case .calories, .exercise:
      let quantity = JSONValue.object(of: [
        isNew ? "amount" : "value": isCorrected ? amount * 11 / 10 : amount,
        isNew ? "unitString" : "unit": type == .calories ? "kcal" : "min",
      ])
      members = [
        type.idKey: id, "startDate": from, "endDate": to, "quantity": quantity, "sourceName": source,
      ]
    case .calendar:
      let names = ["Alice", "Bob", "Carol", "Dan"].prefix(Int(min(max(amount, 0), 4)))
      members = [
        type.idKey: id, "title": "Meeting", "startDate": from, "endDate": to, "isAllDay": amount == 0,
        "calendar": JSONValue.object(of: ["title": "Work", "color": "blue"]),
        "attendees": names.map { JSONValue.object(of: ["name": $0, "status": "accepted"]) },
      ]
    case .reminders:
      let isDone = isCorrected || amount > 1
      members = [
        type.idKey: id, "title": "Task", "dueDate": from, isNew ? "isCompleted" : "completed": isDone,
        "completionDate": isDone ? date(end) : nil, "priority": amount == 2 ? 1 : 5,
        "calendar": JSONValue.object(of: ["title": "Work Tasks"]),
      ]
    }
    return JSONNode(.object(of: members))
  }
}
