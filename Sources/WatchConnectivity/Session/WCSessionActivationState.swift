/// The state of a session's activation.
public enum WCSessionActivationState: Int, Sendable {
  /// Nothing can be sent, and nothing is delivered.
  case notActivated = 0
  /// A phone's session whose watch is being switched: nothing new can be sent, but what the old watch sent still
  /// arrives.
  case inactive = 1
  /// Everything works.
  case activated = 2
}
