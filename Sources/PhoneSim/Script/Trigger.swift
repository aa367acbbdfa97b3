package import Link

/// When a line of the script is to be spoken: one shape of a `triggerSpec`.
///
/// A kind of trigger is a file in `Triggers` and a line in ``TriggerCatalog``. It reads its own keys, writes
/// them back, and says how it is judged; judging itself is the engine's, by ``TriggerForm``, so that fifty
/// lines cost no fifty dynamic calls a second.
package protocol Trigger: Sendable, Equatable {
  /// The `type` it is written with; two kinds may share one and differ by ``shapeKey``.
  static var type: String { get }
  /// The key that tells it from others of its type; nil where the type alone does.
  static var shapeKey: String? { get }
  /// One that is right, for tests and reference pages.
  static var example: Self { get }

  /// Reads the keys besides `type`; nil after reporting what is wrong with them.
  init?(_ spec: JSONObjectReader)

  /// The keys besides `type`, in the order they are written.
  var members: [JSONMember] { get }
  /// How it is judged under a plan.
  func form(for plan: Plan) -> TriggerForm
  /// Why it can never hold under a plan, as a sentence without its subject; nil where it can.
  func whyNever(under plan: Plan) -> String?
  /// The branch that becomes active when its line is dispatched; nil for none.
  var branchKey: String? { get }
  /// Whether its line repeats unless the script says otherwise.
  var repeatsByNature: Bool { get }
}

extension Trigger {
  package static var shapeKey: String? { nil }
  package var branchKey: String? { nil }
  package var repeatsByNature: Bool { false }

  /// The whole `triggerSpec`.
  package var specification: JSONValue {
    .object([JSONMember("type", .string(Self.type))] + members)
  }

  /// Tells whether another trigger is of the same kind and says the same.
  func isEqual(to other: any Trigger) -> Bool { (other as? Self) == self }
}

/// How a trigger is judged: the few forms that all kinds come down to.
package enum TriggerForm: Sendable, Equatable {
  /// Reached where the run's distance is at least so many metres.
  case distancePoint(Double)
  /// Reached where the run's elapsed time is at least so many seconds.
  case timePoint(Double)
  /// Reached anew at each multiple of so many metres.
  case everyMultiple(Double)
  /// Holds where the expression is true and so much time has passed since the last dispatch.
  case condition(Expression, cooldown: VirtualTime.Span)
  /// Never reached: the plan lacks what it needs.
  case never

  /// Whether the line belongs to a place of the run, and so expires.
  package var isPositional: Bool {
    switch self {
    case .distancePoint, .timePoint, .everyMultiple: true
    case .condition, .never: false
    }
  }
}

extension JSONObjectReader {
  /// Reads a required number above 0 that a run can have: metres or seconds, at most 10^9.
  func positive(_ key: String) -> Double? {
    guard let number = number(key, in: -.infinity...1e9, required: true) else { return nil }
    guard number > 0 else {
      value(key)?.refuse(expected: "a number above 0")
      return nil
    }
    return number
  }
}

extension JSONMember {
  /// Creates a member from a number, written without decimals where it has none.
  init(_ key: String, number: Double) {
    // Whole numbers below 2^53 are exact both ways.
    if number == number.rounded(), abs(number) < 9_007_199_254_740_992 {
      self.init(key, .integer(Int64(number)))
    } else {
      self.init(key, .number(number))
    }
  }
}
