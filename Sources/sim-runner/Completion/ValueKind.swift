import Experiments
import Simulator
import TraceTools
import CoachProtocol
import Console
import EdgeSim
import Link
import PhoneSim
import WatchSim

/// What a shell may offer for a value of an option, or for an operand.
///
/// It is derived from the placeholder in the help, so that an option needs no second declaration.
enum ValueKind: Equatable {
  /// One of some names.
  case words([Word])
  /// A file whose name ends in one of these, without the dot; any file for an empty list.
  case files([String])
  /// A folder.
  case folder
  /// Anything else: a number, a time, a command.
  case free

  /// A name that can be typed.
  struct Word: Equatable {
    var text: String
    /// Its meaning in a few words; empty for a self-explanatory name.
    var about = ""
  }

  /// Reads the placeholder of a value in the help.
  ///
  /// - Parameters:
  ///   - placeholder: As in the help: `FILE`, `SCENARIO|FOLDER`, `processes|in-process`.
  ///   - option: The option that the value belongs to; nil for an operand.
  ///   - command: The command's name: a `NAME` means another list for each.
  /// - Returns: Nil for an unknown placeholder.
  init?(_ placeholder: String, option: String?, of command: String) {
    if let fixed = Self.fixed[placeholder] {
      self = fixed
    } else if placeholder == "NAME" {
      guard let list = Self.names(option ?? command) else { return nil }
      self = .words(list)
    } else if placeholder == "FILE" || placeholder == "FILE|FOLDER", option == nil {
      // Operands are read; an option's file is written.
      self = .files(command == MergeCommand.name ? ["jsonl"] : ["json5", "json"])
    } else if placeholder == "FILE" || placeholder == "COMMAND" && option != nil {
      self = placeholder == "FILE" ? .files([]) : .free
    } else if placeholder == "FORMAT" {
      self = .words(ExporterCatalog.all.map { Word(text: $0.name) })
    } else if placeholder == "COMMAND", option == nil {
      self = .words(
        command == CtlCommand.name ? ControlCommand.words.map { Word(text: $0) } : Self.commands)
    } else if placeholder == "DEMO" {
      self = .words(DemoCatalog.all.map { Word(text: $0.name, about: $0.about) })
    } else if placeholder == "EVENT" {
      self = .words(EventCatalog.all.map { Word(text: $0.name.text) })
    } else if placeholder == "PHASE" {
      self = .words(MigrationPhase.allCases.map { Word(text: $0.rawValue, about: $0.about) })
    } else if placeholder == "NODE" {
      self = .words(StoryCommand.nodes.map { Word(text: $0) })
    } else if placeholder == "SHELL" {
      self = .words(CompletionScript.allCases.map { Word(text: $0.rawValue) })
    } else if placeholder.contains("|"), placeholder.allSatisfy({ $0.isASCII }) {
      // Words in lower case are typed literally; Nx and I/N are placeholders.
      let words = placeholder.split(separator: "|").filter { !$0.contains(where: \.isUppercase) }
      guard !words.isEmpty else { return nil }
      self = .words(words.map { Word(text: String($0)) })
    } else {
      return nil
    }
  }

  /// Placeholders that mean the same everywhere.
  private static let fixed: [String: ValueKind] = [
    "SCENARIO": .files(["json5"]), "SCENARIO|FOLDER": .files(["json5"]), "TRACE": .files(["jsonl"]),
    "A": .files(["jsonl"]), "B": .files(["jsonl"]), "CAPTURE": .files(["jsonl"]),
    "BUNDLE": .files(["wristwire"]), "SCENARIO|TRACE|BUNDLE|STATE_DIR": .files(["json5", "jsonl", "wristwire"]),
    "WORKOUT": .files(["gpx", "fit", "tcx", "xml", "zip", "jsonl"]),
    "NAME[=VALUE]": .free, "FOLDER": .folder, "DIR": .folder, "STATE_DIR": .folder,
    "SOCKET": .files([]), "PATH": .files([]), "PROGRAM": .files([]),
    "N": .free, "M": .free, "T": .free, "MS": .free, "TIME": .free, "METRES": .free, "SECONDS": .free, "URL": .free,
    "TEXT": .free, "TIMES": .free, "DAY": .free,
    "N|A-B": .free, "ID": .free, "FAULT": .free, "WORD": .free, "PART": .free, "NUMBER": .free, "ARGUMENTS": .free,
    "OPTIONS": .free, "RANGE": .free, "LIST": .free,
  ]

  /// The names that an option takes, or a command.
  private static func names(_ place: String) -> [Word]? {
    switch place {
    case "--plant", PlantsCommand.name: PlantCatalog.all.map { Word(text: $0.name, about: $0.wrong) }
    case EventsCommand.name: EventCatalog.all.map { Word(text: $0.name.text, about: Markdown.plain($0.about)) }
    case FaultsCommand.name: FaultCatalog.all.map { Word(text: $0.kind, about: $0.page.about) }
    case ProfilesCommand.name: ProfileCatalog.all.map { Word(text: $0.name, about: $0.about) }
    case "--invariant", InvariantsCommand.name:
      InvariantsCommand.all.map { Word(text: $0.invariant, about: $0.about) }
    case "--discipline": TrainingDiscipline.allCases.map { Word(text: $0.rawValue) }
    case "--strategy": SearchStrategy.allCases.map { Word(text: $0.rawValue) }
    default: nil
    }
  }

  /// The commands that users type.
  static var commands: [Word] {
    CommandCatalog.all.filter { !$0.isHidden }.map { Word(text: $0.name, about: $0.about) }
  }
}
