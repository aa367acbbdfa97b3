/// Every command there is.
enum CommandCatalog {
  /// In the order of the help.
  static let all: [any Command.Type] = [
    DemoCommand.self,
    RunCommand.self,
    CtlCommand.self,
    TestCommand.self,
    SweepCommand.self,
    ShrinkCommand.self,
    MergeCommand.self,
    TortureCommand.self,
    CheckCommand.self,
    ReplayCommand.self,
    DiffCommand.self,
    InspectCommand.self,
    ValidateCommand.self,
    ImportCommand.self,
    ExportCommand.self,
    FaultsCommand.self,
    PlantsCommand.self,
    ProfilesCommand.self,
    ProfileCommand.self,
    InvariantsCommand.self,
    BenchCommand.self,
    WatchCommand.self,
    PhoneCommand.self,
    EdgeCommand.self,
    DocsCommand.self,
    BenchPeerCommand.self,
    BecomeCommand.self,
    SweepWorkerCommand.self,
  ]
}
