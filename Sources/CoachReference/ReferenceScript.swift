import CoachProtocol
package import Link

/// The parts of a coaching script that decide which lines are due, parsed independently by the checkers.
package struct ReferenceScript: Sendable {
  /// The condition under which a message is due.
  package enum Trigger: Sendable {
    /// Metres from the start.
    case distance(Double)
    /// Seconds from the start, without pauses.
    case time(Double)
    case halfway
    /// Metres before the planned finish.
    case nearFinish(Double)
    /// Seconds before the planned end.
    case nearEnd(Double)
    /// Each multiple of a number of metres.
    case every(Double)
    /// While an expression is true, at most once per cooldown in nanoseconds.
    case expression(ReferenceExpression, cooldown: Int64, branch: String?)
    /// Unknown, so never due; an accepted script has none.
    case unknown
  }

  /// One line of coaching.
  package struct Message: Sendable {
    package let id: String
    package let trigger: Trigger
    /// The trigger's name in the script.
    package let type: String
    package let priority: Double
    package let playsOnce: Bool
    let branch: String?
  }

  package private(set) var messages: [Message] = []
  private(set) var isBranched = false
  /// How far past its point a line may still be spoken, in metres and in seconds.
  private(set) var graceMeters = 150.0
  private(set) var graceSeconds = 45.0
  /// Bitmask of the variables in all expressions.
  private(set) var variables: UInt16 = 0

  /// Reads a script; nil for anything else, including null.
  package init?(_ node: JSONNode) {
    guard let list = node["messages"], case .array(let elements) = list.value else { return nil }
    isBranched = node["branchPolicy"]?.text == "branched"
    graceMeters = node["grace"]?["meters"]?.double ?? graceMeters
    graceSeconds = node["grace"]?["seconds"]?.double ?? graceSeconds
    for element in elements {
      guard let id = element["id"]?.text, let spec = element["triggerSpec"] else { continue }
      let trigger = Self.trigger(spec)
      if case .expression(let expression, _, _) = trigger { variables |= expression.variables }
      let repeats: Bool
      if case .every = trigger { repeats = true } else { repeats = spec["cooldownSeconds"] != nil }
      messages.append(
        Message(
          id: id, trigger: trigger, type: spec["type"]?.text ?? "", priority: element["priority"]?.double ?? 50,
          playsOnce: element["playOnce"]?.boolean ?? !repeats, branch: element["branchKey"]?.text))
    }
  }

  private static func trigger(_ spec: JSONNode) -> Trigger {
    switch spec["type"]?.text ?? "" {
    case "distance": return distance(spec)
    case "time": return number("atSeconds", of: spec).map { .time($0) } ?? .unknown
    case "halfway": return .halfway
    case "near_finish": return number("remainingMeters", of: spec).map { .nearFinish($0) } ?? .unknown
    case "near_end": return number("remainingSeconds", of: spec).map { .nearEnd($0) } ?? .unknown
    case "condition", "fatigue_zone": return condition(spec)
    default: return .unknown
    }
  }

  private static func number(_ key: String, of spec: JSONNode) -> Double? { spec[key]?.double }

  private static func distance(_ spec: JSONNode) -> Trigger {
    if let meters = number("atMeters", of: spec) { return .distance(meters) }
    if let meters = number("everyMeters", of: spec), meters > 0 { return .every(meters) }
    return .unknown
  }

  private static func condition(_ spec: JSONNode) -> Trigger {
    guard let text = spec["expression"]?.text, let expression = ReferenceExpression(text) else { return .unknown }
    // A cooldown beyond a year never ends within a run.
    let cooldown = min(max(number("cooldownSeconds", of: spec) ?? 0, 0), 31_536_000)
    let branch = spec["branchKey"]?.text
    return .expression(expression, cooldown: Int64(saturating: cooldown * 1e9), branch: branch)
  }
}

extension ReferenceRun {
  /// A run's record of a message.
  package struct Standing: Sendable {
    /// How often it was dispatched, or as a point expired.
    package var spokenCount = 0
    var isOver = false
    var lastDispatch: VirtualTime?
    /// The last multiple spoken, skipped or expired.
    package var lastMultiple: Int64 = 0
    /// The count of the judged snapshot since which it is continuously due; nil while it is not.
    package var dueSince: Int?
    /// The multiple that it is due with.
    package var dueMultiple: Int64 = 0
  }

  /// The fields of a message that decisions need, in one flat value, because every tick reads all of them.
  package struct Rule: Sendable {
    package enum Kind: Sendable { case never, distance, time, every, expression }

    package var kind = Kind.never
    /// Its point, or the interval between its points, in seconds or metres.
    package var at = 0.0
    /// Nanoseconds.
    var cooldown: Int64 = 0
    /// The index of its expression.
    var expression = 0
    /// Whether its expression does more than compare variables with constants.
    var calculates = false
    package var priority: Double
    package var playsOnce: Bool
    /// Whether it is spoken on only one branch.
    var isOnBranch: Bool
    /// The index of its record in the run.
    var slot: Int
  }

  /// The status of a message at a snapshot.
  package enum Standpoint: Equatable {
    case notDue
    /// Due, with its multiple; 0 if it has none.
    case due(multiple: Int64)
    case expired(multiple: Int64)
  }

  /// The id of a rule's message.
  package func id(of index: Int) -> String { script?.messages[index].id ?? "" }
}
