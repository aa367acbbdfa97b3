/// A path into what the athlete of a run really did: `truth.workout.distance`.
enum TruthPath: Sendable, Equatable {
  /// A field of ``TrueWorkoutEnded``: each ended workout has a value.
  case workout(field: String)
  /// How many workouts the athlete ended.
  case workouts
  /// How often users did an act in an app that took it.
  case acts(name: String)

  /// What a value measures.
  enum Measure: Sendable, Equatable {
    /// Millimetres in the trace; metres unless a unit is given.
    case length
    /// Milliseconds in the trace; seconds unless a unit is given.
    case span
    /// Nanoseconds since 1970 in the trace; seconds since 1970 unless a unit is given.
    case instant
    case number, text
  }

  private static let family = "truth."
  private static let ofWorkout = "truth.workout."
  private static let ofActs = "truth.acts."

  /// Reads a path; nil after reporting what exists instead.
  init?(_ value: JSONValueReader) {
    guard let text = value.string() else { return nil }
    if text == "truth.workouts" {
      self = .workouts
    } else if text.hasPrefix(Self.ofActs), AppFact.isName(String(text.dropFirst(Self.ofActs.utf8.count))) {
      self = .acts(name: String(text.dropFirst(Self.ofActs.utf8.count)))
    } else if text.hasPrefix(Self.ofWorkout), Self.measures[String(text.dropFirst(Self.ofWorkout.utf8.count))] != nil {
      self = .workout(field: String(text.dropFirst(Self.ofWorkout.utf8.count)))
    } else {
      let hint = Spelling.nearest(to: text, among: Self.known).map { "; did you mean \"\($0)\"?" } ?? ""
      value.error("found \(quoted(text)), expected \(JSONValueReader.list(Self.known + ["truth.acts.NAME"]))\(hint)")
      return nil
    }
  }

  /// The paths that do not end in the name of an act.
  static var known: [String] { measures.keys.sorted().map { ofWorkout + $0 } + ["truth.workouts"] }

  /// The measures of a workout's fields.
  private static let measures: [String: Measure] = [
    "discipline": .text, "by": .text, "startedAt": .instant, "endedAt": .instant, "active": .span, "stops": .number,
    "distance": .length, "parts": .number, "score": .number,
  ]

  var measure: Measure {
    switch self {
    case .workout(let field): Self.measures[field] ?? .number
    case .workouts, .acts: .number
    }
  }

  /// The lines that it follows from.
  var event: TraceEvent.Name {
    switch self {
    case .workout, .workouts: TrueWorkoutEnded.name
    case .acts: AppActTaken.name
    }
  }
}

extension TruthPath.Measure {
  /// Units by name, each with how many of the trace's own units it has; the first is the default.
  var units: [(name: String, size: Double)] {
    switch self {
    case .length:
      [
        ("m", 1_000), ("mm", 1), ("cm", 10), ("km", 1_000_000), ("in", 25.4), ("ft", 304.8), ("yd", 914.4),
        ("mi", 1_609_344),
      ]
    case .span: [("s", 1_000), ("ms", 1), ("min", 60_000), ("h", 3_600_000)]
    case .instant: [("s", 1e9), ("ms", 1e6), ("ns", 1)]
    case .number, .text: []
    }
  }

  /// What such a value is, in words.
  var text: String {
    switch self {
    case .length: "a length"
    case .span: "a duration"
    case .instant: "an instant"
    case .number: "a number"
    case .text: "a text"
    }
  }
}

/// How far a value may be from the truth.
enum TruthTolerance: Sendable, Equatable {
  /// A share of the true value, such as 0.01.
  case share(Double)
  /// In the units of the trace.
  case absolute(Double)

  /// Reads `"1 %"`, `"5 m"` or a number; nil after reporting what is wrong.
  init?(_ value: JSONValueReader, of measure: TruthPath.Measure) {
    let units = measure.units.map(\.name)
    guard measure != .text else {
      value.refuse(expected: "no \"within\" beside a text, which is equal or not")
      return nil
    }
    let absolute =
      units.isEmpty ? "a number such as 1" : "a number with one of the units \(units.joined(separator: ", "))"
    let expected = measure == .instant ? absolute : "a share such as \"1 %\", or \(absolute)"
    switch value.node.value {
    case .integer, .number:
      guard units.isEmpty, let number = value.number(in: 0...1e18) else {
        if !units.isEmpty { value.refuse(expected: expected) }
        return nil
      }
      self = .absolute(number)
    case .string(let text):
      let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = text.dropFirst(digits.count).drop { $0 == " " }
      guard let number = Double(digits), number.isFinite, number <= 1e18 else {
        value.refuse(expected: expected)
        return nil
      }
      if unit == "%", measure != .instant {
        self = .share(number / 100)
      } else if let size = measure.units.first(where: { $0.name == unit })?.size {
        self = .absolute(number * size)
      } else if unit.isEmpty, units.isEmpty {
        self = .absolute(number)
      } else {
        value.refuse(expected: expected)
        return nil
      }
    case .null, .bool, .array, .object:
      value.refuse(expected: expected)
      return nil
    }
  }

  /// The largest distance from a true value that agrees with it; sums of fractions may differ in the last digit.
  func slack(of truth: Double) -> Double {
    let rounding = 1e-9 * max(1, truth.magnitude)
    switch self {
    case .share(let share): return truth.magnitude * share + rounding
    case .absolute(let distance): return distance + rounding
    }
  }
}
