internal import Link

/// The link's tables: the part of a session that survives its process.
///
/// The key of an entry is one integer of lane and number, so SQLite appends to the end of a lane without a search.
/// Values that follow from the rows are not written with each of them: a lane's row is written when an entry leaves a
/// box, and every ``LaneRecord/pageMax`` received entries; ``LaneMarks`` derives the rest.
struct LinkTables {
  static let component = Component(
    "link", migrations: [Migration(to: 1, schema)],
    smallTables: ["Epoch", "Lane", "Context", "ComplicationBudget", "PartialFile", "Journal"])

  /// The most frequently written table.
  static let outboxSchema = """
    CREATE TABLE Outbox (
      id INTEGER PRIMARY KEY, transferHigh INTEGER NOT NULL, transferLow INTEGER NOT NULL, flags INTEGER NOT NULL,
      payload BLOB NOT NULL, lane INTEGER AS (id >> 56), seq INTEGER AS (id & 0xFFFFFFFFFFFFFF)
    ) STRICT
    """

  private static let schema = """
    CREATE TABLE Epoch (id INTEGER PRIMARY KEY CHECK (id = 1), starts INTEGER NOT NULL) STRICT;
    INSERT INTO Epoch VALUES (1, 0);
    CREATE TABLE Lane (
      lane INTEGER PRIMARY KEY, nextSeq INTEGER NOT NULL, outboxCount INTEGER NOT NULL, nextToHandle INTEGER NOT NULL,
      receivedThrough INTEGER NOT NULL
    ) STRICT;
    INSERT INTO Lane VALUES (0, 1, 0, 1, 0), (1, 1, 0, 1, 0), (2, 1, 0, 1, 0);
    \(outboxSchema);
    CREATE TABLE Inbox (
      id INTEGER PRIMARY KEY, transferHigh INTEGER NOT NULL, transferLow INTEGER NOT NULL, flags INTEGER NOT NULL,
      payload BLOB NOT NULL, lane INTEGER AS (id >> 56), seq INTEGER AS (id & 0xFFFFFFFFFFFFFF)
    ) STRICT;
    CREATE TABLE Context (
      slot INTEGER PRIMARY KEY, seq INTEGER NOT NULL, isAcknowledged INTEGER NOT NULL, payload BLOB NOT NULL
    ) STRICT;
    CREATE TABLE ComplicationBudget (
      id INTEGER PRIMARY KEY CHECK (id = 1), day INTEGER NOT NULL, used INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE PartialFile (
      id INTEGER PRIMARY KEY CHECK (id = 1), transferHigh INTEGER NOT NULL, transferLow INTEGER NOT NULL,
      seq INTEGER NOT NULL, flags INTEGER NOT NULL, receivedBytes INTEGER NOT NULL, digestState BLOB NOT NULL,
      offer BLOB NOT NULL
    ) STRICT;
    CREATE TABLE Journal (
      id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL, answer BLOB NOT NULL
    ) STRICT;
    """

  /// The rows of ``LinkTables``'s table `Context`.
  enum ContextRow: Int64 { case sent = 0, received }

  let database: Database
  let statements: LinkStatements
  /// The state of the lanes as of the last change.
  var marks = PerLane(LaneMarks())
  /// The number of the context last set; nil before the first.
  var contextSent: SequenceNumber?
  /// The file being received, as in its row.
  var partial: PartialFile?

  init(_ database: Database) {
    self.database = database
    statements = LinkStatements(database)
  }
}

/// A value for each lane.
struct PerLane<Value> {
  var userInfo: Value
  var complication: Value
  var file: Value

  /// The same value for all lanes.
  init(_ value: Value) { (userInfo, complication, file) = (value, value, value) }

  subscript(lane: Lane) -> Value {
    get {
      switch lane {
      case .userInfo: userInfo
      case .complication: complication
      case .file: file
      }
    }
    _modify {
      switch lane {
      case .userInfo: yield &userInfo
      case .complication: yield &complication
      case .file: yield &file
      }
    }
  }
}

/// The keys of the boxes' rows: lane and number in one integer.
enum RowKey {
  /// The number of bits for the number.
  private static let seqBits: UInt64 = 56
  private static let seqMax: UInt64 = 1 << seqBits - 1

  static func key(_ lane: Lane, _ seq: SequenceNumber) -> Int64 {
    precondition(seq.rawValue <= seqMax, "the number \(seq.rawValue) is beyond what a store can count")
    return Int64(UInt64(lane.rawValue) << seqBits | seq.rawValue)
  }

