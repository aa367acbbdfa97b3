import CoachProtocol
import Link
import LinkStore
import LinkTransport
import Testing

@testable import PhoneSim

@Suite struct `Stores of earlier releases` {
  private static let link = DeviceStore<PhoneTables>.components.filter { $0.name != PhoneTables.component.name }

  @Test(arguments: 0..<PhoneTables.component.version)
  func `every earlier version is migrated with its rows`(version: Int) throws {
    let folder = try TemporaryDirectory()
    let run = Identifier(high: 1, low: 1)
    do {
      let old = Component(
        PhoneTables.component.name, migrations: Array(PhoneTables.component.migrations.prefix(version)))
      let database = try StoreFile.open(folder: folder.path, version == 0 ? Self.link : Self.link + [old])
      if version > 0 {
        try database.execute(
          """
          INSERT INTO Run (id, startedAt, runType, mode, personality) VALUES ('\(run.text)', 5, 'outdoor', 'free', 'calm');
          INSERT INTO PlayedMessage VALUES (1, 'km', 7, '\(run.text)', 0);
          INSERT INTO VoiceNote VALUES ('\(run.text)', '\(run.text)', 9, 'a.m4a', NULL, 'pending', NULL);
          INSERT INTO PendingTranscription VALUES ('\(run.text)', 'how far', 'done');
          """)
      }
    }
    var store = try DeviceStore<PhoneTables>(folder: folder.path)
    let record = try store.begin().app
    #expect(record.runs.map(\.id) == (version == 0 ? [] : [run]))
    #expect(record.played.map(\.messageId) == (version == 0 ? [] : ["km"]))
    #expect(record.transcriptions.map(\.runId) == (version == 0 ? [] : [run]))
    #expect(record.ai == AIRecord() && record.replies == [] && record.memory == [] && record.script == nil)
    // What a new release keeps fits into it.
    var source = PhoneChangeSource(seed: 1, isOneRun: false)
    for _ in 0..<200 { try store.commit([], source.transaction()) }
  }

