import CoachProtocol
import Console
import EdgeSim
import Foundation
import Link
import LinkStore
import PhoneSim

/// Rows of the phone's start handshake.
extension InspectedDevice {
  /// Adds the unanswered start, the watch's orders about other runs, and the phone's own tracker; empty in a phone that
  /// never requested a run.
  mutating func addStart(_ start: PhoneStartHandshake) {
    add("starting", [start.asking].compactMap(\.self)) { request in
      [
        "runId": .string(request.runId.text), "firstAskedAt": .seconds(request.firstAskedAt - .start),
        "askedAt": .seconds(request.askedAt - .start), "attempt": .count(request.attempt),
      ]
    }
    add("startsAsked", start.runs) { run in
      [
        "runId": .string(run.runId.text), "fate": .string(run.fate.rawValue), "toldAt": Self.seconds(run.orderedAt),
      ]
    }
    add("phoneTracker", [start.tracker].compactMap(\.self)) { tracker in
      [
        "runId": .string(tracker.runId.text), "startedAt": .seconds(tracker.startedAt - .start),
        "endedAt": Self.seconds(tracker.endedAt),
      ]
    }
  }
}

/// Rows of requests, answers and memory.
extension InspectedDevice {
  mutating func addAnswers(_ record: PhoneRecord) {
    add("replies", record.replies) { reply in
      [
        "id": .string(reply.id.text), "note": .string(reply.noteId.text), "model": .string(reply.model),
        "requestedAt": .seconds(reply.requestedAt - .start), "respondedAt": Self.seconds(reply.respondedAt),
        "playedAt": Self.seconds(reply.playedAt),
        "waits": .bool(record.waitingReplies.contains { $0.id == reply.id }), "text": .string(reply.text),
      ]
    }
    add("asking", record.ai.requests) { request in
      [
        "id": .string(request.id.text), "kind": .string(request.call.rawValue), "attempt": .count(request.attempt),
        "requestedAt": .seconds(request.requestedAt - .start), "retryAt": Self.seconds(request.retryAt),
        "digest": .string(String(request.digest.prefix(16))),
      ]
    }
    add("memory", record.memory) { row in
      [
        "kind": .string(row.fact.kind.rawValue), "key": .string(row.fact.key), "value": row.fact.value,
        "confidence": .plain(row.fact.confidence), "source": .string(row.fact.source.rawValue),
      ]
    }
    add("script", [record.script].compactMap(\.self)) { kept in
      [
        "id": .text(kept.script.id), "source": .string(kept.source.rawValue), "runId": .text(kept.script.runId),
        "lines": .count(kept.script.messages.count),
      ]
    }
  }
}

/// Rows of meals, daily totals, the chat and the server's files.
extension InspectedDevice {
  /// Adds the days that wait for the server, the meals, each day's totals, and the chat; nothing for a phone without them.
  mutating func addDaily(_ record: DailyRecord) {
    guard record.state.mealsThrough != nil || !record.aggregates.isEmpty else { return }
    let meals = record.meals.sorted { ($0.date, $0.id.low) < ($1.date, $1.id.low) }
    let hasChat = record.state.chatThrough != nil
    addRow(
      "daily",
      [
        "meals": .count(meals.count), "days": .count(record.aggregates.count), "pending": .count(record.pendingCount),
        "store": .text(record.state.store?.text), "chatMessages": hasChat ? .count(record.chat.count) : nil,
        "chatPending": hasChat ? .count(record.chatPendingCount) : nil,
      ])
    add("meals", meals.suffix(StateInspection.listedMax), of: meals.count) { meal in
      [
        "day": .string(meal.day.text), "date": .string(LocalDay.dateText(meal.date)), "name": .string(meal.name),
        "calories": .count(meal.calories), "protein": .count(meal.protein),
        "carbs": .count(meal.carbs), "fat": .count(meal.fat),
      ]
    }
    let days = record.aggregates.values.sorted { $0.day < $1.day }
    add(
      "totals",
      rows: days.suffix(StateInspection.listedMax).map { day in
        let row: JSONFields = [
          "day": .string(day.day.text), "revision": .count(day.revision), "pending": .bool(day.isPending),
        ]
        guard case .object(let members) = day.data.json else { return .init(row) }
        return .init(row) + members.filter { $0.key == "nutrition" || $0.key == "health" }
      }, of: days.count)
    guard !record.chat.isEmpty else { return }
    let chat = record.chat.enumerated().suffix(StateInspection.listedMax)
    add("chat", chat, of: record.chat.count) { index, entry in
      [
        "number": .count(index + 1), "date": .string(LocalDay.dateText(entry.date)), "text": .string(entry.text),
        "pending": .bool(index >= record.state.chatRead),
      ]
    }
  }