  /// The number in a key.
  static func seq(_ key: Int64) -> SequenceNumber { SequenceNumber(UInt64(bitPattern: key) & seqMax) }

  /// The highest number accepted from a store; leaves room to increase.
  static let countMax = Int64(1) << 48

  /// The last key of a lane.
  static func last(_ lane: Lane) -> Int64 { key(lane, SequenceNumber(seqMax)) }
}

/// The statements for the link's tables; each is prepared on first use.
final class LinkStatements {
  let insertOutbox: Statement
  let voidOutbox: Statement
  let deleteOutbox: Statement
  let readOutbox: Statement
  let lastOutbox: Statement
  let insertInbox: Statement
  let deleteInbox: Statement
  let readInbox: Statement
  let inboxKeys: Statement
  let fileTransfers: Statement
  let readLanes: Statement
  let writeLane: Statement
  let readEpoch: Statement
  let writeEpoch: Statement
  let readContext: Statement
  let writeContext: Statement
  let acknowledgeContext: Statement
  let readBudget: Statement
  let writeBudget: Statement
  let readPartial: Statement
  let writePartial: Statement
  let growPartial: Statement
  let deletePartial: Statement
  let readJournal: Statement
  let writeJournal: Statement

  /// The columns of a box that are not generated.
  private static let columns = "id, transferHigh, transferLow, flags, payload"
  /// The most frequent statement.
  static let insertOutbox = "INSERT INTO Outbox (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5)"

  init(_ database: Database) {
    func statement(_ sql: String) -> Statement { Statement(database, sql) }
    let columns = Self.columns
    insertOutbox = statement(Self.insertOutbox)
    voidOutbox = statement("UPDATE Outbox SET flags = flags | ?2, payload = x'' WHERE id = ?1")
    deleteOutbox = statement("DELETE FROM Outbox WHERE id = ?1")
    readOutbox = statement("SELECT \(columns) FROM Outbox WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3")
    lastOutbox = statement("SELECT id FROM Outbox WHERE id >= ?1 AND id <= ?2 ORDER BY id DESC LIMIT 1")
    insertInbox = statement("INSERT INTO Inbox (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5)")
    deleteInbox = statement("DELETE FROM Inbox WHERE id >= ?1 AND id <= ?2")
    readInbox = statement("SELECT \(columns) FROM Inbox WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3")
    inboxKeys = statement("SELECT id FROM Inbox WHERE id > ?1 AND id <= ?2 ORDER BY id")
    fileTransfers = statement(
      """
      SELECT transferHigh, transferLow FROM Outbox WHERE id >= ?1 AND id <= ?2
      UNION ALL SELECT transferHigh, transferLow FROM Inbox WHERE id >= ?1 AND id <= ?2
      UNION ALL SELECT transferHigh, transferLow FROM PartialFile
      """)
    readLanes = statement("SELECT lane, nextSeq, outboxCount, nextToHandle, receivedThrough FROM Lane ORDER BY lane")
    writeLane = statement(
      "UPDATE Lane SET nextSeq = ?2, outboxCount = ?3, nextToHandle = ?4, receivedThrough = ?5 WHERE lane = ?1")
    readEpoch = statement("SELECT starts FROM Epoch")
    writeEpoch = statement("UPDATE Epoch SET starts = ?1")
    readContext = statement("SELECT slot, seq, isAcknowledged, payload FROM Context ORDER BY slot")
    writeContext = statement(
      "INSERT OR REPLACE INTO Context (slot, seq, isAcknowledged, payload) VALUES (?1, ?2, ?3, ?4)")
    acknowledgeContext = statement("UPDATE Context SET isAcknowledged = 1 WHERE slot = ?1")
    readBudget = statement("SELECT day, used FROM ComplicationBudget")
    writeBudget = statement("INSERT OR REPLACE INTO ComplicationBudget (id, day, used) VALUES (1, ?1, ?2)")
    let partial = "transferHigh, transferLow, seq, flags, receivedBytes, digestState, offer"
    readPartial = statement("SELECT \(partial) FROM PartialFile")
    writePartial = statement(
      "INSERT OR REPLACE INTO PartialFile (id, \(partial)) VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    growPartial = statement("UPDATE PartialFile SET receivedBytes = ?1, digestState = ?2")
    deletePartial = statement("DELETE FROM PartialFile")
    readJournal = statement("SELECT number, answer FROM Journal")
    writeJournal = statement("INSERT OR REPLACE INTO Journal (id, number, answer) VALUES (1, ?1, ?2)")
  }
}
