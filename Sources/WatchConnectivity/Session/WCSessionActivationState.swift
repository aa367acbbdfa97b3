/// How far a session's activation has come.
public enum WCSessionActivationState: Int, Sendable {
  /// Nothing can be sent, and nothing is handed over.
  case notActivated = 0
  /// A phone's session whose watch is being switched: nothing new can be sent, what the old watch sent still comes.
  case inactive = 1
  /// Everything works.
  case activated = 2
}
