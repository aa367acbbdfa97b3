package import CoachProtocol
package import Link

/// A meal: a row of the table `NutritionEntry`, which never leaves the phone.
package struct NutritionEntry: Sendable, Equatable {
  package var id: Identifier
  /// When it was eaten, in nanoseconds since 1970 by the phone's clock.
  package var date: Int64
  /// The user's local day at that time; it stays when the user travels.
  package var day: LocalDay
  package var name: String
  /// Kilocalories.
  package var calories: Int
  /// Grams.
  package var protein: Int
  /// Carbohydrates in grams.
  package var carbs: Int
  /// Grams.
  package var fat: Int
}

/// What the phone knows of a day's totals, and what the server has confirmed.
package struct DailyAggregate: Sendable, Equatable {
  package var day: LocalDay
  /// Counts the changes from 1.
  package var revision: Int
  /// The last revision that the server confirmed; 0 for none.
  package var syncedRevision: Int
  /// Nil without meals.
  package var nutrition: NutritionSnapshot?
  /// Nil without metrics.
  package var health: HealthSnapshot?

  package var isPending: Bool { revision > syncedRevision }

  /// As posted.
  package var data: DailySyncData {
    DailySyncData(date: day.text, revision: revision, nutrition: nutrition, health: health)
  }
}

/// A day at one of its revisions.
package struct DayRevision: Sendable, Equatable {
  package var day: LocalDay
  package var revision: Int
}

/// A message that the user wrote in the chat: a row of the table `ChatMessage`.
package struct ChatEntry: Sendable, Equatable {
  /// When it was written, in nanoseconds since 1970 by the phone's clock.
  package var date: Int64
  package var text: String
}

/// A durable change of meals, aggregates and chat.
package enum DailyChange: Sendable, Equatable {
  case logged(NutritionEntry)
  case removed(Identifier, LocalDay)
  /// Drawn meals are stored up to this instant.
  case mealsDrawn(through: VirtualTime)
  /// A day's totals are new, or changed.
  case aggregated(DailyAggregate)
  /// The server confirmed these days.
  case synced([DayRevision])
  /// The server has another store, which holds only these days.
  case storeReplaced(Identifier, holding: [DayRevision])
  /// The newest day whose metrics were queried.
  case queried(LocalDay)
  /// The next message of the chat.
  case chatWritten(ChatEntry)
  /// Drawn messages of the chat are stored up to this instant.
  case chatDrawn(through: VirtualTime)
  /// The server has read the chat up to the message of this number; 0 for none of it.
  case chatRead(through: Int)
}

/// What the phone stores of meals, aggregates and chat.
package struct DailyRecord: Sendable, Equatable {
  /// In the order in which they were stored.
  package var meals: [LocalDay: [NutritionEntry]] = [:]
  package var aggregates: [LocalDay: DailyAggregate] = [:]
  /// The server's store; nil before the first answer.
  package var store: Identifier?
  /// Nil before the first start.
  package var mealsThrough: VirtualTime?
  package var lastQueried: LocalDay?
  /// In the order in which they were written; the first one has the number 1.
  package var chat: [ChatEntry] = []
  /// Nil before the first start with a chat.
  package var chatThrough: VirtualTime?
  /// The last message that the server has read; 0 for none.
  package var chatRead = 0

  /// How many messages of the chat wait for a post.
  package var chatPendingCount: Int { max(0, chat.count - chatRead) }

  /// How many days wait for a post.
  package var pendingCount: Int { aggregates.values.count { $0.isPending } }

  package mutating func apply(_ change: DailyChange) {
    switch change {
    case .logged(let entry):
      for day in meals.keys where meals[day]?.contains(where: { $0.id == entry.id }) == true { remove(entry.id, day) }
      meals[entry.day, default: []].append(entry)
    case .removed(let id, let day): remove(id, day)
    case .mealsDrawn(let instant): mealsThrough = instant
    case .aggregated(let aggregate): aggregates[aggregate.day] = aggregate
    case .synced(let days):
      for entry in days { confirm(entry) }
    case .storeReplaced(let store, let days):
      self.store = store
      for day in aggregates.keys { aggregates[day]?.syncedRevision = 0 }
      for entry in days { confirm(entry) }
    case .queried(let day): lastQueried = day
    case .chatWritten(let entry): chat.append(entry)
    case .chatDrawn(let instant): chatThrough = instant
    case .chatRead(let number): chatRead = number
    }
  }

  private mutating func remove(_ id: Identifier, _ day: LocalDay) {
    meals[day]?.removeAll { $0.id == id }
    if meals[day]?.isEmpty == true { meals[day] = nil }
  }

  private mutating func confirm(_ entry: DayRevision) {
    guard let known = aggregates[entry.day] else { return }
    aggregates[entry.day]?.syncedRevision = max(known.syncedRevision, entry.revision)
  }
}
