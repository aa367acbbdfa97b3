import CoachProtocol
import Link

/// How much of each kind is drawn for an athlete's days: a scenario's `athlete.draw`.
package struct AthleteDraw: Sendable, Equatable {
  /// How long the run is.
  var days = CountRange(1, 2)
  /// Of a day.
  var workouts = CountRange(0, 3)
  /// Which are done.
  var disciplines = TrainingDiscipline.allCases
  /// How long a workout is, without the pauses of its athlete.
  var length = SpanRange(.seconds(30), .seconds(1_200))
  /// Of a workout.
  var pauses = CountRange(0, 2)
  /// Of a day, and corrections among them.
  var meals = CountRange(0, 4)
  /// Of a day: what the user asks the phone's app for.
  var syncs = CountRange(0, 3)
  /// Of a day: what the user changes of what is stored.
  var edits = CountRange(0, 3)
  /// Of a run: clocks set wrong, and right again.
  var clocks = CountRange(0, 1)
  /// Of a run: cuts of the link, when something happens.
  var cuts = CountRange(0, 3)
  /// Of a run: deaths of apps, when something happens.
  var crashes = CountRange(0, 1)
  /// Of a run: permissions taken and given, and stores that change or fail.
  var denials = CountRange(0, 2)
  /// Of a run.
  var flights = CountRange(0, 1)
  /// Whether links, edge, health store and plan are drawn, as far as the scenario does not say.
  var drawsSettings = true

  package init() {}

  /// What a run can hold of workouts.
  private static let daysMax: Int64 = 14
  private static let perDayMax: Int64 = 16

  static let schema = ObjectSchema<Self>(
    "athlete.draw",
    "How much is drawn for each seed. A number is exact, `{ least, most }` a range, both allowed.",
    Self(),
    [
      Field("days", \.days, .countRange(1...daysMax), "how many days the run has: its `duration`"),
      Field("workouts", \.workouts, .countRange(0...perDayMax), "workouts of a day; at most 32 in all"),
      Field(
        "disciplines", \.disciplines, .array(of: .word, count: 1...TrainingDiscipline.allCases.count),
        "what they are", .otherwise("all")),
      Field(
        "length", \.length, .spanRange(.seconds(10)...(.hours(12))),
        "how long one is, without the pauses that the athlete makes"),
      Field("pauses", \.pauses, .countRange(0...20), "pauses of a workout, at awkward moments among others"),
      Field("meals", \.meals, .countRange(0...24), "meals of a day; some are removed, some were eaten before"),
      Field("syncs", \.syncs, .countRange(0...100), "how often a day the user asks the app to fetch or to post"),
      Field(
        "edits", \.edits, .countRange(0...50),
        "how often a day the user changes something that is stored: shots, scores, photos, sessions"),
      Field("clocks", \.clocks, .countRange(0...20), "of the run: clocks that are set wrong, and right again"),
      Field(
        "cuts", \.cuts, .countRange(0...50),
        "of the run: times without a link, near a start, an end or another press, or over an end and the next start"),
      Field(
        "crashes", \.crashes, .countRange(0...50), "of the run: an app that dies near one of these, and starts again"),
      Field(
        "denials", \.denials, .countRange(0...20),
        "of the run: permissions that are taken and given again, and samples that change or are missing for a while"),
      Field("flights", \.flights, .countRange(0...10), "of the run: changes of the time zone"),
      Field(
        "settings", \.drawsSettings, .bool,
        "whether `link`, `uplink`, `edge`, `health` and `plan` are drawn where the scenario has no such key"),
    ]
  ) { draw, reader in draw.check(reader) }

  /// Reports bounds that no day can satisfy; false after that.
  private func check(_ reader: JSONObjectReader) -> Bool {
    let least = days.least * workouts.least
    if least > Scenario.workoutsMax {
      let found = "found at least \(workouts.least) workouts on at least \(days.least) days"
      (reader.value("workouts") ?? reader.value("days"))?.error(
        "\(found), expected at most \(Scenario.workoutsMax) workouts in a run")
      return false
    }
    let filled = VirtualTime.Span(nanoseconds: length.least.nanoseconds * Int64(workouts.least))
    if filled > .hours(20) {
      (reader.value("length") ?? reader.value("workouts"))?.error(
        "found at least \(workouts.least) workouts a day of at least \(DurationText.text(length.least)),"
          + " expected at most 20h of workouts in a day")
      return false
    }
    if Set(disciplines).count < disciplines.count {
      reader.value("disciplines")?.refuse(expected: "each discipline once")
      return false
    }
    return true
  }
}

