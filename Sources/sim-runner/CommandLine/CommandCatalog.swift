import Console
import Link

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
    (
      "Look up",
      [EventsCommand.self, FaultsCommand.self, ProfilesCommand.self, InvariantsCommand.self, PlantsCommand.self]
    ),
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

extension Command {
  /// Shows a catalogue: a line for each entry without an operand, and the page of the entry that it names.
  ///
  /// - Parameters:
  ///   - row: The columns of an entry's line, the name first.
  ///   - printJSON: Prints the object of `--json`.
  static func showCatalogue<Entry>(
    _ entries: [Entry], named noun: String, _ arguments: Arguments, name: (Entry) -> String,
    row: (Entry) -> [String], page: (Entry) -> [String], printJSON: ([Entry]) -> Void
  ) throws(Failure) -> Int32 {
    var (shown, lines) = (entries, [String]())
    if arguments.operands.isEmpty {
      lines = PlainText.columns(entries.map(row))
    } else {
      let wanted = try arguments.onlyOperand(noun)
      guard let entry = entries.first(where: { name($0) == wanted }) else {
        let hint = PlainText.hint(for: wanted, among: entries.map(name))
        throw .input("\(Self.name): found \"\(TerminalText.escape(wanted))\"\(hint)")
      }
      (shown, lines) = ([entry], page(entry))
    }
    if arguments.has("--json") { printJSON(shown) } else { for line in lines { Terminal.print(line) } }
    return 0
  }
}
