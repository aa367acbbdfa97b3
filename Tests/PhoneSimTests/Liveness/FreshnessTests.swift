import Link
import Testing

@testable import PhoneSim

@Suite struct FreshnessTests {
  private func judge(_ stamps: [(UInt32, UInt64)]) -> [Freshness.Rating] {
    var freshness = Freshness()
    return stamps.map { freshness.judge(epoch: Epoch($0.0), seq: SequenceNumber($0.1), at: .start) }
  }

  @Test func `the first message is fresh`() {
    #expect(judge([(3, 17)]) == [.fresh])
  }

  @Test func `a greater number is fresh, gaps or none`() {
    #expect(judge([(1, 1), (1, 2), (1, 9)]) == [.fresh, .fresh, .fresh])
  }

  @Test func `the same stamp again is a duplicate, a smaller one late`() {
    #expect(judge([(1, 5), (1, 5), (1, 4), (1, 5)]) == [.fresh, .duplicate, .late, .duplicate])
  }

  @Test func `a new epoch starts from the beginning, and the old one is over`() {
    #expect(judge([(1, 500), (2, 1), (1, 501), (2, 1), (2, 2)]) == [.fresh, .fresh, .late, .duplicate, .fresh])
  }

  @Test func `only a fresh snapshot is remembered, with its arrival`() {
    var freshness = Freshness()
    #expect(freshness.last == nil)
    _ = freshness.judge(epoch: Epoch(1), seq: SequenceNumber(5), at: VirtualTime(nanoseconds: 10))
    _ = freshness.judge(epoch: Epoch(1), seq: SequenceNumber(4), at: VirtualTime(nanoseconds: 20))
    _ = freshness.judge(epoch: Epoch(1), seq: SequenceNumber(5), at: VirtualTime(nanoseconds: 30))
    #expect(
      freshness.last
        == .init(epoch: Epoch(1), seq: SequenceNumber(5), arrivedAt: VirtualTime(nanoseconds: 10)))
    #expect(freshness.last?.jsonText.text == #"{"epoch":1,"seq":5,"t":10}"#)
  }
}
