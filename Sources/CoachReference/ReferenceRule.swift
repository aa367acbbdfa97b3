import Link

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
