import CoachProtocol
import Link
import Testing

@testable import PhoneSim

@Suite struct SkillScoreTests {
  /// Segments whose lengths are no whole binary fractions of a second, in three orders.
  @Test func `two phones have the same score of a ride, in whatever order they have its rows`() throws {
    let ride = Identifier(high: 1, low: 2)
    let lengths: [Int64] = [100_100_000_000, 60_700_000_000, 123_300_000_000, 89_900_000_000, 77_700_000_001]
    var at: Int64 = 1_767_254_400_000_000_000
    let segments = lengths.enumerated().map { index, length in
      defer { at += length }
      return TrainingRow(
        "ReinSegment", Identifier(high: 3, low: UInt64(index)),
        [
          "rein": .text(Rein.left.text), "startDate": .integer(at), "endDate": .integer(at + length), "ride": .id(ride),
        ])
    }
    let right = TrainingRow(
      "ReinSegment", Identifier(high: 4, low: 1),
      [
        "rein": .text(Rein.right.text), "startDate": .integer(at), "endDate": .integer(at + 333_000_000_000),
        "ride": .id(ride),
      ])
    let session = TrainingRow(
      "Ride", ride,
      [
        "startDate": .integer(0), "endDate": .integer(at), "name": .text(""), "totalDistance": .real(0),
        "totalDuration": .real(0),
      ])
    let mixed = segments.sorted { $0.id.low % 3 < $1.id.low % 3 }
    let orders = [segments + [right], Array(segments.reversed()) + [right], [right] + mixed]
    let scores = try orders.map { try #require(SkillScore(.riding, session, parts: $0)).score }
    #expect(Set(scores).count == 1)
  }
}
