package import Console
package import Simulator

/// The option for runs without lines about what the athlete really did.
package enum TruthOption {
  package static let option = Option.flag(
    "--no-truth", "write no truth lines of what the athlete really did, and do not judge by them")

  package static func apply(_ arguments: Arguments, to scenario: inout Scenario) {
    if arguments.has(option.name) { scenario.ownTruth = false }
  }

  /// The same option as an argument, for a command that repeats the run.
  package static func words(_ arguments: Arguments) -> [String] { arguments.has(option.name) ? [option.name] : [] }
}
