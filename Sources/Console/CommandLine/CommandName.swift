/// The names of commands that code below the commands mentions: in messages, and to start this program again.
package enum CommandName {
  package static let demo = "demo"
  package static let run = "run"
  package static let test = "test"
  package static let sweep = "sweep"
  package static let check = "check"
  package static let profile = "profile"
  package static let replay = "replay"
  package static let importWorkout = "import"
  package static let become = "become"
  package static let guardRun = "guard"
  package static let worker = "worker"
}
