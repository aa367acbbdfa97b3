import Simulator
import Console
import LinkTransport

/// `sim-runner become`: starts a user program as a node that dies with its run.
enum BecomeCommand: Command {
  static let name = CommandName.become
  static let about = "starts a program as a node; used by `run --watch-cmd`"
  static let usage = "-- PROGRAM [ARGUMENTS]"
  static let options: [Option] = []
  static let isHidden = true

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard !arguments.operands.isEmpty else { throw .input("sim-runner become: the program is missing") }
    Terminal.error("sim-runner: \(ChildProcess.become(arguments.operands))")
    return UserProgram.notStarted
  }
}
