/// The event `daily.chat`.
public struct ChatWritten: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.chat"
  public static let about = "The user wrote in the chat, and the phone stores the message."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var number: Int64 = 0
  public var date: String = ""
  public var text: String = ""

  public init() {}
  public var body: EventBody { .chatWritten(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.chatWritten(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("number", &number, "counts the messages of the chat from 1")
    fields.field("date", &date, "when it was written by the phone's clock, in UTC")
    fields.field("text", &text, "what was written")
  }
}

/// The event `daily.aggregated`.
public struct DayAggregated: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.aggregated"
  public static let about = "The totals of a day changed on the phone."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var day: String = ""
  public var revision: Int64 = 0
  public var totals: JSONText = .none
  public var refused: String?

  public init() {}
  public var body: EventBody { .dayAggregated(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.dayAggregated(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the local day")
    fields.field("revision", &revision, "counts the changes of this day from 1")
    fields.field("totals", &totals, "an object with `nutrition` and `health`, as posted")
    fields.field("refused", &refused, "the types that could not be read, whose totals stay as they were")
  }
}

/// The event `daily.posted`.
public struct DaysPosted: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.posted"
  public static let about = "The phone posts days to `/insights/sync`."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var store: Identifier?
  public var days: JSONText = .none
  public var digest: String = ""
  public var chatFrom: Int64?
  public var chatCount: Int64?

  public init() {}
  public var body: EventBody { .daysPosted(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.daysPosted(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("store", &store, "the server's store as far as the phone knows; missing before the first answer")
    fields.field("days", &days, "an array: `date` and `revision` of each day")
    fields.field("digest", &digest, "the first 16 hex digits of the SHA-256 of the body")
    fields.field("chatFrom", &chatFrom, "the number of the first posted chat message; missing if there is none")
    fields.field("chatCount", &chatCount, "how many chat messages are posted; missing if the app has no chat")
  }
}

/// The event `daily.synced`.
public struct DaysSynced: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.synced"
  public static let about = "The server answered: the posted days are in its store."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var store: Identifier = .none
  public var pending: Int64 = 0
  public var chatPending: Int64?

  public init() {}
  public var body: EventBody { .daysSynced(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.daysSynced(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("store", &store, "the server's store")
    fields.field("pending", &pending, "how many days wait for another post; 0 if the server has everything")
    fields.field(
      "chatPending", &chatPending,
      "how many chat messages wait for another post; missing if the app has no chat")
  }
}

/// The event `daily.edited`.
public struct MealEdited: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.edited"
  public static let about = "The user changed a stored meal; this is how it is now."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var day: String = ""
  public var name: String = ""
  public var calories: Int64 = 0
  public var protein: Int64 = 0
  public var carbs: Int64 = 0
  public var fat: Int64 = 0

  public init() {}
  public var body: EventBody { .mealEdited(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.mealEdited(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the entry")
    fields.field("day", &day, "its day, which stays")
    fields.field("name", &name, "what was eaten")
    fields.field("calories", &calories, "kilocalories")
    fields.field("protein", &protein, "grams")
    fields.field("carbs", &carbs, "carbohydrates in grams")
    fields.field("fat", &fat, "grams")
  }
}

/// The event `daily.meal`.
public struct MealLogged: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.meal"
  public static let about = "The user's meal is stored as a `NutritionEntry`, on the phone only."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var day: String = ""
  public var date: String = ""
  public var eatenAt: Int64 = 0
  public var name: String = ""
  public var calories: Int64 = 0
  public var protein: Int64 = 0
  public var carbs: Int64?
  public var fat: Int64?

  public init() {}
  public var body: EventBody { .mealLogged(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.mealLogged(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the entry")
    fields.field("day", &day, "the user's local day, `YYYY-MM-DD`")
    fields.field("date", &date, "when it was eaten by the phone's clock, in UTC")
    fields.field("eatenAt", &eatenAt, "when it was eaten, in nanoseconds since the run's start")
    fields.field("name", &name, "what was eaten")
    fields.field("calories", &calories, "kilocalories")
    fields.field("protein", &protein, "grams")
    fields.field("carbs", &carbs, "carbohydrates in grams")
    fields.field("fat", &fat, "grams")
  }
}

/// The event `daily.backedUp`.
public struct MealsBackedUp: NarratedEvent {
  public static let name: TraceEvent.Name = "daily.backedUp"
  public static let about = "A backup of the phone has its meals of this instant."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var meals: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("meals", &meals, "how many it has")
  }

  public var sentence: EventSentence { EventSentence("is backed up with \(meals) \(meals == 1 ? "meal" : "meals")") }
}

/// The event `daily.restored`.
public struct MealsRestored: NarratedEvent {
  public static let name: TraceEvent.Name = "daily.restored"
  public static let about =
    "A new phone has the meals of the backup; a line before it for each meal that is lost, or is as it was."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var meals: Int64 = 0
  public var lost: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("meals", &meals, "how many meals it has")
    fields.field("lost", &lost, "how many were logged since the backup, and are lost")
  }

  public var sentence: EventSentence {
    EventSentence("is lost, and a new one has the \(meals) of the backup, without \(lost) logged since")
  }
}

/// The event `daily.removed`.
public struct MealRemoved: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.removed"
  public static let about = "The user deleted a meal, or it is lost with the phone."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var day: String = ""
  public var lost: Bool?

  public init() {}
  public var body: EventBody { .mealRemoved(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.mealRemoved(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the entry")
    fields.field("day", &day, "its day")
    fields.field("lost", &lost, "only true: it was in no backup of a phone that is lost")
  }
}

/// The event `daily.failed`.
public struct SyncFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.failed"
  public static let about = "A post brought no usable answer; its days stay pending."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var why: String = ""
  public var retryAt: Int64?

  public init() {}
  public var body: EventBody { .syncFailed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.syncFailed(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("why", &why, "what was found")
    fields.field(
      "retryAt", &retryAt,
      "when it is posted again, in nanoseconds since the run's start; missing if the next sync does it")
  }
}
