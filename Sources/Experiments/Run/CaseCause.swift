import Link

/// One reason why a run failed: a broken invariant, or an expectation that is not met.
package struct CaseCause: Sendable, Equatable {
  /// The invariant's name, or `expectation`.
  var check: String
  /// What is wrong, such as `expectation 2 is not met`.
  var title: String
  /// Why, with the nearest miss if there is one.
  var reason: String
  /// The expectation as the scenario has it; nil for an invariant.
  var expectation: String?
  /// Where the scenario's file has the expectation; nil for an invariant.
  var position: TextPosition?
  /// The reason with the lines of the trace that show it, and the story around them.
  var details: String

  /// In one line.
  var text: String { "\(title): \(reason)" }
}
