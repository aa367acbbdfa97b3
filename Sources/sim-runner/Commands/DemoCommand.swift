/// `sim-runner` without a command: the demo.
enum DemoCommand: Command {
  static let name = "demo"
  static let about = "a run with a tunnel and a lossy stretch"
  static let usage = ""
  static let options: [Option] = []

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 { 0 }
}
