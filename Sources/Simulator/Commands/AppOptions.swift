package import Console
import Link

/// The options for user programs as nodes, and for virtual time; they override the scenario's keys.
package enum AppOptions {
  package static let watch = Option.value(
    "--watch-cmd", "COMMAND",
    "program that acts as the watch; quote spaces in arguments (built-in: the simulated one)")
  package static let phone = Option.value("--phone-cmd", "COMMAND", "program that acts as the phone; likewise")
  package static let threads = Option.value(
    "--threads", "fair|pct|fifo", "which runnable thread of an app continues in virtual time (pct)")
  package static let threadsSeed = Option.value(
    "--threads-seed", "N", "the seed of the order of an app's threads (the run's seed)")
  package static let jitter = Option.value(
    "--jitter", "MS", "an app's timers are late by a drawn time below this, in milliseconds (0)")
  package static let variable = Option.value(
    "--env", "NAME[=VALUE]", "a variable for apps in virtual time, which inherit none; may be repeated")
  package static let runPrograms = Option.flag(
    "--run-programs", "start the programs that a saved scenario, a bundle or a trace names")
  /// The command of the device that is part of this program, whatever the scenario names.
  private static let builtIn = "built-in"
  package static let all = [watch, phone, runPrograms, threads, threadsSeed, jitter, variable]

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
  /// - Parameter isForeign: Whether the scenario may be a stranger's even without the mark of a saved one.
  /// - Throws: For a bad value, for settings of apps in a scenario without any, and for programs without permission.
  package static func apply(
    _ arguments: Arguments, to scenario: inout Scenario, isForeign: Bool = false
  ) throws(Failure) {
    let named = try programs(arguments)
    if arguments.value(watch.name) != nil { scenario.programs.watch = named.watch }
    if arguments.value(phone.name) != nil { scenario.programs.phone = named.phone }
    if isForeign || scenario.isSaved {
      try permit(scenario.programs, of: "the saved scenario \(TerminalText.escape(scenario.name))", arguments)
    }
    let isStrange = isForeign || scenario.isSaved
    // The command line has answered; a file that is written from this scenario is marked again.
    scenario.isSaved = false
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
    for text in arguments.values(variable.name) {
      try scenario.appTime.environment.add(text, option: variable.name)
    }
    guard scenario.programs.isEmpty else {
      try scenario.appTime.environment.resolve(isForeign: isStrange)
      // A stranger's run is repeated with what it was given.
      if !isForeign { try scenario.appTime.environment.addChoices() }
      return
    }
    for option in [threads, threadsSeed, jitter, variable] where arguments.value(option.name) != nil {
      throw .input(
        "\(option.name): the run has no app; expected \(phone.name) or \(watch.name), or a command in the scenario")
    }
  }

  /// Refuses to start programs that data names and the command line does not; announces those that it permits.
  ///
  /// - Parameter source: What names them, for messages.
  package static func permit(_ programs: UserPrograms, of source: String, _ arguments: Arguments) throws(Failure) {
    let asked = [(NodeRole.watch, watch), (.phone, phone)].filter { role, option in
      programs[role] != nil && (arguments.value(option.name) ?? builtIn) == builtIn
    }
    guard !asked.isEmpty else { return }
    let lines = asked.map { role, _ in
      "  \(role.text): \(TerminalText.escape(CommandWords.join(programs[role]?.words ?? [])))"
    }
    guard arguments.has(runPrograms.name) else {
      let names = asked.map(\.1.name).joined(separator: ", ")
      throw .problems(
        ["\(source) names programs, which only the command line starts:"] + lines
          + ["expected \(runPrograms.name) to start them, or \(names) for others"])
    }
    for line in ["\(source) starts:"] + lines { Terminal.error(line) }
  }

  /// What a command that repeats a saved file needs besides the file.
  package static func permission(for scenario: Scenario) -> [String] {
    scenario.programs.isEmpty ? [] : [runPrograms.name]
  }

  /// The same options as arguments, for a command that repeats the run.
  package static func words(_ arguments: Arguments) -> [String] {
    all.filter { $0.name != runPrograms.name }.flatMap { option in
      let given = arguments.values(option.name)
      return (option.name == variable.name ? given : given.suffix(1)).flatMap { [option.name, $0] }
    } + (arguments.has(runPrograms.name) ? [runPrograms.name] : [])
  }
}

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
