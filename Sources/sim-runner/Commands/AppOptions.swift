import Link

/// The options by which programs of the user's play nodes, and run in virtual time.
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

  /// Reads the programs.
  static func programs(_ arguments: Arguments) throws(Failure) -> UserPrograms {
    UserPrograms(watch: try program(watch.name, arguments), phone: try program(phone.name, arguments))
  }

  private static func program(_ option: String, _ arguments: Arguments) throws(Failure) -> UserProgram? {
    guard let text = arguments.value(option) else { return nil }
    return try UserProgram(text, option: option)
  }

  /// Reads how they run in virtual time.
  static func time(_ arguments: Arguments) throws(Failure) -> AppTime {
    var time = AppTime()
    if let text = arguments.value(threads.name) {
      guard let policy = AppTime.Policy(rawValue: text) else {
        throw .input("\(threads.name): found \"\(text)\", expected fair, pct or fifo")
      }
      time.policy = policy
    }
    time.threadsSeed = try arguments.unsigned(threadsSeed.name)
    if let jitter = try arguments.unsigned(jitter.name) {
      guard jitter <= AppTime.jitterMax else {
        throw .input("\(self.jitter.name): found \(jitter), expected 0 to \(AppTime.jitterMax) milliseconds")
      }
      time.jitterMilliseconds = jitter
    }
    return time
  }

  /// The words that say all this again.
  static func words(_ programs: UserPrograms, _ time: AppTime) -> [String] {
    var words: [String] = []
    if let program = programs.watch { words += [watch.name, program.text] }
    if let program = programs.phone { words += [phone.name, program.text] }
    let standard = AppTime()
    if time.policy != standard.policy { words += [threads.name, time.policy.rawValue] }
    if let seed = time.threadsSeed { words += [threadsSeed.name, String(seed)] }
    if time.jitterMilliseconds != standard.jitterMilliseconds {
      words += [jitter.name, String(time.jitterMilliseconds)]
    }
    return words
  }
}
