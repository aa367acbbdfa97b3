import LinkTestSupport
import Testing

@testable import Link

/// Background items wait before they are sent, and finish in order.
@Suite struct `Background channels` {
  private static let delay = BackgroundDelay(least: .seconds(2), most: .seconds(2))

  private static func connected(_ delay: BackgroundDelay = delay) throws -> Pair {
    var pair = Pair(backgroundDelay: delay)
    try pair.drive()
    return pair
  }

  @Test func `a user info waits, and those queued meanwhile are sent with it`() throws {
    var pair = try Self.connected()
    let begin = pair.now
    try pair.userInfo([1], from: .watch)
    try pair.drive(for: .seconds(1))
    try pair.userInfo([2], from: .watch)
    try pair.drive(until: begin + VirtualTime.Span(nanoseconds: 1_999_999_999))
    #expect(pair.watch.sent(.data, .userInfo).isEmpty)
    try pair.drive(for: .milliseconds(100))
    #expect(pair.phone.effects == [[1], [2]])
    let later = pair.now
    try pair.userInfo([3], from: .watch)
    try pair.drive()
    #expect(pair.phone.effects.count == 3 && pair.now >= later + .seconds(2))
  }

  @Test func `a waiting context that is replaced is never sent`() throws {
    var pair = try Self.connected()
    try pair.context([1], from: .watch)
    try pair.drive(for: .seconds(1))
    try pair.context([2], from: .watch)
    try pair.drive()
    #expect(pair.phone.contexts == [[2]] && pair.watch.sent(.data, .applicationContext).count == 1)
    try pair.context([3], from: .watch)
    try pair.drive()
    #expect(pair.phone.contexts == [[2], [3]])
  }

  @Test func `a file waits, and a message and a complication transfer do not`() throws {
    var pair = try Self.connected()
    try pair.file([1, 2, 3], from: .phone)
    try pair.complication([4], from: .phone)
    pair.message([5], from: .phone)
    try pair.drive(for: .seconds(1))
    #expect(pair.watch.complications == [[4]] && pair.watch.messages == [[5]] && pair.watch.files.isEmpty)
    try pair.drive()
    #expect(pair.watch.files.count == 1)
  }

  @Test func `owed items wait again once the peer is back, and arrive in order`() throws {
    var pair = try Self.connected()
    try pair.userInfo([1], from: .watch)
    pair.cut()
    try pair.drive(for: .seconds(20))
    try pair.userInfo([2], from: .watch)
    try pair.context([3], from: .watch)
    try pair.file([4], from: .watch)
    pair.restore()
    let back = pair.now + .seconds(1)
    try pair.drive(until: back + VirtualTime.Span(nanoseconds: 1_999_999_999))
    #expect(pair.phone.effects.isEmpty && pair.phone.contexts.isEmpty && pair.phone.files.isEmpty)
    try pair.drive()
    #expect(pair.phone.effects == [[1], [2]] && pair.phone.contexts == [[3]] && pair.phone.files.count == 1)
    #expect(pair.session(.watch).nextDeadline == nil)
  }

  @Test func `waits are drawn between their bounds`() throws {
    var pair = try Self.connected(.ofApps)
    var waits: [Double] = []
    for number: UInt8 in 0..<40 {
      let queued = pair.now
      try pair.userInfo([number], from: .watch)
      try pair.drive()
      let sent = try #require(pair.watch.sent(.data, .userInfo).last).at
      waits.append((sent - queued).seconds)
    }
    #expect(waits.allSatisfy { (0.2...5) ~= $0 })
    #expect(waits.contains { $0 < 1.5 } && waits.contains { $0 > 3.5 } && Set(waits).count > 30)
  }

  @Test func `transfers finish in the order of queueing, whichever confirmation arrives first`() throws {
    var pair = Pair(faults: [PlannedFault(LossFault(.independent(Probability(0.4) ?? .never)))], seed: 3)
    try pair.drive(for: .seconds(60))
    for number: UInt8 in 0..<60 { try pair.userInfo([number], from: .watch) }
    try pair.drive()
    #expect(pair.phone.effects == (0..<60).map { [$0] })
    #expect(pair.watch.finished.map(\.rawValue) == Array(1...60))
  }
}
