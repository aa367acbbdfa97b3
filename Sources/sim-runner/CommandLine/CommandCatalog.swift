import Console

/// Every command there is.
enum CommandCatalog {
  /// The commands that users type, by what they are for, in the order of the help.
  static let groups: [(title: String, commands: [any Command.Type])] = [
    (
      "Run",
      [DemoCommand.self, RunCommand.self, OpenCommand.self, CtlCommand.self, TestCommand.self, ValidateCommand.self]
    ),
    (
      "Search for failures",
      [
        SweepCommand.self, MergeCommand.self, ExploreCommand.self, TortureCommand.self, ShrinkCommand.self,
        InevitableCommand.self, ReproCommand.self,
      ]
    ),
    (
      "Read traces and stores",
      [
        StoryCommand.self, WhyCommand.self, CheckCommand.self, DiffCommand.self, ReplayCommand.self,
        BranchCommand.self, ExportCommand.self, InspectCommand.self,
      ]
    ),
    ("Bring data", [AdoptCommand.self, NewCommand.self, ImportCommand.self, ProfileCommand.self, MigrateCommand.self]),
    ("Look up", [FaultsCommand.self, ProfilesCommand.self, InvariantsCommand.self, PlantsCommand.self]),
    ("This program", [CompletionsCommand.self, ManCommand.self]),
    ("Devices as processes, which `run` starts", [WatchCommand.self, PhoneCommand.self, EdgeCommand.self]),
  ]

  /// Commands that other programs and maintainers call.
  private static let hidden: [any Command.Type] = [
    DocsCommand.self, CompleteCommand.self, BecomeCommand.self, GuardCommand.self,
    WorkerCommand.self,
  ]

  static let all: [any Command.Type] = groups.flatMap(\.commands) + hidden
}
