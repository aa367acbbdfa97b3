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

  @Test func `queues with the same frames look alike, however they came by them`() {
    let frame = Frame(kind: .data, channel: .message, epoch: Epoch(1), seq: SequenceNumber(1), payload: [1])
    func entry(_ id: UInt64) -> FrameQueue.Entry {
      FrameQueue.Entry(id: id, copy: 0, outages: 0, direction: Direction(from: .watch), frame: frame)
    }
    func text(_ queue: FrameQueue) -> String { Mirror(reflecting: queue).children.map { "\($0)" }.joined() }
    var queue = FrameQueue()
    for id in 1...3 { queue.insert(entry(UInt64(id)), at: VirtualTime(nanoseconds: Int64(id))) }
    for _ in 1...3 { _ = queue.removeFirst() }
    #expect(text(queue) == text(FrameQueue()))
    queue.insert(entry(9), at: VirtualTime(nanoseconds: 9))
    #expect(text(queue) != text(FrameQueue()))
    var other = FrameQueue()
    other.insert(entry(9), at: VirtualTime(nanoseconds: 9))
    #expect(text(queue) == text(other))
  }
}
