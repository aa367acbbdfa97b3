import Link
import LinkStore
import LinkTransport
import Testing

@Suite struct DeviceStoreTests {
  @Test func `a store that was closed goes on where it stopped`() throws {
    let folder = try TemporaryDirectory()
    let entry = OutboxEntry(
      transfer: Identifier(high: 1, low: 2), seq: SequenceNumber(1), flags: .dictionary, payload: [1, 2, 3])
    do {
      var store = try DeviceStore<KeyedTables>(folder: folder.path)
      #expect(try store.begin().session == MemorySessionStore.first)
      try store.commit([.enqueued(entry)], [.set(key: "a", [1])])
    }
    var store = try DeviceStore<KeyedTables>(folder: folder.path)
    let second = try store.begin()
    #expect(second.session.epoch == Epoch(2))
    #expect(second.session[.userInfo].outbox == [entry])
    #expect(second.session[.userInfo].nextSeq == SequenceNumber(2))
    #expect(second.app.values == ["a": [1]])
  }
}

extension MemorySessionStore {
  /// The record of a device's first start.
  static var first: SessionRecord {
    var store = MemorySessionStore()
    return store.beginEpoch()
  }
}