  @Test func `a new store has the tables that the migrations make`() throws {
    let newest = try StoreSchema.text(of: PhoneTables.component)
    let folder = try TemporaryDirectory()
    let database = try StoreFile.open(folder: folder.path, [PhoneTables.component])
    #expect(newest == PhoneTables.newest, "`sim-runner docs` writes phone.sql")
    #expect(try database.text("SELECT max(version) FROM SchemaVersion") == "\(PhoneTables.component.version)")
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

  /// Versions 2 and 3 have no such references yet.
  @Test(arguments: 2..<4)
  func `references to rows survive, and dangling ones are dropped`(version: Int) throws {
    let folder = try TemporaryDirectory()
    let (run, note, reply) = (Identifier(high: 1, low: 1), Identifier(high: 2, low: 2), Identifier(high: 3, low: 3))
    let lost = Identifier(high: 9, low: 9)
    do {
      let old = Component(
        PhoneTables.component.name, migrations: Array(PhoneTables.component.migrations.prefix(version)))
      let database = try StoreFile.open(folder: folder.path, Self.link + [old])
      try database.execute(
        """
        INSERT INTO Run (id, startedAt, runType, mode, personality, label, cachedDistanceMeters, cachedDurationSeconds)
          VALUES ('\(run.text)', 5, 'outdoor', 'race', 'calm', 'Berlin', 42195, 14000);
        INSERT INTO VoiceNote VALUES ('\(note.text)', '\(run.text)', 9, 'a.m4a', 'how far', 'done', '\(reply.text)');
        INSERT INTO VoiceNote VALUES ('\(lost.text)', NULL, 9, 'b.m4a', NULL, 'failed', '\(lost.text)');
        INSERT INTO AiReply VALUES ('\(reply.text)', '\(note.text)', 'Two.', 1, 2, NULL, 'edge', 0.25);
        INSERT INTO WaitingReply VALUES ('\(reply.text)', 1, 2, 3);
        INSERT INTO Script VALUES (1, 'a', '\(lost.text)', 'calm', NULL, 'm', 'd', 'linear', 150, 45, 'edge');
        INSERT INTO Script VALUES (2, 'b', '\(run.text)', 'calm', NULL, 'm', 'd', 'branched', 100, 30, 'edge');
        INSERT INTO ScriptMessage
          VALUES (2, 0, 'km', '{"type":"distance","everyMeters":1000}', 'Go.', NULL, 'km.m4a', 50, 0);
        INSERT INTO UserMemory VALUES ('\(run.text)', 'fact', 'hr.max', '188', 1, 'user', 7);
        """)
    }
    do {
      let database = try StoreFile.open(folder: folder.path, DeviceStore<PhoneTables>.components)
      #expect(try StoreFile.findings(in: database) == [])
      #expect(try database.number("SELECT count(*) FROM Script WHERE runId IS NULL") == 1)
      // The references hold from now on.
      #expect(throws: StoreError.self) { try database.execute("UPDATE Script SET runId = 'nobody'") }
      #expect(throws: StoreError.self) { try database.execute("UPDATE VoiceNote SET aiReplyId = 'nobody'") }
      #expect(throws: StoreError.self) { try database.execute("DELETE FROM Run") }
    }
    var store = try DeviceStore<PhoneTables>(folder: folder.path)
    let record = try store.begin().app
    #expect(record.runs.map(\.label) == ["Berlin"])
    #expect(record.runs.first?.cached?.distanceMeters == 42_195)
    #expect(record.voiceNotes.map(\.aiReplyId) == [reply.text, nil])
    #expect(record.replies.map(\.costUSD) == [0.25] && record.waitingReplies.map(\.id) == [reply])
    #expect(record.script?.script.runId == run.text && record.script?.script.messages.map(\.id) == ["km"])
    #expect(record.script?.script.messages.map(\.prerenderedAudioPath) == ["km.m4a"])
    #expect(record.memory.map(\.fact.key) == ["hr.max"] && record.races == [])
  }

  /// The version before the runs of the phone's own were marked, and the one that marks new ones alone.
  @Test(arguments: 4..<6)
  func `runs that the phone tracked itself are found by what the belief remembers`(version: Int) throws {
    // The last one that the phone tracked; one given up before it; one given up that the health store has anyway; one of
    // the watch; and one whose start was given up so long ago that no record of it is left.
    let runs = (1...5).map { Identifier(high: 4, low: UInt64($0)) }
    let starts = runs[..<2].map { "{\"runId\":\"\($0.text)\",\"fate\":\"givenUp\"}" }.joined(separator: ",")
    let belief = """
      {"workoutId":"\(runs[0].text)","state":"running","withdrawn":["\(runs[2].text)","\(runs[1].text)"],
      "start":{"count":2,"runs":[\(starts)],"tracker":{"runId":"\(runs[0].text)","startedAt":20000000000}}}
      """
    func open(_ belief: String?) throws -> [Int] {
      let folder = try TemporaryDirectory()
      do {
        let old = Component(
          PhoneTables.component.name, migrations: Array(PhoneTables.component.migrations.prefix(version)))
        let database = try StoreFile.open(folder: folder.path, Self.link + [old])
        for (place, run) in runs.enumerated() {
          let workout = place == 2 ? "'\(run.text)'" : "NULL"
          try database.execute(
            """
            INSERT INTO Run (id, startedAt, runType, mode, personality, healthKitWorkoutUUID)
              VALUES ('\(run.text)', \(place), 'outdoor', 'free', 'calm', \(workout));
            """)
        }
        if let belief {
          try database.execute("INSERT INTO Belief VALUES (1, 3, '\(belief)', 0, 1, 0, NULL, NULL, NULL)")
        }
      }
      let database = try StoreFile.open(folder: folder.path, DeviceStore<PhoneTables>.components)
      let statement = Statement(database, "SELECT isTrackedHere FROM Run ORDER BY startedAt")
      var marks: [Int] = []
      while try statement.step() { marks.append(Int(statement.int64(0))) }
      return marks
    }
    #expect(try open(belief) == [1, 1, 0, 0, 0])
    #expect(try open(nil) == [0, 0, 0, 0, 0])
    // What is damaged is for the reader to refuse, and a belief without a start has none.
    #expect(try open("{\"start\"") == [0, 0, 0, 0, 0])
    #expect(try open("{}") == [0, 0, 0, 0, 0])
  }

  @Test func `a new store and one that was brought up to date have the same columns`() throws {
    func columns(_ version: Int) throws -> [String] {
      let folder = try TemporaryDirectory()
      if version > 0 {
        let old = Component(
          PhoneTables.component.name, migrations: Array(PhoneTables.component.migrations.prefix(version)))
        _ = try StoreFile.open(folder: folder.path, Self.link + [old])
      }
      let database = try StoreFile.open(folder: folder.path, DeviceStore<PhoneTables>.components)
      let statement = Statement(
        database,
        """
        SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
        ORDER BY m.name, c.cid
        """)
      var found: [String] = []
      while try statement.step() { found.append(statement.text(0)) }
      return found
    }
    let new = try columns(0)
    #expect(new.contains("RaceSetup.fuelingPlan") && new.contains("VoiceNote.aiReplyId"))
    for version in 1..<PhoneTables.component.version { #expect(try columns(version) == new) }
  }
}
