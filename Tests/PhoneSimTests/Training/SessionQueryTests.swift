import CoachProtocol
import Foundation
import Link
import LinkStore
import LinkTransport
import Testing

@testable import PhoneSim

/// The training history: pages and totals from the database, and from memory.
@Suite struct SessionQueryTests {
  private typealias Store = DeviceStore<PhoneTables>

  /// 120 sessions of all disciplines, several of them at one instant.
  private static func rows() -> [TrainingRow] {
    (0..<120 as Range<Int64>).map { number in
      let discipline = TrainingDiscipline.allCases[Int(number) % 4]
      var values: [String: StoredValue] = [
        "startDate": .integer(number / 3 * 1_000), "endDate": .integer(number / 3 * 1_000 + 500), "name": .text("x"),
        "totalDistance": .real(Double(number)), "totalDuration": .real(60),
      ]
      if discipline == .swimming { values["totalStrokes"] = .integer(0) }
      if discipline == .shooting { values["totalScore"] = .integer(0) }
      return TrainingRow(
        discipline.table, Identifier(of: Identifier(high: 7, low: 7), discipline.table, number), values)
    }
  }

  private static func fill(_ folder: String) throws -> (TrainingRecord, Database) {
    var record = TrainingRecord()
    let changes = rows().map { TrainingChange.row($0) }
    for change in changes { try record.apply(change) }
    do {
      // Closed at the end of the scope: a store is open once.
      var store = try Store(folder: folder)
      try store.commit([], changes.map { .rare(.training($0)) })
    }
    return (record, try StoreFile.open(folder: folder, Store.components))
  }

  @Test(arguments: [nil] + TrainingDiscipline.allCases.map(Optional.init))
  func `pages from the database are those from memory, and together all sessions once`(
    discipline: TrainingDiscipline?
  ) throws {
    let folder = try TemporaryDirectory()
    let (record, database) = try Self.fill(folder.path)
    let service = SessionQueryService(database)
    var query = SessionQuery(period: 2_000...30_000, discipline: discipline, countMax: 7)
    var seen: [TrainingSession] = []
    for _ in 0..<40 {
      let page = try service.sessions(query)
      #expect(page == record.sessions(query))
      guard let last = page.last else { break }
      seen += page
      query.after = last
    }
    let whole = record.sessions(
      SessionQuery(period: 2_000...30_000, discipline: discipline, countMax: 1_000))
    #expect(seen == whole && Set(seen.map(\.id)).count == seen.count)
    #expect(whole.count == (discipline == nil ? 87 : discipline == .running ? 22 : whole.count) && whole.count > 20)
    #expect(try service.statistics(2_000...30_000, discipline) == record.statistics(2_000...30_000, discipline))
    #expect(try service.statistics(2_000...30_000, discipline).count == whole.count)
  }

  @Test(arguments: [nil] + TrainingDiscipline.allCases.map(Optional.init))
  func `a page is read by the index of dates, without a sort`(discipline: TrainingDiscipline?) throws {
    let folder = try TemporaryDirectory()
    let (_, database) = try Self.fill(folder.path)
    let statement = Statement(database, "EXPLAIN QUERY PLAN " + SessionQueryService.sql(discipline))
    var plan: [String] = []
    while try statement.step() { plan.append(statement.text(3)) }
    for one in TrainingDiscipline.allCases where discipline == nil || one == discipline {
      #expect(plan.contains { $0.hasPrefix("SEARCH \(one.table) USING INDEX \(one.table)ByDate") }, "\(plan)")
    }
    #expect(!plan.contains { $0.contains("SCAN") && !$0.contains("SUBQUERY") }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  @Test func `averages are computed from the snapshots`() throws {
    let folder = try TemporaryDirectory()
    var device = TrainingBookTests.day()
    var drill = LoggedDrill()
    (drill.drillType, drill.breathing) = ("balance", 60)
    for score in [10, 20, 30, 40, 50, 60, 70] as [Double] {
      drill.stability = score
      #expect(device.order(.logDrill(drill)) == nil)
    }
    do {
      var store = try Store(folder: folder.path)
      for commit in device.commits { try store.commit([], commit) }
    }
    let service = SessionQueryService(try StoreFile.open(folder: folder.path, Store.components))
    let averages = device.record.skillAverages()
    #expect(try service.skillAverages(since: .min) == averages)
    #expect(averages.map(\.domain) == ["balance", "breathing", "rhythm", "stability", "symmetry"])
    // Of seven exercises of one time, the newest five are those with the greatest identifiers.
    #expect(averages.map(\.count) == [7, 7, 1, 8, 1] && averages[0].score == 40 && averages[1].rolling == 60)
    #expect((30...50).contains(averages[0].rolling))
    let late = try service.skillAverages(since: 8_000_000_000_000)
    #expect(late == device.record.skillAverages(since: 8_000_000_000_000) && late.map(\.count) == [7, 7, 7])
    #expect(try service.skillAverages(since: .max).isEmpty)
  }
}
