/// A kind of event about an attempt to ask the edge.
public protocol AttemptEvent: TraceEventKind {
  /// The attempt.
  var id: Identifier { get set }
  /// The call.
  var kind: String { get set }
}
