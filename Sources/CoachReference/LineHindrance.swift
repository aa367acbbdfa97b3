package import Link

/// What kept a line of the script from being dispatched at one snapshot.
package enum LineHindrance: Sendable, Equatable {
  /// Its point is ahead: the metres, or seconds, that it needs and that the run has reached.
  case ahead(needs: Double, reached: Double, isTime: Bool)
  /// Its condition does not hold: what is missing, and how much of it, as in ``ExpressionShortfall``.
  case unfulfilled(String, distance: Double)
  /// It needs a planned distance or time that the scenario does not have.
  case unplanned
  /// It belongs to a branch that is not active.
  case otherBranch(needs: String, active: String?)
  /// It was dispatched less than its cooldown ago.
  case cooldown(until: VirtualTime)
  /// It was dispatched before, and plays once.
  case played
  /// It, or its latest multiple, expired before.
  case expired
  /// Expired at this snapshot: how far past its point the run was, and how far is allowed.
  case pastGrace(past: Double, grace: Double, isTime: Bool)
  /// Due, but another line was dispatched less than 30 seconds ago.
  case window(until: VirtualTime, after: String)
  /// Due, but another line, with its priority, was dispatched instead.
  case outranked(by: String)
  /// Due, but the phone's disk is full, so no dispatch can be stored.
  case diskFull
  /// Due, but the phone did not dispatch it, and no rule explains it.
  case unexplained
  /// None: it was dispatched.
  case dispatched
  /// The snapshot was not evaluated: the run was believed not to be running.
  case notRunning(belief: String?)

  /// Whether two hindrances are of one kind, so that snapshots in a row are reported together.
  package func isLike(_ other: LineHindrance) -> Bool {
    switch (self, other) {
    case (.ahead, .ahead), (.unfulfilled, .unfulfilled), (.unplanned, .unplanned), (.cooldown, .cooldown),
      (.played, .played), (.expired, .expired), (.diskFull, .diskFull), (.unexplained, .unexplained):
      true
    case (.otherBranch(_, let one), .otherBranch(_, let two)): one == two
    case (.window(let one, _), .window(let two, _)): one == two
    case (.notRunning(let one), .notRunning(let two)): one == two
    default: false
    }
  }

  /// How far the line was from being due, for choosing the nearest miss; nil if there is nothing to compare.
  package var distance: Double? {
    switch self {
    case .ahead(let needs, let reached, _): needs - reached
    case .unfulfilled(_, let distance): distance
    default: nil
    }
  }

  /// Whether the line was due, or had been.
  package var hasComeDue: Bool {
    switch self {
    case .ahead, .unfulfilled, .unplanned, .otherBranch, .notRunning: false
    default: true
    }
  }
}

/// Snapshots in a row at which the same kept a line back.
package struct LineStretch: Sendable, Equatable {
  package var from: VirtualTime
  package var to: VirtualTime
  /// The trace lines of the first and the last snapshot.
  package var firstLine: Int
  package var lastLine: Int
  package var count: Int
  /// At the nearest miss; the last one where there is nothing to compare.
  package var hindrance: LineHindrance
  /// The snapshot of ``hindrance``.
  package var at: VirtualTime
  package var atLine: Int
}

/// The history of one line of the script over a run.
package struct LineHistory: Sendable {
  package let id: String
  package var stretches: [LineStretch] = []

  /// Whether the line was due at any snapshot.
  package var hasComeDue: Bool { stretches.contains { $0.hindrance.hasComeDue } }
  package var wasDispatched: Bool { stretches.contains { $0.hindrance == .dispatched } }

  /// The nearest miss of a line that never came due; nil without a snapshot that was evaluated.
  package var nearest: LineStretch? {
    let missed = stretches.filter { $0.hindrance.distance != nil }
    return missed.min { ($0.hindrance.distance ?? 0) < ($1.hindrance.distance ?? 0) } ?? stretches.last
  }

  mutating func add(_ hindrance: LineHindrance, at time: VirtualTime, line: Int, isGap: Bool) {
    if let last = stretches.indices.last, !isGap, stretches[last].hindrance.isLike(hindrance) {
      stretches[last].to = time
      stretches[last].lastLine = line
      stretches[last].count += 1
      let before = stretches[last].hindrance.distance ?? .infinity
      if (hindrance.distance ?? -.infinity) <= before {
        stretches[last].hindrance = hindrance
        stretches[last].at = time
        stretches[last].atLine = line
      }
      return
    }
    stretches.append(
      LineStretch(
        from: time, to: time, firstLine: line, lastLine: line, count: 1, hindrance: hindrance, at: time, atLine: line))
  }
}

/// How far an expression is from being true, to explain why a line was not due.
struct ExpressionShortfall: Sendable, Equatable {
  /// 0 if it is true; else the sum of what is missing, each relative to its limit.
  ///
  /// An unknown value counts as ``unknownDistance``.
  package var distance: Double
  /// What is missing: `pace_3min_ratio 1.04, needs >= 1.05`; empty if it is true.
  var text: String

  static let unknownDistance = 1e6
}

extension ReferenceExpression {
  /// What an expression needs to become true, and to become false.
  private struct Truth {
    var yes: Gap
    var no: Gap
  }