/// A range of counts; both bounds are allowed.
struct CountRange: Sendable, Equatable {
  var least: Int
  var most: Int

  init(_ least: Int, _ most: Int) { (self.least, self.most) = (least, most) }
}

/// A range of durations; both bounds are allowed.
struct SpanRange: Sendable, Equatable {
  var least: VirtualTime.Span
  var most: VirtualTime.Span

  init(_ least: VirtualTime.Span, _ most: VirtualTime.Span) { (self.least, self.most) = (least, most) }
}

extension ValueSchema where Value == CountRange {
  /// A whole number, or its bounds.
  fileprivate static func countRange(_ bounds: ClosedRange<Int64>) -> Self {
    let number = ValueSchema<Int>.integer(bounds)
    let schema = ObjectSchema<CountRange>(
      "a range of numbers", "A range; both bounds are allowed.",
      CountRange(Int(bounds.lowerBound), Int(bounds.upperBound)),
      [
        Field("least", \.least, number, "at least", .required), Field("most", \.most, number, "at most", .required),
      ]
    ) { range, reader in
      guard range.least > range.most else { return true }
      reader.value("least")?.refuse(expected: "at most \(range.most), which is most")
      return false
    }
    return Self(
      .named(
        "\(bounds.lowerBound) to \(bounds.upperBound), or { least, most }",
        .either([number.description, .object(schema.description)])),
      read: { value in
        if case .object = value.node.value { return value.object().flatMap { schema.readWhole($0) } }
        return number.read(value).map { CountRange($0, $0) }
      },
      write: { range, style in
        range.least == range.most ? .integer(Int64(range.least)) : .object(schema.members(of: range, style))
      })
  }
}

extension ValueSchema where Value == SpanRange {
  /// A duration, or its bounds: `"2s..60s"`, or an object.
  static func spanRange(_ bounds: ClosedRange<VirtualTime.Span>) -> Self {
    let span = ValueSchema<VirtualTime.Span>.duration(bounds)
    let schema = ObjectSchema<SpanRange>(
      "a range of durations", "A range; both bounds are allowed.", SpanRange(bounds.lowerBound, bounds.upperBound),
      [Field("least", \.least, span, "at least", .required), Field("most", \.most, span, "at most", .required)]
    ) { range, reader in
      guard range.least > range.most else { return true }
      reader.value("least")?.refuse(expected: "at most \(DurationText.text(range.most)), which is most")
      return false
    }
    return Self(
      .named(
        "duration, \(DurationText.text(bounds.lowerBound)) to \(DurationText.text(bounds.upperBound)), or a range: \"2s..60s\" or { least, most }",
        .either([span.description, .string(), .object(schema.description)])),
      read: { value in
        if case .object = value.node.value { return value.object().flatMap { schema.readWhole($0) } }
        if case .string(let text) = value.node.value, let range = text.firstRange(of: "..") {
          let parts = [text[..<range.lowerBound], text[range.upperBound...]].map { part in
            JSONValueReader(
              JSONNode(.string(String(part)), at: value.node.position), path: value.path, into: value.collector)
          }
          guard let least = span.read(parts[0]), let most = span.read(parts[1]) else { return nil }
          guard least <= most else {
            value.refuse(expected: "a range whose first bound is not above the second")
            return nil
          }
          return SpanRange(least, most)
        }
        return span.read(value).map { SpanRange($0, $0) }
      },
      write: { range, style in
        range.least == range.most ? span.write(range.least, style) : .object(schema.members(of: range, style))
      })
  }
}
