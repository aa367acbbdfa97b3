import CoachProtocol
import Link

/// A script made for a run; only the last one is read again.
package struct StoredScript: Sendable, Equatable {
  /// Counts the scripts from 1; 0 before it is stored.
  var place: Int64 = 0
  package var script: Script
  package var source: ScriptSource

  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.script == rhs.script && lhs.source == rhs.source }
}

extension StoredScript: TableRow, PhoneRow {
  static let table = StoredTable(
    "Script", blank: StoredScript(script: Script(messages: []), source: .scenario),
    [
      StoredColumn("place", \.place), StoredColumn("id", \.script.id),
      StoredColumn("personality", \.script.personality),
      StoredColumn("generatedAt", \.script.generatedAt), StoredColumn("model", \.script.model),
      StoredColumn("inputDigest", \.script.inputDigest), StoredColumn("branchPolicy", \.script.branchPolicy),
      StoredColumn("graceMeters", \.script.grace.meters, in: 0...1e9),
      StoredColumn("graceSeconds", \.script.grace.seconds, in: 0...1e9), StoredColumn("source", \.source),
      StoredColumn("runId", \.script.runId, references: "Run"),
    ])
  var rowKey: Int64 { place }

  var runId: Identifier? { script.runId.flatMap { Identifier(text: $0) } }
}

extension ScriptMessage {
  /// The store's UUID of a line, which follows from its run and its name in the script; a reply's name is one itself.
  static func identifier(of name: String, in run: Identifier?) -> Identifier {
    Identifier(text: name) ?? Identifier(of: name, in: run ?? .blank)
  }
}

extension StoredColumn {
  /// A UUID that follows from the rest of a row.
  static func identifier(_ name: String, _ value: @escaping @Sendable (Row) -> Identifier) -> Self {
    Self(name, Identifier.kind, get: { value($0).cell }, set: { _, cell in Identifier(cell: cell) != nil })
  }
}

/// A line of a stored script.
struct StoredLine: Sendable, Equatable {
  /// That of its ``StoredScript``.
  var script: Int64
  /// Counts the script's lines from 0.
  var place: Int
  /// The run that the script was made for; nil after reading, and for a script without one.
  var run: Identifier?
  var message: ScriptMessage
}

extension StoredLine: TableRow, PhoneRow {
  struct Key: RowKey {
    var script: Int64
    var place: Int
    var cells: [StoredValue] { [script.cell, place.cell] }
  }

  static let table = StoredTable(
    "ScriptMessage", keyCount: 2,
    blank: StoredLine(
      script: 0, place: 0, message: ScriptMessage(id: "", trigger: HalfwayTrigger(), text: "")),
    [
      StoredColumn("script", \.script, references: "Script"), StoredColumn("place", \.place),
      .identifier("id") { ScriptMessage.identifier(of: $0.message.id, in: $0.run) },
      StoredColumn("name", \.message.id),
      StoredColumn(
        "triggerSpec", .text, get: { .text($0.message.trigger.specification.compactText) },
        set: { line, cell in
          guard let trigger = trigger(cell) else { return false }
          line.message.trigger = trigger
          return true
        }),
      StoredColumn(
        "text", .text, get: { .text($0.message.text) },
        set: { line, cell in
          if case .text(let text) = cell { line.message.text = text }
          return line.message.words > 0
        }),
      StoredColumn("branchKey", \.message.branchKey),
      StoredColumn("prerenderedAudioPath", \.message.prerenderedAudioPath),
      StoredColumn("priority", \.message.priority, in: -1e6...1e6), StoredColumn("playOnce", \.message.playOnce),
    ])
  var rowKey: Key { Key(script: script, place: place) }

  private static func trigger(_ cell: StoredValue) -> (any Trigger)? {
    guard let node = JSONValue(cell: cell).map({ JSONNode($0) }) else { return nil }
    let collector = DiagnosticsCollector(file: "script")
    let trigger = TriggerCatalog.read(JSONValueReader(node, into: collector))
    return collector.diagnostics.hasErrors ? nil : trigger
  }
}
