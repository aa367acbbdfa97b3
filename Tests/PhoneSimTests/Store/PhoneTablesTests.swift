import CoachProtocol
import Foundation
import Link
import LinkStore
import LinkTransport
import Testing

@testable import PhoneSim

/// The tables on disk against the record in memory.
@Suite struct PhoneTablesTests {
  typealias DiskStore = DeviceStore<PhoneTables>

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `they give back what the store in memory has, however often they are opened`(seed: UInt64) throws {
    let folder = try TemporaryDirectory()
    var source = PhoneChangeSource(seed: seed, isOneRun: seed % 2 == 1)
    var random = SplitMix(seed: seed)
    var memory = MemoryPhoneStore()
    var disk: DiskStore? = try DiskStore(folder: folder.path)
    var openings = 0
    var pointsMost = 0
    for number in 0..<4_000 {
      let changes = source.transaction()
      try memory.commit([], changes)
      pointsMost = max(pointsMost, memory.record.trail.points.count)
      try disk?.commit([], changes)
      guard random.percent(2) else { continue }
      // Two of three times by another connection, as after the end of the process.
      if random.percent(66) {
        disk = nil
        disk = try DiskStore(folder: folder.path)
      }
      let kept = try memory.begin()
      let found = try #require(try disk?.begin())
      try #require(found.app == kept.app, "after \(number) of seed \(seed)")
      #expect(found.session.epoch == kept.session.epoch)
      openings += 1
    }
    #expect(openings > 20)
    #expect(seed % 2 == 0 || pointsMost == Trail.countMax, "the trail was long enough to be cut")
    disk = nil
    let reader = try DeviceReader<PhoneTables>(folder: folder.path)
    #expect(try reader.findings() == [])
  }

  @Test(arguments: 0..<3 as Range<UInt64>)
  func `a run kept on disk is the run kept in memory, with and without kills`(seed: UInt64) throws {
    let plot = RunPlot(seed: 300 + seed)
    let setup = try RunPlot.setup()
    for chance in [0, 10] {
      var randoms = (SplitMix(seed: seed), SplitMix(seed: seed))
      let folder = try TemporaryDirectory()
      var memory = try PhoneWorld(setup, store: MemoryPhoneStore())
      memory.kills = { input, _ in RestartTests.isNoticed(input) && randoms.0.percent(chance) }
      try memory.play(plot)
      var disk = try PhoneWorld(setup, store: DiskStore(folder: folder.path))
      disk.kills = { input, _ in RestartTests.isNoticed(input) && randoms.1.percent(chance) }
      try disk.play(plot)
      #expect(disk.starts == memory.starts && (chance == 0 || disk.starts > 30))
      #expect(disk.story { _ in true } == memory.story { _ in true })
      let found = try disk.begin()
      #expect(found == memory.store.record)
      #expect(found.runs.count == 2 && !found.played.isEmpty && !found.voiceNotes.isEmpty)
    }
  }

  @Test func `a run that is opened again has one row, and keeps what the athlete wrote`() throws {
    let folder = try TemporaryDirectory()
    let database = try StoreFile.open(folder: folder.path, DiskStore.components)
    let tables = PhoneTables(database)
    _ = try tables.load()
    var run = RunRow(
      id: Identifier(high: 1, low: 1), startedAt: WatchTime(nanoseconds: 1), runType: .outdoor, mode: .free,
      personality: "calm")
    try tables.apply(.rare(.runOpened(run)))
    try tables.apply(
      .rare(.played(PlayedMessage(messageId: "km", playedAt: .start, runId: run.id))))
    try database.execute("UPDATE Run SET userNotes = 'windy'")
    run.startedAt = WatchTime(nanoseconds: 2)
    try tables.apply(.rare(.runOpened(run)))
    run.userNotes = "windy"
    #expect(try tables.load().runs == [run])
    #expect(try database.text("SELECT userNotes FROM Run") == "windy")
  }

  @Test(arguments: [
    "UPDATE Belief SET belief = '{\"run\":{}}'", "UPDATE Belief SET belief = 'nonsense'",
    "UPDATE Run SET id = 'me'", "UPDATE VoiceNote SET id = 'it'",
    "INSERT INTO UnheardMessage VALUES (99)",
  ])
  func `a damaged row is an error, and no crash`(damage: String) throws {
    let folder = try TemporaryDirectory()
    let database = try StoreFile.open(folder: folder.path, DiskStore.components)
    let tables = PhoneTables(database)
    _ = try tables.load()
    let id = Identifier(high: 1, low: 1)
    try tables.apply(.rare(.consumer(ConsumerRecord(startedAt: .start))))
    try tables.apply(
      .rare(
        .runOpened(
          RunRow(
            id: id, startedAt: WatchTime(nanoseconds: 1), runType: .outdoor, mode: .free, personality: "calm"))))
    try tables.apply(
      .rare(
        .noteStored(
          VoiceNote(id: id, runId: nil, recordedAt: 1),
          PendingTranscription(noteId: id, runId: nil, says: nil, outcome: .done))))
    try database.execute("PRAGMA foreign_keys=OFF; \(damage)")
    #expect(throws: StoreError.self) { try tables.load() }
  }

  @Test func `a chat with a missing or unreadable message is found damaged`() throws {
    for sql in [
      "DELETE FROM ChatMessage WHERE number = 2", "UPDATE ChatMessage SET number = 9 WHERE number = 3",
      "UPDATE ChatMessage SET text = ''",
    ] {
      let folder = try TemporaryDirectory()
      do {
        var store = try DeviceStore<PhoneTables>(folder: folder.path)
        let changes = ["a", "b", "c"].map { DailyChange.chatWritten(ChatEntry(date: 7, text: $0)) }
        try store.commit([], (changes + [.chatRead(through: 2)]).map { .rare(.daily($0)) })
        let daily = try store.begin().app.daily
        #expect(daily.chat.map(\.text) == ["a", "b", "c"] && daily.chatPendingCount == 1)
      }
      do {
        let database = try StoreFile.open(folder: folder.path, DeviceStore<PhoneTables>.components)
        try database.execute(sql)
      }
      var store = try DeviceStore<PhoneTables>(folder: folder.path)
      #expect(throws: StoreError.self) { try store.begin() }
    }
  }
}
