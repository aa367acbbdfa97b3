/// The invariants that a program judges runs with.
public struct Invariants: Sendable {
  /// The link's, in the order of evaluation.
  public let ofLink: any JudgingPart.Type
  /// The coach's, which are evaluated after them.
  public let ofCoach: any JudgingPart.Type

  public init(ofLink: any JudgingPart.Type, ofCoach: any JudgingPart.Type) {
    self.ofLink = ofLink
    self.ofCoach = ofCoach
  }

  public var all: [any Checker.Type] { ofLink.all + ofCoach.all }
}
