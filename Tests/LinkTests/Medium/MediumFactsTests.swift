import LinkTestSupport
import Testing

@testable import Link

/// The effect of each fault on traffic, in numbers.
///
/// Seeds are fixed, so a fact holds or not independently of the machine.
@Suite struct `The medium's facts` {
  private static let ideal = LinkProfile(latency: .milliseconds(5))

  private static func seconds(_ seconds: Int64) -> VirtualTime { .start + .seconds(seconds) }
  private static func milliseconds(_ count: Int64) -> VirtualTime { .start + .milliseconds(count) }

  @Test(arguments: [0, 0.01, 0.3, 0.5, 0.99, 1])
  func `loses the expected share`(probability: Double) {
    let traffic = Traffic(count: 20_000, every: .milliseconds(10))
    let fault = PlannedFault(id: "l", LossFault(.independent(Probability(probability) ?? .never)))
    let lost = traffic.run(faults: [fault], seed: 3).dropped("loss").count
    // Four standard deviations.
    #expect(abs(Double(lost) - 20_000 * probability) <= 4 * (20_000 * probability * (1 - probability)).squareRoot())
  }

  @Test func `two losses combine as independent causes, and each drop names its fault`() {
    let traffic = Traffic(count: 20_000, every: .milliseconds(10))
    let half = Probability(0.5) ?? .never
    let faults = [
      PlannedFault(id: "a", LossFault(.independent(half))), PlannedFault(id: "b", LossFault(.independent(half))),
    ]
    let outcome = traffic.run(faults: faults, seed: 5)
    #expect(abs(outcome.dropped.count - 15_000) < 260)
    #expect(abs(outcome.dropped(byFault: "a").count - 10_000) < 290)
    #expect(abs(outcome.dropped(byFault: "b").count - 5_000) < 250)
  }

