/// The names of commands that code below the commands mentions: in messages, and to start this program again.
enum CommandName {
  static let run = "run"
  static let test = "test"
  static let sweep = "sweep"
  static let check = "check"
  static let replay = "replay"
  static let importWorkout = "import"
  static let become = "become"
  static let sweepWorker = "sweep-worker"
  static let exploreWorker = "explore-worker"
}
