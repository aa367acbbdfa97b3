import Testing

@testable import Link

@Suite struct FrameQueueTests {
  @Test func `copies are ordered by time, then id, then copy, whatever their slots`() {
    var queue = FrameQueue()
    func insert(_ id: UInt64, _ copy: Int, at: Int64) {
      let frame = Frame(kind: .data, channel: .message, epoch: Epoch(1), seq: SequenceNumber(id), payload: [UInt8(id)])
      queue.insert(
        FrameQueue.Entry(id: id, copy: copy, outages: 0, direction: Direction(from: .watch), frame: frame),
        at: VirtualTime(nanoseconds: at))
    }
    insert(1, 0, at: 50)
    insert(2, 0, at: 10)
    #expect(queue.nextAt == VirtualTime(nanoseconds: 10))
    #expect(queue.removeFirst().id == 2)
    // These use the freed slot and a new one.
    insert(4, 1, at: 20)
    insert(4, 0, at: 20)
    insert(3, 0, at: 20)
    var taken: [[UInt64]] = []
    while !queue.isEmpty {
      let entry = queue.removeFirst()
      taken.append([entry.id, UInt64(entry.copy), UInt64(entry.frame.payload[0])])
    }
    #expect(taken == [[3, 0, 3], [4, 0, 4], [4, 1, 4], [1, 0, 1]])
    #expect(queue.nextAt == nil)
  }
}
