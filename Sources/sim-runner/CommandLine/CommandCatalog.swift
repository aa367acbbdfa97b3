/// Every command there is.
enum CommandCatalog {
  /// In the order of the help.
  static let all: [any Command.Type] = [
    DemoCommand.self,
    RunCommand.self,
    TestCommand.self,
    BenchCommand.self,
    WatchCommand.self,
    PhoneCommand.self,
    BenchPeerCommand.self,
    BecomeCommand.self,
  ]
}
