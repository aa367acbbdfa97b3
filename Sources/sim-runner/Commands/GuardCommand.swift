import Console
import LinkTransport

/// `sim-runner guard`: kills the user programs of a command that was ended by SIGKILL.
enum GuardCommand: Command {
  static let name = CommandName.guardRun
  static let about = "kills the programs of a command that was killed; used by `run --watch-cmd`"
  static let usage = "MARK"
  static let options: [Option] = []
  static let isHidden = true

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard arguments.operands.count == 1 else { throw .input("sim-runner guard: expected one mark") }
    Orphans.guardMarked(arguments.operands[0])
    return 0
  }
}
