import Console
package import Link

/// The phone's screens with lists, as the page gets them.
extension PairState {
  package var historyJSON: JSONValue {
    .objects(phone.history.rows.suffix(20)) { row in
      [
        "begin": .decimal(row.begin), "distance": .decimal(row.distance), "duration": .decimal(row.duration),
        "averagePace": .decimal(row.averagePace), "splits": .count(row.splits), "route": .count(row.route),
        "heartRates": .count(row.heartRates), "finished": .bool(row.isFinished), "discipline": .string(row.discipline),
      ]
    }
  }

  package var trainingJSON: JSONValue {
    let screen = phone.training
    return .fields([
      "on": .bool(screen.isOn),
      "sessions": .objects(screen.sessions.suffix(20)) { session in
        [
          "discipline": .string(session.discipline), "distance": .decimal(session.distance),
          "duration": .decimal(session.duration), "result": .count(session.result), "parts": .count(session.parts),
          "at": .time(session.at), "edits": .texts(session.edits),
        ]
      },
      "drills": .objects(screen.drills.suffix(10)) { drill in
        [
          "discipline": .string(drill.discipline), "kind": .string(drill.kind), "sets": .integer(drill.sets),
          "at": .time(drill.at),
        ]
      },
      "results": .objects(screen.results) { ["discipline": .string($0.discipline), "result": .count($0.result)] },
      "refusal": .text(screen.refusal),
    ])
  }

  package var healthJSON: JSONValue {
    let screen = phone.health
    let failed = screen.rows.filter { $0.failure != nil }
    let types = JSONValue.objects(AppleHealthScreen.types) { type in
      [
        "type": .string(type), "on": .bool(!screen.off.contains(type)),
        "rows": .count(screen.rows.count { $0.type == type }),
      ]
    }
    let failures = JSONValue.objects(failed.prefix(5)) { row in
      ["type": .string(row.type), "day": .string(row.day), "why": .string(row.failure ?? "")]
    }
    return .fields([
      "on": .bool(screen.isOn), "synced": screen.syncedAt.map { .time($0) } ?? .null,
      "rows": .count(screen.rows.count), "bytes": .count(screen.rows.reduce(0) { $0 + $1.bytes }),
      "parsed": .count(screen.rows.count { $0.isParsed }), "failures": failures, "failed": .count(failed.count),
      "refusal": screen.refusal.map { .fields(["type": .string($0.type), "why": .string($0.why)]) } ?? .null,
      "types": types,
      "days": .objects(AppleHealthScreen.types) { ["type": .string($0), "days": Self.days(of: $0, screen)] },
    ])
  }

  /// The measures of a type on the last seven days that have any.
  private static func days(of type: String, _ screen: AppleHealthScreen) -> JSONValue {
    let days = screen.measures.filter { $0.type == type }.sorted { $0.day < $1.day }
    return .objects(days.suffix(7)) { ["day": .string($0.day), "values": .numbers($0.values)] }
  }

  package var mealsJSON: JSONValue {
    let screen = phone.meals
    let meals = JSONValue.objects(screen.meals.suffix(8)) { meal in
      [
        "day": .string(meal.day), "name": .string(meal.name), "calories": .integer(meal.calories),
        "protein": .integer(meal.protein), "carbs": .integer(meal.carbs), "fat": .integer(meal.fat),
        "date": .string(meal.date),
      ]
    }
    let days = JSONValue.objects(screen.days.sorted { $0.day < $1.day }.suffix(4)) { day in
      ["day": .string(day.day), "revision": .integer(day.revision), "totals": day.totals.node?.value ?? .null]
    }
    return .fields([
      "on": .bool(screen.isOn), "synced": screen.syncedAt.map { .time($0) } ?? .null, "pending": .count(screen.pending),
      "failure": .text(screen.failure), "meals": meals, "days": days,
      "chat": .objects(screen.chat.suffix(4)) { ["text": .string($0.text)] },
    ])
  }

  /// The screen of the app of the user's own on a device: 0 for the watch, 1 for the phone.
  ///
  /// - Parameter crash: Its last lines, if it has ended by itself; nil if it has not.
  package func appJSON(_ device: Int, crash: String?) -> JSONValue {
    let app = apps[device]
    return .fields([
      "facts": .objects(app.facts) { ["name": .string($0.name), "text": .string($0.text), "at": .time($0.at)] },
      "log": .objects(app.log.suffix(14)) { ["text": .string($0.text), "at": .time($0.at)] },
      "crash": .text(crash ?? app.crash),
    ])
  }
}

extension JSONValue {
  /// An object of numbers.
  fileprivate static func numbers(_ numbers: [(key: String, value: Double)]) -> JSONValue {
    .object(numbers.map { JSONMember($0.key, .decimal($0.value)) })
  }
}
