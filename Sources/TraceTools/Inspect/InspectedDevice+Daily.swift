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
    guard record.mealsThrough != nil || !record.aggregates.isEmpty else { return }
    let meals = record.meals.values.joined().sorted { ($0.date, $0.id.low) < ($1.date, $1.id.low) }
    var chatCounts: [JSONMember] = []
    if record.chatThrough != nil {
      chatCounts = [
        JSONMember("chatMessages", .integer(Int64(record.chat.count))),
        JSONMember("chatPending", .integer(Int64(record.chatPendingCount))),
      ]
    }
    sections.append(
      Section(
        name: "daily",
        rows: [
          [
            JSONMember("meals", .integer(Int64(meals.count))),
            JSONMember("days", .integer(Int64(record.aggregates.count))),
            JSONMember("pending", .integer(Int64(record.pendingCount))),
            JSONMember("store", JSONOutput.text(record.store?.text)),
          ] + chatCounts
        ]))
    sections.append(
      Section(
        name: "meals",
        rows: meals.suffix(StateInspection.listedMax).map { meal in
          [
            JSONMember("day", .string(meal.day.text)), JSONMember("date", .string(LocalDay.dateText(meal.date))),
            JSONMember("name", .string(meal.name)), JSONMember("calories", .integer(Int64(meal.calories))),
            JSONMember("protein", .integer(Int64(meal.protein))),
          ]
        }, total: meals.count > StateInspection.listedMax ? meals.count : nil))
    let days = record.aggregates.values.sorted { $0.day < $1.day }
    sections.append(
      Section(
        name: "totals",
        rows: days.suffix(StateInspection.listedMax).map { day in
          var row = [JSONMember("day", .string(day.day.text)), JSONMember("revision", .integer(Int64(day.revision)))]
          row.append(JSONMember("pending", .bool(day.isPending)))
          if case .object(let members) = day.data.json {
            row += members.filter { $0.key == "nutrition" || $0.key == "health" }
          }
          return row
        }, total: days.count > StateInspection.listedMax ? days.count : nil))
    guard !record.chat.isEmpty else { return }
    let chat = record.chat.enumerated().suffix(StateInspection.listedMax)
    sections.append(
      Section(
        name: "chat",
        rows: chat.map { index, entry in
          [
            JSONMember("number", .integer(Int64(index + 1))),
            JSONMember("date", .string(LocalDay.dateText(entry.date))),
            JSONMember("text", .string(entry.text)), JSONMember("pending", .bool(index >= record.chatRead)),
          ]
        }, total: record.chat.count > StateInspection.listedMax ? record.chat.count : nil))
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
      rows.append([JSONMember("file", .string(file.rawValue)), JSONMember("bytes", .integer(Int64(bytes.count)))])
      guard let node = try? JSONParser.parse(bytes, dialect: .json) else {
        findings.append("\(file.rawValue) is no JSON: the next start leaves it out")
        continue
      }
      if file == .profile, case .object(let members) = node.value {
        sections.append(Section(name: "profile", rows: [members]))
      }
      guard file == .contextStore, case .object(let days)? = node["days"]?.value else { continue }
      sections.append(
        Section(
          name: "snapshots",
          rows: days.suffix(StateInspection.listedMax).map { day in
            guard case .object(let members) = day.node.value else { return [JSONMember("day", .string(day.key))] }
            return [JSONMember("day", .string(day.key))] + members
          }, total: days.count > StateInspection.listedMax ? days.count : nil))
    }
    sections.insert(Section(name: "files", rows: rows), at: 0)
  }

  /// Whether a folder holds a file of an edge.
  static func isEdge(_ folder: String) -> Bool {
    EdgeFile.allCases.contains { FileManager.default.fileExists(atPath: "\(folder)/\($0.rawValue)") }
  }
}
