/// The state of a workout.
public enum WorkoutState: UInt8, Sendable, EventWord {
  case preparing, running, paused, ended

  /// The name on the wire and in the trace.
  public var text: String {
    switch self {
    case .preparing: "preparing"
    case .running: "running"
    case .paused: "paused"
    case .ended: "ended"
    }
  }

  /// Reads a name; nil for an unknown one.
  public init?(text: String) {
    guard let found = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = found
  }
}
