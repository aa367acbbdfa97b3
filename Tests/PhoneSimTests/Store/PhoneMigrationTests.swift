import CoachProtocol
import Link
import LinkStore
import LinkTransport
import Testing

@testable import PhoneSim

@Suite struct `Stores of earlier releases` {
  private static let link = DeviceStore<PhoneTables>.components.filter { $0.name != PhoneTables.component.name }

  @Test(arguments: 0..<PhoneTables.component.version)
  func `every earlier version is brought up to date with what it holds`(version: Int) throws {
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
}
