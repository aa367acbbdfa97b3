import Console
import CoachProtocol
import EdgeSim
import Foundation
import Link
import LinkStore
import PhoneSim

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