  private struct Gap {
    var distance: Double
    var parts: [String]

    static let none = Gap(distance: 0, parts: [])

    static func both(_ one: Gap, _ other: Gap) -> Gap {
      Gap(distance: one.distance + other.distance, parts: one.parts + other.parts)
    }

    static func nearer(_ one: Gap, _ other: Gap) -> Gap { other.distance < one.distance ? other : one }
  }

  private enum Item {
    case number(Double, name: String?)
    case truth(Truth)
  }

  /// Computes what a part of a program lacks to be true.
  ///
  /// - Parameters:
  ///   - program: The steps of several expressions.
  ///   - range: Those of this one.
  ///   - values: Indexed by ``Variable``; unknown values are NaN.
  static func shortfall(_ program: [Step], _ range: Range<Int>, values: [Double]) -> ExpressionShortfall {
    var stack: [Item] = []
    for step in program[range] { apply(step, values, &stack) }
    guard case .truth(let truth)? = stack.last else {
      return ExpressionShortfall(distance: ExpressionShortfall.unknownDistance, text: "it cannot be read")
    }
    return ExpressionShortfall(distance: truth.yes.distance, text: truth.yes.parts.joined(separator: "; "))
  }

  private static func apply(_ step: Step, _ values: [Double], _ stack: inout [Item]) {
    switch step {
    case .constant(let value): stack.append(.number(value, name: nil))
    case .variable(let index): stack.append(.number(values[index], name: name(index)))
    case .test(let index, let comparison, let value):
      stack.append(.truth(compare((values[index], name(index)), comparison, (value, nil))))
    case .negate:
      let (value, name) = popNumber(&stack)
      stack.append(.number(-value, name: name.map { "-\($0)" }))
    case .add: join(&stack, "+", +)
    case .subtract: join(&stack, "-", -)
    case .multiply: join(&stack, "*", *)
    case .divide: join(&stack, "/") { $1 == 0 ? .nan : $0 / $1 }
    case .compare(let comparison):
      let right = popNumber(&stack)
      let left = popNumber(&stack)
      stack.append(.truth(compare(left, comparison, right)))
    case .not:
      let truth = popTruth(&stack)
      stack.append(.truth(Truth(yes: truth.no, no: truth.yes)))
    case .and:
      let (right, left) = (popTruth(&stack), popTruth(&stack))
      stack.append(.truth(Truth(yes: .both(left.yes, right.yes), no: .nearer(left.no, right.no))))
    case .or:
      let (right, left) = (popTruth(&stack), popTruth(&stack))
      stack.append(.truth(Truth(yes: .nearer(left.yes, right.yes), no: .both(left.no, right.no))))
    case .leave: break  // Both sides are wanted here.
    }
  }

  private static func name(_ index: Int) -> String { Variable(rawValue: index)?.name ?? "?" }

  private static func popNumber(_ stack: inout [Item]) -> (value: Double, name: String?) {
    if case .number(let value, let name)? = stack.popLast() { return (value, name) }
    return (.nan, nil)
  }

  private static func popTruth(_ stack: inout [Item]) -> Truth {
    if case .truth(let truth)? = stack.popLast() { return truth }
    return Truth(yes: .none, no: .none)
  }

  private static func join(_ stack: inout [Item], _ sign: String, _ operation: (Double, Double) -> Double) {
    let right = popNumber(&stack)
    let left = popNumber(&stack)
    let name =
      left.name == nil && right.name == nil
      ? nil : "\(left.name ?? text(left.value)) \(sign) \(right.name ?? text(right.value))"
    stack.append(.number(operation(left.value, right.value), name: name))
  }

  private static func compare(
    _ left: (value: Double, name: String?), _ comparison: Comparison, _ right: (value: Double, name: String?)
  ) -> Truth {
    let names = [left, right].filter { !$0.value.isFinite }.compactMap(\.name)
    guard left.value.isFinite, right.value.isFinite else {
      let gap = Gap(
        distance: ExpressionShortfall.unknownDistance,
        parts: ["\(names.isEmpty ? "a value" : names.joined(separator: ", ")) is not known"])
      return Truth(yes: gap, no: gap)
    }
    let scale = max(abs(right.value), abs(left.value), 1e-9)
    let margin = max(abs(left.value - right.value) / scale, 1e-9)
    let holds = comparison.truth(left.value, right.value) == 1
    func gap(_ needed: Comparison) -> Gap {
      let limit = right.name.map { "\($0) (\(text(right.value)))" } ?? text(right.value)
      let subject = left.name.map { "\($0) \(text(left.value))" } ?? text(left.value)
      return Gap(distance: margin, parts: ["\(subject), needs \(needed.rawValue) \(limit)"])
    }
    return holds ? Truth(yes: .none, no: gap(comparison.opposite)) : Truth(yes: gap(comparison), no: .none)
  }

  /// A number with up to three decimals.
  private static func text(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    var text = ""
    TraceValue.number(value, places: 3).append(to: &text)
    return text
  }
}

extension ReferenceExpression.Comparison {
  /// The negated comparison.
  var opposite: Self {
    switch self {
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    case .equal: .notEqual
    case .notEqual: .equal
    }
  }
}
