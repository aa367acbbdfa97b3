import Link

extension ReferenceRun {
  /// What a run remembers of a message.
  struct Standing: Sendable {
    /// Dispatched, or as a point expired: never due again.
    var spokenCount = 0
    var isOver = false
    var lastDispatch: VirtualTime?
    /// The last multiple spoken, skipped or expired.
    var lastMultiple: Int64 = 0
    /// The count of the judged snapshot since which it is due without a break; nil while it is not.
    var dueSince: Int?
    /// The multiple that it is due with.
    var dueMultiple: Int64 = 0
  }

  /// What deciding needs of a message, in one flat value: a tick looks at every one of them.
  struct Rule: Sendable {
    enum Kind: Sendable { case never, distance, time, every, expression }

    var kind = Kind.never
    /// Its point, or the distance between its points; seconds or metres.
    var at = 0.0
    /// Nanoseconds.
    var cooldown: Int64 = 0
    /// Its place among the expressions.
    var expression = 0
    var priority: Double
    var playsOnce: Bool
    /// Whether it is spoken on one branch only.
    var isOnBranch: Bool
    /// Where the run remembers it.
    var slot: Int
  }

  /// What a message is at a snapshot.
  enum Standpoint: Equatable {
    case notDue
    /// With its multiple; 0 where it has none.
    case due(multiple: Int64)
    case expired(multiple: Int64)
  }
}
