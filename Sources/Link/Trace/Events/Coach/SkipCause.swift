/// Why multiples of a message were passed over.
public enum SkipCause: String, EventWord, Sendable {
  /// The phone received no snapshot between these points and the next.
  case gap
  /// The phone received snapshots there, but did not believe that the run was on.
  case notRunning
  /// A multiple was due, but the window, another line or a full disk held it back until the next point.
  case heldBack
  /// The points were already passed when the script came; the message belongs to no branch.
  case script
  /// The points were already passed when the message's branch opened, or its script came.
  case branch
}
