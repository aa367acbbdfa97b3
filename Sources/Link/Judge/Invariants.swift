/// The invariants that a program judges runs with.
public struct Invariants: Sendable {
  /// The link's, in the order of evaluation.
  public let ofLink: [any Checker.Type]
  /// The coach's, which are evaluated after them.
  public let ofCoach: [any Checker.Type]

  public init(ofLink: [any Checker.Type], ofCoach: [any Checker.Type]) {
    self.ofLink = ofLink
    self.ofCoach = ofCoach
  }

  public var all: [any Checker.Type] { ofLink + ofCoach }
}
