import Link
import Testing

@testable import Simulator

@Suite struct `What the sides notice of the link` {
  private static func seconds(_ seconds: Int64) -> VirtualTime { .start + .seconds(seconds) }

  private static func notice(_ reconnect: LinkProfile.Reconnect = .init(.seconds(2)), seed: UInt64 = 1) -> LinkNotice {
    var notice = LinkNotice(
      profile: LinkProfile(latency: .zero, supervision: .seconds(6), reconnect: reconnect), seed: seed)
    #expect(notice.popDue(at: .start) == true)
    #expect(notice.nextAt == nil)
    return notice
  }

  @Test func `a cut is noticed after the supervision time, a return after the reconnect time`() {
    var notice = Self.notice()
    notice.cut(at: Self.seconds(10))
    #expect(notice.nextAt == Self.seconds(16))
    #expect(notice.popDue(at: Self.seconds(15)) == nil)
    #expect(notice.popDue(at: Self.seconds(16)) == false)
    #expect(notice.popDue(at: Self.seconds(17)) == nil, "told once")
    notice.restore(at: Self.seconds(60))
    #expect(notice.nextAt == Self.seconds(62))
    #expect(notice.popDue(at: Self.seconds(62)) == true)
  }

  @Test func `a cut that ends before, or at, the supervision time goes unnoticed`() {
    for length: Int64 in [1, 5, 6] {
      var notice = Self.notice()
      notice.cut(at: Self.seconds(10))
      notice.restore(at: Self.seconds(10 + length))
      #expect(notice.nextAt == nil)
      #expect(notice.popDue(at: Self.seconds(100)) == nil)
    }
  }

  @Test func `short cuts do not add up`() {
    var notice = Self.notice()
    for second: Int64 in stride(from: 10, to: 60, by: 5) {
      notice.cut(at: Self.seconds(second))
      notice.restore(at: Self.seconds(second + 4))
    }
    notice.cut(at: Self.seconds(60))
    #expect(notice.nextAt == Self.seconds(66))
  }

  @Test func `a cut while the sides reconnect keeps them apart, and the next return counts from the start`() {
    var notice = Self.notice()
    notice.cut(at: Self.seconds(10))
    _ = notice.popDue(at: Self.seconds(16))
    notice.restore(at: Self.seconds(20))
    notice.cut(at: Self.seconds(21))
    #expect(notice.nextAt == nil, "they believe it down already")
    notice.restore(at: Self.seconds(30))
    #expect(notice.nextAt == Self.seconds(32))
  }

  @Test func `a link that is cut at the very start is first noticed when it comes`() {
    var notice = LinkNotice(profile: LinkProfile(latency: .zero, reconnect: .init(.seconds(2))), seed: 1)
    notice.cut(at: .start)
    #expect(notice.nextAt == nil)
    notice.restore(at: Self.seconds(5))
    #expect(notice.nextAt == Self.seconds(7))
    #expect(LinkNotice(profile: LinkProfile(latency: .zero, exists: false), seed: 1).nextAt == nil)
  }

  @Test func `the reconnect time is drawn within its bounds, the same for the same return and seed`() {
    let range = LinkProfile.Reconnect(median: .seconds(2), least: .seconds(1), most: .seconds(5))
    var seen: Set<Int64> = []
    for second: Int64 in 20..<220 {
      var waits: [VirtualTime?] = []
      for _ in 0..<2 {
        var notice = Self.notice(range)
        notice.cut(at: Self.seconds(10))
        _ = notice.popDue(at: Self.seconds(16))
        notice.restore(at: Self.seconds(second))
        waits.append(notice.nextAt)
      }
      #expect(waits[0] == waits[1])
      guard let at = waits[0] else { continue }
      #expect(at >= Self.seconds(second + 1) && at <= Self.seconds(second + 5))
      seen.insert((at - Self.seconds(second)).nanoseconds)
    }
    #expect(seen.count > 100)
  }
}
