package import Link

/// A file of the server, replaced as a whole.
package enum EdgeFile: String, Sendable, CaseIterable {
  /// `DailySnapshot`s by day.
  case contextStore = "context_store.json"
  /// Strength by exercise.
  case exerciseHistory = "exercise_history.json"
  /// The user's profile, made from the chat.
  case profile = "profile.json"
  /// What the days have in common, made from the snapshots.
  case insights = "insights.json"
}

/// A durable change of the server's files.
package enum EdgeChange: Sendable, Equatable {
  /// Replaces a file, or leaves it as it is.
  case write(EdgeFile, [UInt8])
  /// Leaves the first half of a file, as after a power loss.
  case tear(EdgeFile)
  /// Removes all files.
  case wipe
}

/// The server's durable state: its files.
package struct EdgeRecord: Sendable, Equatable {
  package var files: [EdgeFile: [UInt8]] = [:]

  package init() {}

  /// Limit of a file in bytes; a longer one is not read.
  package static let bytesMax = 16 << 20

  package mutating func apply(_ change: EdgeChange) {
    switch change {
    case .write(let file, let bytes): files[file] = bytes
    case .tear(let file): if let bytes = files[file] { files[file] = Array(bytes.prefix(bytes.count / 2)) }
    case .wipe: files = [:]
    }
  }
}

/// An edge's files in memory.
package struct MemoryEdgeStore: NodeStore {
  private var session = MemorySessionStore()
  package private(set) var record = EdgeRecord()

  package init() {}

  package mutating func commit(_ changes: [SessionChange], _ app: [EdgeChange]) {
    if !changes.isEmpty { session.commit(changes) }
    for change in app { record.apply(change) }
  }

  package mutating func begin() -> (session: SessionRecord, app: EdgeRecord) { (session.beginEpoch(), record) }
  package mutating func page(_ order: PageOrder) -> StorePage { session.page(order) }
}

/// Why one of the server's files cannot be read.
struct FileDamage: Error {
  var why: String

  /// The object that a file holds.
  static func object(_ bytes: [UInt8], of file: EdgeFile) throws(FileDamage) -> JSONObjectReader {
    let node: JSONNode
    do throws(JSONError) { node = try JSONParser.parse(bytes, dialect: .json) } catch {
      throw FileDamage(why: "line \(error.position.line): found \(error.found), expected \(error.expected)")
    }
    guard let reader = JSONObjectReader(node, into: DiagnosticsCollector(file: file.rawValue)) else {
      throw FileDamage(why: "found no object")
    }
    return reader
  }

  /// Throws the first error that reading reported.
  static func check(_ reader: JSONObjectReader) throws(FileDamage) {
    if let first = reader.collector.diagnostics.list.first { throw FileDamage(why: first.message) }
  }
}

/// Something that happens to the server: one of a scenario's `edge.events`.
package struct EdgeEvent: Sendable, Equatable {
  package enum Effect: String, Sendable, CaseIterable {
    /// Its process ends and starts again: requests in progress are lost, files stay.
    case restart
    /// Its files are lost.
    case wipe
    /// It restarts, and half of a file is missing.
    case powerLoss
  }

  package var at = VirtualTime.start
  package var effect: Effect
  /// Of `powerLoss`: the file that is half written.
  package var file = EdgeFile.contextStore

  package init(_ effect: Effect) { self.effect = effect }

  package static let countMax = 1_000

  package static let schema = ObjectSchema<Self>(
    "edge.events[]", "Something that happens to the server and its files ([totals](built-in-apps.md#daily-totals)).",
    Self(.restart),
    [
      Field("at", \.at, .instant, "since the run's start", .required),
      Field("do", \.effect, .word, "what happens", .required),
      Field("file", \.file, .word, "of powerLoss: the file that is half written"),
    ])
}
