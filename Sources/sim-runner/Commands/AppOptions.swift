import Link

/// The options by which programs of the user's play nodes, and run in virtual time; they win over the scenario's keys.
enum AppOptions {
  static let watch = Option.value(
    "--watch-cmd", "COMMAND", "a program that plays the watch; split at blanks, quotes keep them")
  static let phone = Option.value("--phone-cmd", "COMMAND", "a program that plays the phone")
  static let threads = Option.value(
    "--threads", "fair|pct|fifo", "which thread of an app goes on in virtual time (pct)")
  static let threadsSeed = Option.value(
    "--threads-seed", "N", "the seed of the order of an app's threads (the run's seed)")
  static let jitter = Option.value(
    "--jitter", "MS", "an app's timers are late by a drawn time below this, in milliseconds (0)")
  static let all = [watch, phone, threads, threadsSeed, jitter]

  /// Reads the programs.
  static func programs(_ arguments: Arguments) throws(Failure) -> UserPrograms {
    var programs = UserPrograms()
    if let text = arguments.value(watch.name) { programs.watch = try UserProgram(text, option: watch.name) }
    if let text = arguments.value(phone.name) { programs.phone = try UserProgram(text, option: phone.name) }
    return programs
  }

  /// Whether the command line names a program.
  static func namesProgram(_ arguments: Arguments) -> Bool {
    arguments.value(watch.name) != nil || arguments.value(phone.name) != nil
  }

  /// Puts what the command line says into a scenario.
  ///
  /// - Throws: For a bad value, and for settings of apps in a scenario without any.
  static func apply(_ arguments: Arguments, to scenario: inout Scenario) throws(Failure) {
    let named = try programs(arguments)
    if let watch = named.watch { scenario.programs.watch = watch }
    if let phone = named.phone { scenario.programs.phone = phone }
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

  /// The words that say all this again.
  static func words(_ arguments: Arguments) -> [String] {
    all.flatMap { option in arguments.value(option.name).map { [option.name, $0] } ?? [] }
  }
}