  @Test func `loses every N-th frame that reaches its stage`() {
    let traffic = Traffic(count: 30, every: .milliseconds(10))
    let every = PlannedFault(id: "e", LossFault(.every(5)))
    #expect(traffic.run(faults: [every]).dropped("loss") == [5, 10, 15, 20, 25, 30])
    // The first fault loses frame 5, so the second does not count it.
    let second = PlannedFault(id: "f", LossFault(.every(4)))
    #expect(
      traffic.run(faults: [every, second]).dropped(byFault: "f").sorted() == [4, 9, 14, 19, 24, 29])
    var late = every
    late.begin = Self.milliseconds(100)
    #expect(traffic.run(faults: [late]).dropped("loss") == [15, 20, 25, 30])
  }

  @Test func `loses in bursts that begin with the fault, independent of frames`() {
    let chain = GilbertElliott(goodToBad: Probability(0.1) ?? .never, badToGood: Probability(0.4) ?? .never)
    var fault = PlannedFault(id: "g", LossFault(.gilbertElliott(chain)))
    fault.begin = Self.milliseconds(100)
    let dense = Traffic(count: 6_000, every: .milliseconds(10)).run(faults: [fault], seed: 9)
    let sparse = Traffic(count: 600, every: .milliseconds(100)).run(faults: [fault], seed: 9)
    let random = RandomStream(seed: 9, name: "g")
    var oracle = chain
    for (outcome, step) in [(dense, Int64(10)), (sparse, 100)] {
      for fate in outcome.fates {
        let sent = VirtualTime.Span.milliseconds(Int64(fate.id - 1) * step)
        let isBad =
          sent >= .milliseconds(100)
          && oracle.isBad(slot: (sent.nanoseconds - 100_000_000) / 30_000_000, random: random)
        #expect((fate.cause == "loss") == isBad, "frame \(fate.id)")
      }
    }
    #expect(dense.dropped.count > 800 && dense.dropped.count < 1_600)
  }

  @Test func `loses in good and bad slots with their probabilities`() {
    let chain = GilbertElliott(
      goodToBad: .never, badToGood: .never, lossGood: Probability(0.25) ?? .never, lossBad: .always)
    let fault = PlannedFault(id: "g", LossFault(.gilbertElliott(chain)))
    let lost = Traffic(count: 10_000, every: .milliseconds(10)).run(faults: [fault]).dropped("loss").count
    #expect(abs(lost - 2_500) < 180)
  }

  @Test func `a byte-limited link passes its rate, in order, and drops frames that do not fit`() {
    // Ten frames of 100 bytes at once over 1,000 B/s: one every 100 ms.
    let burst = Traffic(count: 10, every: .zero)
    let limit = PlannedFault(id: "b", BandwidthFault(bytesPerSecond: 1_000, queueBytes: 600))
    let outcome = burst.run(faults: [limit])
    #expect(outcome.delivered.map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(outcome.delivered.map(\.at) == (1...6).map { Self.milliseconds(100 * $0 + 5) })
    #expect(outcome.dropped("overflow") == [7, 8, 9, 10])
    #expect(outcome.dropped.allSatisfy { $0.at == .start })
  }

  @Test func `a byte-limited link has room again once waiting frames have passed`() {
    var traffic = Traffic(count: 6, every: .zero)
    traffic.sendings += Traffic(count: 1, every: .zero).sendings.map {
      Traffic.Sending(at: Self.milliseconds(250), direction: $0.direction, frame: $0.frame)
    }
    let limit = PlannedFault(id: "b", BandwidthFault(bytesPerSecond: 1_000, queueBytes: 400))
    let outcome = traffic.run(faults: [limit])
    #expect(outcome.dropped("overflow") == [5, 6])
    // After 250 ms 150 bytes wait; the frame passes after them.
    #expect(outcome.arrival(7) == Self.milliseconds(505))
  }

  @Test func `each direction has its own limit, and the smallest one wins`() {
    let traffic = Traffic(count: 4, every: .zero, directions: Direction.ofLink)
    let wide = PlannedFault(id: "w", BandwidthFault(bytesPerSecond: 5_000))
    let narrow = PlannedFault(id: "n", BandwidthFault(bytesPerSecond: 1_000))
    for faults in [[wide, narrow], [narrow, wide]] {
      let outcome = traffic.run(profile: LinkProfile(latency: .milliseconds(5), bytesPerSecond: 2_000), faults: faults)
      #expect(outcome.delivered.map(\.at) == [105, 105, 205, 205].map { Self.milliseconds($0) })
    }
  }

  @Test func `a wait from a narrow limit does not overflow under a wide one`() {
    let narrow = PlannedFault(id: "n", channels: [.file], BandwidthFault(bytesPerSecond: 1, queueBytes: 1 << 40))
    var traffic = Traffic(count: 200, every: .zero, channels: [.file], payloadBytes: 262_144)
    traffic.sendings += Traffic(count: 1, every: .zero).sendings.map {
      Traffic.Sending(at: Self.seconds(2), direction: $0.direction, frame: $0.frame)
    }
    let wide = LinkProfile(latency: .milliseconds(5), bytesPerSecond: 1 << 40, queueBytes: 1 << 40)
    let outcome = traffic.run(profile: wide, faults: [narrow])
    #expect(outcome.dropped("overflow") == [201])
    #expect(outcome.delivered.count == 200)
  }

  @Test func `queued frames are rescheduled at the current rate, and an ended limit delays nothing`() {
    // Ten frames of 100 bytes at once, and ten in the other direction; 50 B/s: one every two seconds.
    let burst = Traffic(count: 20, every: .zero, directions: Direction.ofLink)
    let slow = PlannedFault(id: "s", end: Self.seconds(5), BandwidthFault(bytesPerSecond: 50))
    let outcome = burst.run(profile: LinkProfile(latency: .milliseconds(5), bytesPerSecond: 1_000), faults: [slow])
    // At five seconds half of the third frame is left, which takes 50 ms of the profile's; then 100 ms each.
    let expected: [Int64] = [2_000, 4_000] + (0..<8).map { 5_050 + 100 * $0 }
    for parity in 0..<2 {
      let arrivals = (0..<10).map { outcome.arrival(UInt64(2 * $0 + parity + 1)) }
      #expect(arrivals == expected.map { Self.milliseconds($0 + 5) })
    }
    let free = burst.run(faults: [slow])
    #expect(free.delivered.filter { $0.at == Self.milliseconds(5_005) }.count == 16)
    // Conversely, a limit that begins later slows frames that already wait.
    let later = PlannedFault(
      id: "l", begin: Self.milliseconds(150), end: Self.milliseconds(1_150), BandwidthFault(bytesPerSecond: 100))
    let held = burst.run(profile: LinkProfile(latency: .milliseconds(5), bytesPerSecond: 1_000), faults: [later])
    #expect(held.arrival(1) == Self.milliseconds(105))
    #expect(held.arrival(3) == Self.milliseconds(655))
    #expect(held.arrival(5) == Self.milliseconds(1_205))
    #expect(held.arrival(19) == Self.milliseconds(1_905))
  }

  @Test func `the end of one channel's limit releases its waiting frames and those after them`() {
    var traffic = Traffic(count: 2, every: .zero, channels: [.file])
    traffic.sendings += Traffic(count: 2, every: .zero).sendings
    let narrow = PlannedFault(
      id: "b", end: Self.seconds(1), channels: [.file], BandwidthFault(bytesPerSecond: 10))
    #expect(
      traffic.run(faults: [narrow]).delivered.map(\.at) == [1_005, 1_005, 1_005, 1_005].map { Self.milliseconds($0) })
    // A limit that does not affect them changes nothing, to the nanosecond.
    let other = PlannedFault(
      id: "o", begin: Self.milliseconds(333), end: Self.milliseconds(777), channels: [.userInfo],
      BandwidthFault(bytesPerSecond: 3))
    let limit = PlannedFault(id: "l", BandwidthFault(bytesPerSecond: 7))
    #expect(
      traffic.run(faults: [limit, other]).delivered.map(\.at) == traffic.run(faults: [limit]).delivered.map(\.at))
  }

  @Test func `frames dropped by a cut delay nothing when a limit ends`() {
    var traffic = Traffic(count: 5, every: .zero)
    traffic.link = [(Self.seconds(1), false), (Self.milliseconds(1_500), true)]
    traffic.sendings += [
      Traffic.Sending(at: Self.seconds(2), direction: .watchToPhone, frame: traffic.sendings[0].frame)
    ]
    let slow = PlannedFault(id: "s", end: Self.seconds(3), BandwidthFault(bytesPerSecond: 50))
    let outcome = traffic.run(faults: [slow])
    #expect(outcome.dropped("disconnected") == [1, 2, 3, 4, 5])
    #expect(outcome.arrival(6) == Self.milliseconds(3_005))
  }

  @Test func `the faults active when a frame leaves the queue apply to it`() {
    // Ten frames at once, one passes every 100 ms; the loss is on from 250 ms to 550 ms.
    let burst = Traffic(count: 10, every: .zero)
    let limit = PlannedFault(id: "b", BandwidthFault(bytesPerSecond: 1_000))
    let loss = PlannedFault(
      id: "l", begin: Self.milliseconds(250), end: Self.milliseconds(550), LossFault(.independent(.always)))
    let outcome = burst.run(faults: [limit, loss])
    #expect(outcome.dropped("loss") == [3, 4, 5])
    #expect(outcome.dropped.map(\.at) == [300, 400, 500].map { Self.milliseconds($0) })
    let copies = PlannedFault(
      id: "d", begin: Self.milliseconds(600), end: Self.milliseconds(700), DuplicateFault(probability: .always))
    let doubled = burst.run(faults: [limit, copies])
    #expect(doubled.copies == [6: 1])
    #expect(doubled.copiedAt[6] == Self.milliseconds(600))
    let delay = PlannedFault(id: "s", begin: Self.milliseconds(650), DelayFault(mean: .seconds(1)))
    let late = burst.run(faults: [limit, delay])
    #expect(late.arrival(6) == Self.milliseconds(605))
    #expect(late.arrival(7) == Self.milliseconds(1_705))
  }

  @Test func `a waiting frame counts for every N when it leaves the queue`() {
    // The file channel is narrow: the message sent last passes after the files.
    var traffic = Traffic(count: 3, every: .zero, channels: [.file])
    traffic.sendings += Traffic(count: 1, every: .zero).sendings
    let narrow = PlannedFault(
      id: "b", channels: [.file], BandwidthFault(bytesPerSecond: 1_000))
    let every = PlannedFault(id: "e", LossFault(.every(2)))
    #expect(traffic.run(faults: [narrow, every]).dropped("loss") == [2, 4])
    let arrivals = traffic.run(faults: [narrow]).delivered.map(\.id)
    #expect(arrivals == [1, 2, 3, 4], "no frame overtakes an earlier one in its direction")
  }

  @Test func `frames wait for the next wake-up of the radio, counted from the fault's beginning`() {
    let traffic = Traffic(count: 8, every: .milliseconds(500))
    let naps = PlannedFault(
      id: "n", begin: Self.milliseconds(750), end: Self.milliseconds(2_750), BatchFault(every: .seconds(1)))
    let arrivals = traffic.run(faults: [naps]).delivered.map(\.at)
    // Sent at 0, 500 | 1000, 1500 | 2000, 2500 | 3000, 3500 ms; wake-ups at 750, 1750, 2750 ms; 5 ms of latency.
    #expect(arrivals == [5, 505, 1_755, 1_755, 2_755, 2_755, 3_005, 3_505].map { Self.milliseconds($0) })
    let aligned = PlannedFault(id: "n", begin: Self.milliseconds(500), BatchFault(every: .milliseconds(500)))
    #expect(traffic.run(faults: [aligned]).delivered.map(\.at) == traffic.run(faults: []).delivered.map(\.at))
  }

  @Test func `delays add up`() {
    let traffic = Traffic(count: 20, every: .seconds(10))
    let first = PlannedFault(id: "a", DelayFault(mean: .milliseconds(300)))
    let second = PlannedFault(id: "b", DelayFault(mean: .milliseconds(450)))
    let outcome = traffic.run(faults: [first, second])
    for (fate, sending) in zip(outcome.delivered, traffic.sendings) {
      #expect(fate.at - sending.at == .milliseconds(755))
    }
  }

  @Test(arguments: DelayDistribution.allCases)
  func `no frame overtakes an earlier one in its direction, and the directions do not wait for each other`(
    distribution: DelayDistribution
  ) {
    let traffic = Traffic(count: 2_000, every: .milliseconds(50), directions: Direction.ofLink)
    let fault = PlannedFault(
      id: "d", DelayFault(mean: .seconds(1), jitter: .milliseconds(800), distribution: distribution))
    let outcome = traffic.run(faults: [fault], seed: 11)
    #expect(outcome.delivered.count == 2_000)
    for parity: UInt64 in [0, 1] {
      let ids = outcome.delivered.map(\.id).filter { $0 % 2 == parity }
      #expect(ids == ids.sorted())
    }
    if distribution != .constant {
      let ids = outcome.delivered.map(\.id)
      #expect(ids != ids.sorted(), "a late frame in one direction must not delay the other")
    }
  }

  @Test func `a frame that is held back arrives later by that time, and later ones overtake it`() {
    let traffic = Traffic(count: 1_000, every: .milliseconds(100))
    let fault = PlannedFault(
      id: "r", ReorderFault(probability: Probability(0.2) ?? .never, by: .milliseconds(1_500)))
    let outcome = traffic.run(faults: [fault], seed: 2)
    var held: [UInt64] = []
    for fate in outcome.delivered {
      let way = fate.at - traffic.sendings[Int(fate.id) - 1].at
      if way == .milliseconds(1_505) { held.append(fate.id) } else { #expect(way == .milliseconds(5)) }
    }
    #expect(abs(held.count - 200) < 50)
    let order = outcome.delivered.map(\.id)
    let first = held.sorted()[0]
    let behind = order.prefix { $0 != first }.filter { $0 > first }
    #expect(!behind.isEmpty)
    // Other frames keep their order.
    let others = order.filter { !held.contains($0) }
    #expect(others == others.sorted())
  }

  @Test func `a duplicated frame has the requested copies, each with its own delay`() {
    let traffic = Traffic(count: 1_000, every: .seconds(10))
    let faults = [
      PlannedFault(id: "d", DuplicateFault(probability: Probability(0.3) ?? .never, copies: 3)),
      PlannedFault(id: "s", DelayFault(mean: .seconds(2), jitter: .seconds(1), distribution: .uniform)),
    ]
    let outcome = traffic.run(faults: faults, seed: 4)
    #expect(outcome.copies.values.allSatisfy { $0 == 3 })
    #expect(abs(outcome.copies.count - 300) < 60)
    #expect(outcome.delivered.count == 1_000 + 3 * outcome.copies.count)
    let spread = outcome.copies.keys.count { id in
      Set(outcome.delivered.filter { $0.id == id }.map(\.at)).count > 1
    }
    #expect(spread > outcome.copies.count * 9 / 10)
    let two = [faults[0], PlannedFault(id: "e", DuplicateFault(probability: .always, copies: 2))]
    #expect(Set(traffic.run(faults: two, seed: 4).copies.values) == [2, 5])
  }

  @Test func `a corrupt frame has that cause, and a lost one is not corrupt`() {
    let traffic = Traffic(count: 2_000, every: .milliseconds(10))
    let corrupt = PlannedFault(id: "c", CorruptFault(probability: Probability(0.25) ?? .never))
    let outcome = traffic.run(faults: [corrupt], seed: 6)
    #expect(outcome.dropped.count == outcome.dropped("corrupt").count)
    #expect(outcome.dropped(byFault: "c").count == outcome.dropped.count)
    #expect(abs(outcome.dropped.count - 500) < 80)
    let loss = PlannedFault(id: "l", LossFault(.independent(.always)))
    #expect(traffic.run(faults: [corrupt, loss], seed: 6).dropped("loss").count == 2_000)
  }

  @Test func `a cut drops frames sent during it and frames in flight, and no others`() {
    var traffic = Traffic(count: 10, every: .milliseconds(100))
    // Under way for 150 ms: sent at 0 and 100 before the cut at 210, at 400 after the return at 390.
    traffic.link = [(Self.milliseconds(210), false), (Self.milliseconds(390), true)]
    let outcome = traffic.run(profile: LinkProfile(latency: .milliseconds(150)))
    #expect(outcome.dropped("disconnected").sorted() == [2, 3, 4])
    #expect(outcome.delivered.map(\.id) == [1, 5, 6, 7, 8, 9, 10])
    #expect(outcome.fates.filter { $0.id == 4 }.map(\.at) == [Self.milliseconds(300)], "sent into the cut")
  }

  @Test func `a copy dropped by a cut names its fault, even after the return`() {
    var traffic = Traffic(count: 4, every: .milliseconds(100))
    // Under way for a second: two are sent before the first cut, one into it, one after; the second cut takes that one.
    traffic.link = [
      (Self.milliseconds(150), false), (Self.milliseconds(250), true), (Self.milliseconds(500), false),
      (Self.milliseconds(600), true),
    ]
    let outcome = traffic.run(profile: LinkProfile(latency: .seconds(1)))
    #expect(outcome.dropped(byFault: "cut at 150 ms").sorted() == [1, 2, 3])
    #expect(outcome.dropped(byFault: "cut at 500 ms") == [4])
  }

  @Test func `an overflow names the fault that set the limit, and none if the profile did`() {
    let traffic = Traffic(count: 10, every: .zero)
    let narrow = PlannedFault(id: "narrow", BandwidthFault(bytesPerSecond: 50, queueBytes: 250))
    let wide = PlannedFault(id: "wide", BandwidthFault(bytesPerSecond: 5_000, queueBytes: 1 << 30))
    let outcome = traffic.run(faults: [narrow, wide])
    #expect(!outcome.dropped("overflow").isEmpty)
    #expect(outcome.dropped(byFault: "narrow") == outcome.dropped("overflow"))
    let profile = traffic.run(profile: LinkProfile(latency: .zero, bytesPerSecond: 50, queueBytes: 250))
    #expect(!profile.dropped("overflow").isEmpty)
    #expect(profile.fates.allSatisfy { $0.fault == nil })
  }

  @Test func `a cut that ends before the arrival still drops the frame`() {
    var traffic = Traffic(count: 1, every: .zero)
    traffic.link = [(Self.seconds(2), false), (Self.seconds(3), true)]
    let outcome = traffic.run(profile: LinkProfile(latency: .seconds(10)))
    #expect(outcome.dropped("disconnected") == [1])
  }

  @Test func `a frame sent at the instant of the return arrives, even if the cut lasted only an instant`() {
    var traffic = Traffic(count: 3, every: .seconds(1))
    traffic.link = [(Self.seconds(1), false), (Self.seconds(1), true)]
    #expect(traffic.run(profile: LinkProfile(latency: .seconds(10))).delivered.map(\.id) == [2, 3])
  }

  @Test func `no frame waits for one that a cut has dropped`() {
    var traffic = Traffic(count: 5, every: .zero)
    traffic.sendings += [
      Traffic.Sending(at: Self.seconds(2), direction: .watchToPhone, frame: traffic.sendings[0].frame)
    ]
    traffic.link = [(Self.seconds(1), false), (Self.milliseconds(1_500), true)]
    // 100 bytes a frame at 50 B/s: two seconds each.
    let outcome = traffic.run(profile: LinkProfile(latency: .milliseconds(5), bytesPerSecond: 50))
    #expect(outcome.dropped("disconnected") == [1, 2, 3, 4, 5])
    #expect(outcome.arrival(6) == Self.milliseconds(4_005))
  }

  @Test(arguments: UInt64(1)...8)
  func `a medium with a known horizon decides the same`(seed: UInt64) throws {
    var traffic = Traffic(count: 400, every: .milliseconds(25), directions: [.watchToPhone, .phoneToWatch])
    traffic.link = [(Self.milliseconds(2_010), false), (Self.milliseconds(2_600), true)]
    var loss = PlannedFault(
      id: "l", begin: Self.milliseconds(4_005), LossFault(.independent(try #require(Probability(0.3)))))
    loss.end = Self.milliseconds(6_003)
    // Frames of 100 bytes at 5 KB/s wait 20 ms each, so that many leave the queue after a change.
    let profile = LinkProfile(
      latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .exponential,
      losses: [.independent(try #require(Probability(0.1)))], bytesPerSecond: 5_000)
    let unknowing = traffic.run(profile: profile, faults: [loss], seed: seed)
    traffic.setsHorizon = true
    #expect(traffic.run(profile: profile, faults: [loss], seed: seed).fates == unknowing.fates)
    #expect(Set(unknowing.fates.compactMap(\.cause)) == ["loss", "disconnected"])
  }

  @Test func `a link that does not exist carries nothing`() {
    let outcome = Traffic(count: 5, every: .seconds(1)).run(profile: LinkProfile(latency: .zero, exists: false))
    #expect(outcome.dropped("disconnected") == [1, 2, 3, 4, 5])
  }

  @Test func `frames in flight at the end are dropped, once each, in the order of arrival`() {
    var medium = Medium(place: .link, profile: LinkProfile(latency: .seconds(1), bytesPerSecond: 1_000), seed: 1)
    let doubling = DuplicateFault(probability: .always)
    medium.begin(PlannedFault(id: "d", doubling), doubling, index: 0, seed: 1)
    for (index, sending) in Traffic(count: 3, every: .zero).sendings.enumerated() {
      medium.send(sending.frame, id: UInt64(index + 1), direction: .watchToPhone, at: .start)
    }
    // The first has left the queue: two copies. The others still wait in it.
    guard case .duplicated(1, 1) = medium.popDue(at: Self.milliseconds(100)) else {
      Issue.record("no copy")
      return
    }
    let given = medium.dropAll().map { fate -> [UInt64] in
      guard case .dropped(let id, let copy, .nodeDown, nil) = fate else { return [] }
      return [id, UInt64(copy)]
    }
    #expect(given == [[2, 0], [3, 0], [1, 0], [1, 1]])
    #expect(medium.nextDeadline == nil)
  }
}
