/// One value of `do` in a list of events: what it means, and the keys that its event has besides `at` and `do`.
public struct CommandForm<Command: Sendable>: Sendable {
  /// The value of `do`.
  public let name: String
  /// The description of `do` with this value, and of the other keys.
  public let fields: [FieldDescription]
  /// Reads the keys besides `at` and `do`; nil after reporting an error.
  public let read: @Sendable (JSONObjectReader) -> Command?

  /// The form without its command, to be listed with others.
  public var erased: CommandForm<Void> {
    let read = read
    return CommandForm<Void>(name: name, fields: fields) { read($0).map { _ in () } }
  }
}

extension CommandForm {
  /// A command without further keys.
  public init(_ name: String, _ about: String, _ command: Command) {
    self.init(name: name, fields: [FieldDescription("do", .words([name]), standard: nil, about)]) { _ in command }
  }

  /// A command with further keys.
  ///
  /// - Parameters:
  ///   - name: The value of `do`.
  ///   - about: What it does, for the reference page.
  ///   - standard: The value with every default.
  ///   - fields: The further keys.
  ///   - make: Returns nil after reporting a broken rule.
  public init<Draft: Sendable>(
    _ name: String, _ about: String, _ standard: Draft, _ fields: [Field<Draft>],
    _ make: @escaping @Sendable (Draft, JSONObjectReader) -> Command?
  ) {
    let schema = ObjectSchema("", "", standard, fields)
    let word = FieldDescription("do", .words([name]), standard: nil, about)
    self.init(name: name, fields: [word] + schema.description.fields) { reader in
      schema.read(reader).flatMap { make($0, reader) }
    }
  }
}

extension ObjectDescription {
  /// An event with an instant, a `do`, and the keys of that command.
  public init<Command>(_ name: String, _ about: String, forms: [CommandForm<Command>]) {
    let at = FieldDescription("at", .duration(ValueDescription.anyDuration), standard: nil, "since the run's start")
    self.init(name: name, about: about, fields: [at], forms: forms.map(\.fields))
  }
}

/// A command that a scenario's event gives to a node.
public protocol ScenarioCommand: Sendable {
  /// One form for each value of `do`, in the order of the reference page.
  static var forms: [CommandForm<Self>] { get }
}

extension ScenarioCommand {
  /// The values of `do`.
  public static var words: [String] { forms.map(\.name) }

  /// Reads the members of an event besides `at` and `do`; nil for another `do`, and after reporting errors.
  public init?(_ word: String, _ reader: JSONObjectReader) {
    guard let command = Self.forms.first(where: { $0.name == word })?.read(reader) else { return nil }
    self = command
  }

  /// Reads a command that reached a node; nil for one of another kind, or with wrong arguments.
  public init?(_ command: NodeCommand) {
    guard Self.words.contains(command.name), let node = try? JSONParser.parse(command.arguments, dialect: .json),
      let reader = JSONObjectReader(node, into: DiagnosticsCollector(file: "command"))
    else { return nil }
    self.init(command.name, reader)
  }
}