  /// An edge's files; one that cannot be read is a finding.
  init(edgeIn folder: String) throws(StoreError) {
    role = .edge
    starts = 1
    findings = []
    let files = WholeFiles(reading: folder)
    var rows: [[JSONMember]] = []
    for file in EdgeFile.allCases {
      guard let bytes = try files.read(file.rawValue, countMax: EdgeRecord.bytesMax) else { continue }
      rows.append(.init(["file": .string(file.rawValue), "bytes": .count(bytes.count)]))
      guard let node = try? JSONParser.parse(bytes, dialect: .json) else {
        findings.append("\(file.rawValue) is no JSON: the next start leaves it out")
        continue
      }
      if file == .profile, case .object(let members) = node.value { add("profile", rows: [members]) }
      guard file == .contextStore, case .object(let days)? = node["days"]?.value else { continue }
      add(
        "snapshots",
        rows: days.suffix(StateInspection.listedMax).map { day in
          guard case .object(let members) = day.node.value else { return [JSONMember("day", .string(day.key))] }
          return [JSONMember("day", .string(day.key))] + members
        }, of: days.count)
    }
    sections.insert(Section(name: "files", rows: rows), at: 0)
  }

  /// Whether a folder holds a file of an edge.
  static func isEdge(_ folder: String) -> Bool {
    EdgeFile.allCases.contains { FileManager.default.fileExists(atPath: "\(folder)/\($0.rawValue)") }
  }
}

/// Rows of the ingestion of Apple data.
extension InspectedDevice {
  /// Days of a trend.
  private static let trendDays = 7

  /// Adds what the app's screen Apple Health shows of its last days: sleep and its mean, energy as bars, meetings.
  private mutating func addAppleHealth(_ days: [(day: LocalDay, values: MeasuredValues)]) {
    func rounded(_ value: Double) -> JSONValue { .plain((value * 100).rounded() / 100) }
    var (slept, nights) = (0.0, 0.0)
    add("sleepTrend", days.filter { $0.values[.sleepHours] != nil }) { day, values in
      let hours = values[.sleepHours] ?? 0
      (slept, nights) = (slept + hours, nights + 1)
      return ["day": .string(day.text), "sleep_hours": rounded(hours), "mean": rounded(slept / nights)]
    }
    let burned = days.filter { $0.values[.caloriesBurned] != nil }
    let most = max(1, burned.compactMap { $0.values[.caloriesBurned] }.max() ?? 1)
    add("caloriesChart", burned) { day, values in
      let energy = values[.caloriesBurned] ?? 0
      let bar = String(repeating: "#", count: Int((energy / most * 20).rounded()))
      return ["day": .string(day.text), "calories_burned": rounded(energy), "bar": .string(bar)]
    }
    add("meetingTime", days.filter { ($0.values[.meetingCount] ?? 0) > 0 }) { day, values in
      let (hours, count) = (values[.meetingHours] ?? 0, values[.meetingCount] ?? 0)
      return [
        "day": .string(day.text), "meeting_hours": rounded(hours), "meeting_count": .plain(count),
        "hours_each": rounded(hours / count),
      ]
    }
  }

