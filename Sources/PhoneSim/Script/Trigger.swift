package import Link

/// When a line of the script is spoken: one shape of a `triggerSpec`.
///
/// A kind of trigger is a file in `Triggers` and a line in ``TriggerCatalog``. It reads its own keys, writes them back,
/// and gives its ``TriggerForm``; the engine judges forms, so that fifty lines do not cost fifty dynamic calls a
/// second.
package protocol Trigger: Sendable, Equatable {
  /// The `type` in a script; two kinds may share one and differ by ``shapeKey``.
  static var type: String { get }
  /// The key that tells it from others of its type; nil if the type is enough.
  static var shapeKey: String? { get }
  /// A valid one, for tests and reference pages.
  static var example: Self { get }

  /// Reads the keys besides `type`; nil after reporting errors.
  init?(_ spec: JSONObjectReader)

  /// The keys besides `type`, in canonical order.
  var members: [JSONMember] { get }
  /// How it is judged under a plan.
  func form(for plan: Plan) -> TriggerForm
  /// Why it can never hold under a plan, as a sentence without its subject; nil if it can.
  func whyNever(under plan: Plan) -> String?
  /// When its line is due, as a story says it: `at 3 km`, `400 m to go`.
  ///
  /// - Parameter multiple: Which multiple of a repeating line it is about, from 1; nil for the line as a whole.
  func phrase(multiple: Int64?) -> String
  /// The same where the script is unknown: `near the finish`.
  static var vaguePhrase: String { get }
  /// The branch that a dispatch of its line activates, if any.
  var branchKey: String? { get }
  /// Whether its line repeats unless the script says otherwise.
  var repeatsByNature: Bool { get }
}

extension Trigger {
  package static var shapeKey: String? { nil }
  package var branchKey: String? { nil }
  package var repeatsByNature: Bool { false }

  /// The complete `triggerSpec`.
  package var specification: JSONValue {
    .object([JSONMember("type", .string(Self.type))] + members)
  }

  /// Whether another trigger has the same kind and fields.
  func isEqual(to other: any Trigger) -> Bool { (other as? Self) == self }
}

/// A trigger with one key besides `type`: a number of metres or seconds above 0.
package protocol NumberTrigger: Trigger {
  static var key: String { get }
  static var number: any WritableKeyPath<Self, Double> & Sendable { get }
}

extension NumberTrigger {
  package init?(_ spec: JSONObjectReader) {
    guard let number = spec.positive(Self.key) else { return nil }
    self = Self.example
    self[keyPath: Self.number] = number
  }

  package var members: [JSONMember] { [JSONMember(Self.key, .plain(self[keyPath: Self.number]))] }
}

/// How a trigger is judged; all kinds map to these few forms.
package enum TriggerForm: Sendable, Equatable {
  /// Reached at this distance in metres.
  case distancePoint(Double)
  /// Reached at this elapsed time in seconds.
  case timePoint(Double)
  /// Reached at each multiple of this many metres.
  case everyMultiple(Double)
  /// Holds if the expression is true and the cooldown since the last dispatch has passed.
  case condition(Expression, cooldown: VirtualTime.Span)
  /// Never reached: the plan lacks what it needs.
  case never
}

extension JSONObjectReader {
  /// Reads a required number above 0 and at most 10^9, in metres or seconds.
  func positive(_ key: String) -> Double? {
    guard let number = number(key, in: -.infinity...1e9, required: true) else { return nil }
    guard number > 0 else {
      value(key)?.refuse(expected: "a number above 0")
      return nil
    }
    return number
  }
}
