import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore

/// The store on disk against the one in memory, through random transactions, restarts and crashes.
@Suite struct DeviceStoreDifferentialTests {
  /// The store on disk as one process has it open.
  private struct Opened {
    let database: Database
    var store: DeviceStore<KeyedTables>

    init(_ folder: String, checkpoints: Bool) throws {
      database = try StoreFile.open(folder: folder, DeviceStore<KeyedTables>.components)
      // A log that was copied to the file in part must not be cut off: no crash of a process does that.
      if !checkpoints { try database.execute("PRAGMA wal_autocheckpoint=0") }
      store = try DeviceStore<KeyedTables>(database)
    }
  }

  @Test(arguments: [UInt64](1...8))
  func `it agrees with the store in memory through any crashes of its process`(seed: UInt64) throws {
    let root = try TemporaryDirectory()
    var source = OperationSource(seed: seed)
    let checkpoints = seed % 2 == 0
    var folder = "\(root.path)/0"
    var opened: Opened? = try Opened(folder, checkpoints: checkpoints)
    // Every state that a transaction left, as long as a crash can go back to it.
    var states = [StoreModel()]
    var restarts = 0
    func begin() throws {
      let found = try #require(try opened?.store.begin())
      let journal = try opened?.store.lastJournal()?.number
      let database = try #require(opened?.database)
      #expect(try StoreFile.findings(in: database) == [])
      // A state is known by its number, by how many starts there were, and by what it holds.
      var matches: [(index: Int, model: StoreModel)] = []
      for (index, state) in states.enumerated() where state.journal == journal {
        var model = state
        if model.session.beginEpoch() == found.session, model.app == found.app { matches.append((index, model)) }
      }
      let match = try #require(matches.last, "start \(restarts) of seed \(seed)")
      states = states[...match.index] + [match.model]
      restarts += 1
    }
    try begin()
    for number in 1...1_200 {
      var model = try #require(states.last)
      let changes = model.draw(&source)
      let isJournaled: Bool
      if checkpoints {
        isJournaled = source.happens(oneIn: 2)
      } else if changes.session.count == 1, changes.app.isEmpty, Self.isSeenInCounts(changes.session[0]) {
        isJournaled = false
      } else {
        isJournaled = !changes.session.isEmpty || !changes.app.isEmpty
      }
      if isJournaled { model.journal = UInt64(number) }
      let answer = source.bytes()
      try opened?.store.commit(
        changes.session, changes.app, journal: isJournaled ? (UInt64(number), answer) : nil)
      states.append(model)
      if source.happens(oneIn: 3) {
        let order = PageOrder(
          source.happens(oneIn: 2) ? .outbox : .inbox, source.element(of: Lane.allCases),
          after: SequenceNumber(UInt64(source.number(below: 200))), limit: 1 + source.number(below: 70))
        #expect(try opened?.store.page(order) == model.session.page(order), "\(order) after \(number) of seed \(seed)")
      }
      guard source.happens(oneIn: 25) else { continue }
      if source.happens(oneIn: 3) {
        opened = nil
        states = [model]
      } else {
        let next = "\(root.path)/\(number)"
        try crash(folder, into: next, isCut: !checkpoints, &source)
        opened = nil
        try FileManager.default.removeItem(atPath: folder)
        folder = next
        if checkpoints { states = [model] }
      }
      opened = try Opened(folder, checkpoints: checkpoints)
      try begin()
    }
    #expect(restarts > 20)
  }

  /// Whether the record of a start alone shows if a state has the change.
  private static func isSeenInCounts(_ change: SessionChange) -> Bool {
    switch change {
    case .enqueued, .acknowledged, .received, .handled, .handledKept: true
    default: false
    }
  }

  /// Copies what a process that is killed now leaves behind.
  ///
  /// - Parameter isCut: Whether the end of the log is lost, from a random byte on.
  private func crash(
    _ folder: String, into next: String, isCut: Bool, _ source: inout OperationSource
  ) throws {
    try FileManager.default.createDirectory(atPath: next, withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      atPath: "\(folder)/\(StoreFile.name)", toPath: "\(next)/\(StoreFile.name)")
    var log = try Data(contentsOf: URL(filePath: "\(folder)/\(StoreFile.name)-wal"))
    if isCut { log = log.prefix(source.number(below: log.count + 1)) }
    try log.write(to: URL(filePath: "\(next)/\(StoreFile.name)-wal"))
  }
}