  /// Adds what the settings show, the days' measures, and what did not parse; empty in a phone that ingests nothing.
  mutating func addIngestion(_ record: IngestionRecord) {
    let measured = record.actions.values.reduce(0) { $0 + $1.values.count }
    guard record.syncedAt != nil || !record.rows.isEmpty || measured > 0 else { return }
    let rows = record.rows.values.sorted { $0.key < $1.key }
    let parsed = rows.count { $0.parsedAt != nil }
    let next = rows.lazy.filter { $0.parsedAt != nil }.compactMap(\.purgeAfter).min()
    addRow(
      "ingestion",
      [
        "lastSync": Self.seconds(record.syncedAt), "rows": .count(rows.count),
        "rawBytes": .integer(rows.reduce(0) { $0 + Int64($1.byteCount) }), "parsedRows": .count(parsed),
        "measurements": .count(measured), "failures": .count(rows.count { $0.failure != nil }),
        "nextPurge": .text(next.flatMap { DateText.utc(Double($0)) }), "parser": .count(record.parserVersion),
        "off": .texts(record.off.map(\.rawValue).sorted()), "alerts": .texts(record.alerts),
      ])
    let days = record.actions.sorted { $0.key < $1.key }
    add(
      "days",
      rows: days.suffix(StateInspection.listedMax).map { day, action in
        .init(["day": .string(day.text), "action": .string(action.id.text)])
          + AppleMeasure.allCases.compactMap { measure in
            action.values[measure].map { JSONMember(measure.rawValue, .plain($0)) }
          }
      }, of: days.count)
    addAppleHealth(days.suffix(Self.trendDays).map { ($0.key, $0.value.values) })
    let failed = rows.filter { $0.failure != nil }
    add("unreadable", failed.prefix(StateInspection.listedMax), of: failed.count) { row in
      [
        "id": .string(row.id.text), "type": .string(row.type.rawValue), "day": .string(row.day.text),
        "reason": .text(row.failure),
      ]
    }
  }
}

/// Rows of the training sessions.
extension InspectedDevice {
  /// Adds the number of rows of each table, the sessions, the competition and the athlete's averages; nothing for a
  /// phone without sessions.
  ///
  /// - Parameter prefix: Before the names of the sections.
  mutating func addTraining(_ record: TrainingRecord, prefix: String = "") {
    guard !record.isEmpty else { return }
    let counts = zip(TrainingCatalog.all, record.tables).filter { !$1.isEmpty }
    add(
      prefix + "training",
      rows: [
        counts.map { JSONMember($0.name, .count($1.count)) }
          + [JSONMember("incompleteReports", .count(record.pending.count))]
      ])
    let sessions = record.sessions(SessionQuery(countMax: StateInspection.listedMax))
    add(prefix + "sessions", sessions, of: record.sessionCount) { session in
      [
        "id": .string(session.id.text), "discipline": .string(session.discipline.rawValue),
        "startDate": .string(LocalDay.dateText(session.startDate)), "distance": .plain(session.totalDistance),
        "duration": .plain(session.totalDuration),
      ]
    }
    add(prefix + "competitions", rows: record.rows("Competition").map { Self.members($0) })
    for (name, table) in Self.listed {
      let rows = record.rows(table)
      guard !rows.isEmpty else { continue }
      add(prefix + name, rows: rows.prefix(StateInspection.listedMax).map { Self.members($0) }, of: rows.count)
    }
    add(prefix + "skills", record.skillAverages()) { average in
      [
        "domain": .string(average.domain), "average": .plain((average.score * 100).rounded() / 100),
        "rolling": .plain((average.rolling * 100).rounded() / 100),
        "snapshots": .count(average.count),
      ]
    }
  }

  /// Adds the second phone's rows, and how far both phones agree; nothing without a second phone.
  mutating func addSecond(_ record: PhoneRecord) {
    let (first, second) = (record.training, record.secondTraining)
    guard !second.isEmpty else { return }
    var differing = 0
    for (one, two) in zip(first.tables, second.tables) {
      for id in Set(one.keys).union(two.keys) where one[id] != two[id] { differing += 1 }
    }
    addRow(
      "sync",
      [
        "exchanged": .count(second.synced.count), "queued": .count(first.queued.count),
        "queuedOnSecond": .count(second.queued.count), "differing": .count(differing),
      ])
    addTraining(second, prefix: "second.")
  }

  /// Rows that people add, by the name of their section.
  private static let listed = [
    ("competitionTasks", "CompetitionTask"), ("plannedWorkouts", "WorkoutTemplate"), ("photos", "RidePhoto"),
    ("targetScans", "TargetScanAnalysis"),
  ]

  /// A row's columns that have a value.
  private static func members(_ row: TrainingRow) -> [JSONMember] {
    [JSONMember("id", .string(row.id.text))]
      + zip(row.entity.columns, row.values).compactMap { column, value in
        switch (column.kind, value) {
        case (_, .null): nil
        case (.date, .integer(let date)): JSONMember(column.name, .string(LocalDay.dateText(date)))
        case (_, .integer(let number)): JSONMember(column.name, .integer(number))
        case (_, .real(let number)): JSONMember(column.name, .plain(number))
        case (_, .text(let text)): JSONMember(column.name, .string(text))
        }
      }
  }
}
