package import Console
import Link

/// The options for user programs as nodes, and for virtual time; they override the scenario's keys.
package enum AppOptions {
  package static let watch = Option.value(
    "--watch-cmd", "COMMAND", "a program that plays the watch, split at blanks but for quotes; built-in for ours")
  package static let phone = Option.value("--phone-cmd", "COMMAND", "a program that plays the phone; built-in for ours")
  package static let threads = Option.value(
    "--threads", "fair|pct|fifo", "which runnable thread of an app continues in virtual time (pct)")
  package static let threadsSeed = Option.value(
    "--threads-seed", "N", "the seed of the order of an app's threads (the run's seed)")
  package static let jitter = Option.value(
    "--jitter", "MS", "an app's timers are late by a drawn time below this, in milliseconds (0)")
  /// The command of the device that is part of this program, whatever the scenario names.
  private static let builtIn = "built-in"
  package static let all = [watch, phone, threads, threadsSeed, jitter]

  /// Reads the programs.
  package static func programs(_ arguments: Arguments) throws(Failure) -> UserPrograms {
    var programs = UserPrograms()
    if let text = arguments.value(watch.name), text != builtIn {
      programs.watch = try UserProgram(text, option: watch.name)
    }
    if let text = arguments.value(phone.name), text != builtIn {
      programs.phone = try UserProgram(text, option: phone.name)
    }
    return programs
  }

  /// Whether the command line names a program.
  package static func namesProgram(_ arguments: Arguments) -> Bool {
    [watch, phone].contains { (arguments.value($0.name) ?? builtIn) != builtIn }
  }

  /// Applies the options to a scenario.
  ///
  /// - Throws: For a bad value, and for settings of apps in a scenario without any.
  package static func apply(_ arguments: Arguments, to scenario: inout Scenario) throws(Failure) {
    let named = try programs(arguments)
    if arguments.value(watch.name) != nil { scenario.programs.watch = named.watch }
    if arguments.value(phone.name) != nil { scenario.programs.phone = named.phone }
    if let text = arguments.value(threads.name) {
      guard let policy = AppTime.Policy(rawValue: text) else {
        throw .input("\(threads.name): found \"\(TerminalText.escape(text))\", expected fair, pct or fifo")
      }
      scenario.appTime.policy = policy
    }
    if let seed = try arguments.unsigned(threadsSeed.name) { scenario.appTime.threadsSeed = seed }
    if let jitter = try arguments.unsigned(jitter.name) {
      guard jitter <= AppTime.jitterMax else {
        throw .input("\(self.jitter.name): found \(jitter), expected 0 to \(AppTime.jitterMax) milliseconds")
      }
      scenario.appTime.jitterMilliseconds = jitter
    }
    guard scenario.programs.isEmpty else { return }
    for option in [threads, threadsSeed, jitter] where arguments.value(option.name) != nil {
      throw .input(
        "\(option.name): the run has no app; expected \(phone.name) or \(watch.name), or a command in the scenario")
    }
  }

  /// The same options as arguments, for a command that repeats the run.
  package static func words(_ arguments: Arguments) -> [String] {
    all.flatMap { option in arguments.value(option.name).map { [option.name, $0] } ?? [] }
  }
}
