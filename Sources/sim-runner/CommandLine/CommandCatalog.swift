/// Every command there is.
enum CommandCatalog {
  /// In the order of the help.
  static let all: [any Command.Type] = [
    RunCommand.self,
    CheckCommand.self,
    ValidateCommand.self,
    ImportCommand.self,
    FaultsCommand.self,
    ProfilesCommand.self,
    InvariantsCommand.self,
    DocsCommand.self,
    WatchCommand.self,
    PhoneCommand.self,
    BenchCommand.self,
  ]
}
