/// Every command there is.
enum CommandCatalog {
  /// In the order of the help.
  static let all: [any Command.Type] = [
    RunCommand.self,
    WatchCommand.self,
    PhoneCommand.self,
    BenchCommand.self,
    BenchPeerCommand.self,
  ]
}
