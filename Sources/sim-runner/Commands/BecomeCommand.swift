import LinkTransport

/// `sim-runner become`: a program of someone else's as a node, which dies with the run that started it.
enum BecomeCommand: Command {
  static let name = "become"
  static let about = "another program as a node; what `run --watch-cmd` starts"
  static let usage = "-- PROGRAM [ARGUMENTS]"
  static let options: [Option] = []
  static let isHidden = true

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard !arguments.operands.isEmpty else { throw .input("sim-runner become: the program is missing") }
    Terminal.error("sim-runner: \(ChildProcess.become(arguments.operands))")
    return notStarted
  }

  /// The exit status where the program could not be started, as a shell's.
  static let notStarted: Int32 = 127
}
