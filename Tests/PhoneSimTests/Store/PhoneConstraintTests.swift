import CoachProtocol
import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore
@testable import PhoneSim

/// Every constraint of the phone's tables, tried on disk and in memory.
@Suite struct PhoneConstraintTests {
  typealias Attempt = PhoneConstraintAttempts.Attempt

  /// The constraints of the tables, as the database itself lists them: `Run PRIMARY KEY`, `Run.startedAt NOT NULL`,
  /// `PlayedMessage.runId REFERENCES Run`, `Run CHECK (mode IN (...))`.
  private static func constraints() throws -> [String] {
    let folder = try TemporaryDirectory()
    let database = try StoreFile.open(folder: folder.path, DeviceStore<PhoneTables>.components)
    func rows(_ sql: String) throws -> [(String, String, String, String)] {
      try Statement(database, sql).load { ($0.text(0), $0.text(1), $0.text(2), $0.text(3)) }
    }
    var found: [String] = []
    for (table, sql, _, _) in try rows("SELECT name, sql, '', '' FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    where PhoneTables.schema.contains("CREATE TABLE \(table) (") {
      for (column, isRequired, key, _) in try rows(
        "SELECT name, \"notnull\", pk, '' FROM pragma_table_info('\(table)')")
      {
        if isRequired == "1" { found.append("\(table).\(column) NOT NULL") }
        if key == "1" { found.append("\(table) PRIMARY KEY") }
      }
      for (name, origin, isUnique, _) in try rows(
        "SELECT name, origin, \"unique\", '' FROM pragma_index_list('\(table)')")
      where origin != "pk" && isUnique == "1" {
        let columns = try rows("SELECT name, '', '', '' FROM pragma_index_info('\(name)')").map(\.0)
        found.append("\(table) UNIQUE (\(columns.joined(separator: ", ")))")
      }
      for (from, other, _, _) in try rows("SELECT \"from\", \"table\", '', '' FROM pragma_foreign_key_list('\(table)')")
      {
        found.append("\(table).\(from) REFERENCES \(other)")
      }
      for rest in sql.components(separatedBy: "CHECK (").dropFirst() {
        var depth = 1
        let text = rest.prefix { letter in
          depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
          return depth > 0
        }
        found.append("\(table) CHECK (\(text))")
      }
    }
    return found
  }

  /// What both stores say of a change; nil for no refusal.
  private static func refusals(_ attempt: Attempt) throws -> (disk: StoreError?, memory: StoreError?) {
    let folder = try TemporaryDirectory()
    var disk = try DeviceStore<PhoneTables>(folder: folder.path)
    _ = try disk.begin()
    var memory = MemoryPhoneStore()
    try disk.commit([], attempt.before)
    try memory.commit([], attempt.before)
    var found: (disk: StoreError?, memory: StoreError?)
    do throws(StoreError) { try disk.commit([], [attempt.change]) } catch { found.disk = error }
    do throws(StoreError) { try memory.commit([], [attempt.change]) } catch { found.memory = error }
    if found.memory != nil { #expect(throws: StoreError.self) { try memory.begin() } }
    return found
  }

  @Test func `each constraint is refused by both stores, or no change can violate it`() throws {
    let attempts = PhoneConstraintAttempts.all
    var tried = Set<String>()
    for name in try Self.constraints() where !PhoneConstraintAttempts.isImpossible(name) {
      let plain = PhoneConstraintAttempts.plain(name)
      let isSecond = plain != name
      guard let attempt = attempts[plain] else {
        Issue.record("no attempt violates \(name), and it is not among the impossible ones")
        continue
      }
      tried.insert(plain)
      let (disk, memory) = try Self.refusals(isSecond ? attempt.onSecond : attempt)
      let refused = try #require(disk, "\(name) on disk")
      let also = try #require(memory, "\(name) in memory")
      #expect(also.cause == refused.cause)
      // The file and the statement are the disk's; the rest is the same.
      let rule = try #require(also.text.split(separator: ": ", maxSplits: 1).last)
      #expect(
        refused.text.contains(": \(rule)"),
        "\(name): \(refused.text), and in memory \(also.text)")
    }
    #expect(Set(attempts.keys).subtracting(tried) == [], "attempts for constraints that the tables do not have")
    #expect(tried.count > 50)
  }

  @Test func `what a statement replaces, both stores replace`() throws {
    let meal = PhoneConstraintAttempts.meal
    var moved = meal
    moved.day = LocalDay(5)
    let change = PhoneChange.rare(.daily(.logged(moved)))
    let folder = try TemporaryDirectory()
    var disk = try DeviceStore<PhoneTables>(folder: folder.path)
    _ = try disk.begin()
    var memory = MemoryPhoneStore()
    for change in [.rare(.daily(.logged(meal))), change, change] {
      try disk.commit([], [change])
      try memory.commit([], [change])
    }
    #expect(try disk.begin().app == memory.record && memory.record.daily.meals == [moved])
  }
}
