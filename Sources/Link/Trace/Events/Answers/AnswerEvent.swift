/// A kind of event that is an answer of the edge, or stands in for one.
public protocol AnswerEvent: AttemptEvent {
  /// The fields.
  var answer: AnswerFields { get set }
}

extension AnswerEvent {
  public var id: Identifier {
    get { answer.id }
    set { answer.id = newValue }
  }
  public var kind: String {
    get { answer.kind }
    set { answer.kind = newValue }
  }
}
