/// The event `ingestion.asked`.
public struct IngestionAsked: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.asked"
  public static let about = "The app asks the user, once, whether it may read a store."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var store: String = ""
  public var types: String = ""
  public var granted: String = ""

  public init() {}

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ingestionAsked(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("store", &store, "HealthKit or EventKit")
    fields.field("types", &types, "the data types that it asks for, separated by commas")
    fields.field("granted", &granted, "those that the user allows; empty if all are denied")
  }
}

/// The event `ingestion.began`.
public struct IngestionBegan: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.began"
  public static let about = "The phone's app starts with what its staging table `appledata` holds."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var rows: Int64 = 0
  public var unparsed: Int64 = 0
  public var failed: Int64 = 0

  public init() {}
  public var body: EventBody { .ingestionBegan(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ingestionBegan(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("rows", &rows, "how many rows it holds")
    fields.field("unparsed", &unparsed, "how many of them are not parsed")
    fields.field("failed", &failed, "how many of those did not parse")
  }
}

/// The event `ingestion.failed`.
public struct IngestionFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.failed"
  public static let about = "A row did not parse; it stays, with the reason."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""
  public var id: Identifier = .none
  public var why: String = ""

  public init() {}
  public var body: EventBody { .ingestionFailed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ingestionFailed(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
    fields.field("id", &id, "the row")
    fields.field("why", &why, "what was found, and what was expected")
  }
}

/// The event `ingestion.parsed`.
public struct IngestionParsed: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.parsed"
  public static let about = "A row was parsed, and its measures replaced those of its type and day."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""
  public var id: Identifier = .none
  public var raw: String = ""
  public var action: Identifier = .none
  public var measures: JSONText = .none

  public init() {}
  public var body: EventBody { .ingestionParsed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ingestionParsed(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
    fields.field("id", &id, "the row")
    fields.field("raw", &raw, "the digest of the JSON that was parsed")
    fields.field("action", &action, "the day's action")
    fields.field("measures", &measures, "an object: each measure's value, by its key")
  }
}

/// The event `ingestion.purged`.
public struct IngestionPurged: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.purged"
  public static let about = "A row was deleted; its measures stay."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""
  public var id: Identifier = .none
  public var why: String = ""

  public init() {}
  public var body: EventBody { .ingestionPurged(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ingestionPurged(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
    fields.field("id", &id, "the row")
    fields.field("why", &why, "`due`, or `asked` if the user ordered it")
  }
}

/// The event `ingestion.refused`.
public struct IngestionRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.refused"
  public static let about = "A query brought nothing, and the staging table stays as it is."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""
  public var why: String = ""

  public var body: EventBody { .ingestionRefused(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ingestionRefused(self, at: place, into: &report)
  }

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
    fields.field("why", &why, "`denied`, `unavailable` or `diskFull`")
  }
}

/// The event `ingestion.requested`.
public struct IngestionRequested: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.requested"
  public static let about = "The app queries a store for one type and day."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""

  public init() {}
  public var body: EventBody { .ingestionRequested(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ingestionRequested(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
  }
}

/// The event `ingestion.staged`.
public struct IngestionStaged: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.staged"
  public static let about = "A store's answer is in the staging table."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""
  public var id: Identifier = .none
  public var row: String = ""
  public var raw: String = ""
  public var bytes: Int64 = 0
  public var left: Int64 = 0

  public init() {}
  public var body: EventBody { .ingestionStaged(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ingestionStaged(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
    fields.field("id", &id, "the row")
    fields.field("row", &row, "`new`, `changed` (its JSON was replaced, and is parsed again) or `same`")
    fields.field("raw", &raw, "the first 16 hex digits of the SHA-256 of its JSON")
    fields.field("bytes", &bytes, "the length of its JSON")
    fields.field("left", &left, "how many queries wait, 0 while one is in progress; the next one is sent at once")
  }
}

/// The event `ingestion.switched`.
public struct IngestionSwitched: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.switched"
  public static let about = "The user switched a type on or off."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var on: Bool = false

  public init() {}

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ingestionSwitched(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("on", &on, "whether it is fetched from now on")
  }
}

/// The event `ingestion.access`.
public struct IngestionAccess: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.access"
  public static let about =
    "A type can no longer be read, or can again: until then a sync asks once, and what is parsed stays."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var status: String = ""
  public var message: String?

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("type", &type, "the data type")
    fields.field(
      "status", &status,
      "`denied` when first asked for, `revoked` later, `unavailable` without an answer, `granted` when it can be read again"
    )
    fields.field("message", &message, "what the app shows")
  }
}

/// The event `ingestion.updated`.
public struct IngestionUpdated: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.updated"
  public static let about = "A newer version of the app parses what failed once more."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var parser: Int64 = 0
  public var unparsed: Int64 = 0

  public init() {}
  public var body: EventBody { .ingestionUpdated(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ingestionUpdated(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("parser", &parser, "the parser's version")
    fields.field("unparsed", &unparsed, "how many rows it parses")
  }
}
