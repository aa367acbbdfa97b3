package import Link

/// A dispatched line: a row of the companion store's `PlayedMessage`.
package struct PlayedMessage: Sendable, Equatable {
  /// Counts the lines from 1; 0 before it is stored.
  var place: Int64 = 0
  /// Its name in the script, or the reply's UUID; the table has the UUID under this name, and this under `message`.
  package var messageId: String
  /// When it was dispatched.
  package var playedAt: VirtualTime
  package var runId: Identifier
  /// Whether it was cut off, never begun, or lost with the phone's process.
  package var wasInterrupted = false
}

extension PlayedMessage: StoredRow, PhoneRow {
  static let table = StoredTable(
    "PlayedMessage", blank: PlayedMessage(messageId: "", playedAt: .start, runId: .blank),
    [
      StoredColumn("place", \.place),
      .identifier("messageId") { ScriptMessage.identifier(of: $0.messageId, in: $0.runId) },
      StoredColumn("message", \.messageId), StoredColumn("playedAt", \.playedAt),
      StoredColumn("runId", \.runId, references: "Run"), StoredColumn("wasInterrupted", \.wasInterrupted),
    ])
  static var inRecord: Place { \.played }
  var rowKey: Int64 { place }
}

/// A line that is neither finished nor cut off.
package struct UnheardMessage: Sendable, Equatable {
  /// That of the ``PlayedMessage``.
  var place: Int64
}

extension UnheardMessage: StoredRow, PhoneRow {
  static let table = StoredTable(
    "UnheardMessage", blank: UnheardMessage(place: 0), [StoredColumn("place", \.place, references: "PlayedMessage")])
  static var inRecord: Place { \.unheard }
  var rowKey: Int64 { place }
}
