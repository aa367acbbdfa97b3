import Link
import Testing

@testable import TraceTools

/// What is fitted to captures of known links lies within the stated intervals, 19 times of 20.
@Suite struct FitIntervalTests {
  static let seeds = 8
  static let links: [CaptureModel] = [
    CaptureModel(name: "exponential"),
    CaptureModel(name: "normal", distribution: .normal, latency: 120, jitter: 15),
    CaptureModel(name: "uniform", distribution: .uniform, latency: 70, jitter: 30),
    CaptureModel(name: "pareto", distribution: .pareto, latency: 90, jitter: 25, count: 800),
    CaptureModel(name: "constant", distribution: .constant, latency: 50, jitter: 0),
    CaptureModel(name: "clocks apart", offset: 0.05),
    CaptureModel(name: "clocks that drift", offset: -0.03, drift: 80),
    CaptureModel(name: "far apart", distribution: .normal, latency: 100, offset: 86_400, drift: -60),
    CaptureModel(name: "one direction that drifts", drift: 150, isBothWays: false),
    CaptureModel(name: "narrow", bytesPerSecond: 4_000, every: 3),
    CaptureModel(name: "narrow, normal", distribution: .normal, latency: 60, jitter: 10, bytesPerSecond: 32_000),
    CaptureModel(name: "narrow, clocks apart", bytesPerSecond: 8_000, offset: 0.05, drift: 40, every: 2),
    CaptureModel(name: "lossy", loss: 0.05),
    CaptureModel(name: "half lost", loss: 0.5, offset: 0.05),
    CaptureModel(name: "lossy, cut", loss: 0.1, cuts: [(105, 145)]),
    CaptureModel(name: "half lost, cut", loss: 0.5, cuts: [(105, 165)]),
    CaptureModel(name: "kept over a cut", cuts: [(105, 165)], keepsFrames: true),
    CaptureModel(
      name: "bursts", chain: .init(goodToBad: 0.02, badToGood: 0.25, lossGood: 0.005, lossBad: 0.7), count: 2_500,
      every: 0.06),
  ]

  /// How often each value was inside its interval.
  private struct Tally {
    var counts: [String: (inside: Int, of: Int)] = [:]

    mutating func add(_ value: String, _ isInside: Bool) {
      let before = counts[value] ?? (0, 0)
      counts[value] = (before.inside + (isInside ? 1 : 0), before.of + 1)
    }
  }

  @Test func `each value lies within its interval 19 times of 20`() {
    var tally = Tally()
    for link in Self.links {
      // A chain takes a while to fit.
      for seed in 1...(link.chain == nil ? Self.seeds : 3) {
        add(link, ProfileFit(link.capture(seed: seed)), to: &tally)
      }
    }
    for (value, count) in tally.counts.sorted(by: { $0.key < $1.key }) {
      #expect(Double(count.inside) >= 0.95 * Double(count.of) - 1, "\(value): \(count.inside) of \(count.of)")
    }
    #expect(tally.counts.count == 17)
  }

  /// Links whose directions differ: in what shows, in what is too little to show, and in what two clocks hide.
  static let unequal: [CaptureModel] = [
    CaptureModel(name: "jitter", jitterBack: 60),
    CaptureModel(name: "jitter the other way", latency: 100, jitter: 80, latencyBack: 40, jitterBack: 10, offset: 0.2),
    CaptureModel(name: "little more jitter", jitterBack: 23, offset: -0.4),
    CaptureModel(name: "normal jitter", distribution: .normal, latency: 150, jitter: 10, jitterBack: 40, offset: 3),
    CaptureModel(name: "little normal jitter", distribution: .normal, latency: 150, jitter: 10, jitterBack: 11),
    CaptureModel(name: "uniform jitter", distribution: .uniform, latency: 90, jitter: 10, jitterBack: 70, drift: 30),
    CaptureModel(
      name: "other shape", distribution: .uniform, latency: 90, jitter: 30, jitterBack: 30,
      distributionBack: .exponential, offset: 0.01),
    CaptureModel(name: "latency", latency: 60, latencyBack: 140, offset: 0.03),
    CaptureModel(name: "latency and jitter", latency: 60, jitter: 5, latencyBack: 300, jitterBack: 90, drift: -50),
    CaptureModel(name: "narrow and unequal", jitterBack: 50, bytesPerSecond: 16_000, offset: 0.1, every: 2),
    CaptureModel(name: "few", jitterBack: 45, offset: -0.02, count: 120),
    CaptureModel(name: "lossy", jitterBack: 60, loss: 0.05, lossBack: 0.07),
  ]

  @Test(arguments: [true, false])
  func `directions that differ lie within their intervals`(isOneClock: Bool) {
    var tally = Tally()
    for model in Self.unequal {
      var link = model
      if isOneClock { (link.offset, link.drift) = (0, 0) }
      for seed in 1...Self.seeds / 2 {
        let fit = ProfileFit(link.capture(seed: seed), isOneClock: isOneClock)
        for way in fit.ways {
          guard let delay = way.delay else { continue }
          let name = way.isToPhone ? "to phone" : "to watch"
          let latency = way.isToPhone ? link.latency : link.latencyBack ?? link.latency
          tally.add("latency \(name)", delay.latencyInterval.contains(latency * 1e6))
          let jitter = way.isToPhone ? link.jitter : link.jitterBack ?? link.jitter
          tally.add("jitter \(name)", delay.jitterInterval.contains(jitter * 1e6))
          if let loss = way.loss, link.bytesPerSecond == nil {
            tally.add("loss \(name)", loss.share.contains(way.isToPhone ? link.loss : link.lossBack ?? link.loss))
          }
        }
        addShared(link, fit, isOneClock, to: &tally)
        if let clocks = fit.clocks {
          let offset = link.offset + link.drift * 1e-6 * link.middle
          tally.add("offset", clocks.offsetInterval.contains(offset))
        }
      }
    }
    for (value, count) in tally.counts.sorted(by: { $0.key < $1.key }) {
      #expect(Double(count.inside) >= 0.95 * Double(count.of) - 1, "\(value): \(count.inside) of \(count.of)")
    }
  }

  /// What is stated of both directions together.
  private func addShared(_ link: CaptureModel, _ fit: ProfileFit, _ isOneClock: Bool, to tally: inout Tally) {
    let (latency, back) = (link.latency * 1e6, (link.latencyBack ?? link.latency) * 1e6)
    if let mean = fit.meanLatency { tally.add("mean latency", mean.interval.contains((latency + back) / 2)) }
    guard let delay = fit.delay, !fit.differences.contains(.delay) else { return }
    if isOneClock {
      tally.add("shared latency", [latency, back].allSatisfy(delay.latencyInterval.contains))
    } else {
      tally.add("shared latency", delay.latencyInterval.contains((latency + back) / 2))
    }
    let jitters = [link.jitter, link.jitterBack ?? link.jitter].map { $0 * 1e6 }
    tally.add("shared jitter", jitters.allSatisfy(delay.jitterInterval.contains))
  }

  @Test func `two clocks hide which direction is faster`() throws {
    let model = CaptureModel(name: "hidden", latency: 60, jitter: 5, latencyBack: 200, jitterBack: 60)
    let fit = ProfileFit(model.capture(seed: 1))
    #expect(fit.differences == [.delay] && fit.clocks?.offsetIfAlike == nil)
    let delay = try #require(fit.delay)
    #expect(delay.latencyInterval.contains(60e6) && delay.latencyInterval.high > 150e6)
    let mean = try #require(fit.meanLatency)
    #expect(mean.interval.contains(130e6) && mean.interval.high - mean.interval.low < 20e6)
    #expect(fit.warnings.contains { $0.contains("nothing shows how the clocks differ") })
  }

  private func add(_ link: CaptureModel, _ fit: ProfileFit, to tally: inout Tally) {
    if let delay = fit.delay {
      tally.add("distribution", delay.distribution == link.distribution)
      tally.add("latency", delay.latencyInterval.contains(link.latency * 1e6))
      tally.add("jitter", delay.jitterInterval.contains(link.jitter * 1e6))
    }
    tally.add("differences", fit.differences.isEmpty)
    if let clocks = fit.clocks {
      let offset = link.offset + link.drift * 1e-6 * link.middle
      if clocks.isBothWays {
        tally.add("offset", clocks.offsetInterval.contains(offset))
        tally.add("offset if alike", clocks.offsetIfAlike?.contains(offset) ?? false)
      }
      if let interval = clocks.driftInterval { tally.add("drift", interval.contains(link.drift)) }
    }
    if let rate = link.bytesPerSecond {
      tally.add("bytesPerSecond", fit.throughput?.interval.contains(rate) ?? false)
    } else {
      tally.add("no limit", fit.throughput == nil)
    }
    if let loss = fit.loss { add(link, loss, to: &tally) }
    tally.add("number of cuts", fit.outages.count == link.cuts.count)
    for (outage, cut) in zip(fit.outages, link.cuts) {
      tally.add("begin of cut", outage.beginBounds.contains(Int64(cut.from * 1e9)))
      tally.add("end of cut", outage.endBounds?.contains(Int64(cut.to * 1e9)) ?? false)
    }
  }

  private func add(_ link: CaptureModel, _ loss: LossFit, to tally: inout Tally) {
    guard let chain = link.chain else { return tally.add("loss", loss.share.contains(link.loss)) }
    guard let intervals = loss.intervals else { return tally.add("goodToBad", false) }
    tally.add("goodToBad", intervals.goodToBad.contains(chain.goodToBad))
    tally.add("badToGood", intervals.badToGood.contains(chain.badToGood))
    tally.add("lossGood", intervals.lossGood.contains(chain.lossGood))
    tally.add("lossBad", intervals.lossBad.contains(chain.lossBad))
  }

  @Test func `clocks less than the least delay apart are corrected, and give no limit`() {
    let fit = ProfileFit(CaptureModel(name: "apart", offset: 0.05, count: 600).capture(seed: 1))
    #expect(abs((fit.clocks?.offset ?? 0) - 0.05) < 0.001)
    #expect(fit.profile.distribution == .exponential && fit.throughput == nil && fit.differences.isEmpty)
    #expect(abs(fit.profile.latency - 80_000_000) < 3_000_000 && abs(fit.profile.jitter - 20_000_000) < 3_000_000)
    #expect(fit.warnings.contains { $0.hasPrefix("the clocks differ by 0.0") })
  }

  @Test func `directions that differ get their own values where one clock took all times`() throws {
    let model = CaptureModel(name: "two speeds", latencyBack: 180, lossBack: 0.2, count: 600)
    let fit = ProfileFit(model.capture(seed: 1), isOneClock: true)
    #expect(fit.differences == [.delay, .loss])
    let back = try #require(fit.profile.toWatch)
    #expect(abs(fit.profile.latency - 80_000_000) < 3_000_000)
    #expect(abs((back.latency ?? 0) - 180_000_000) < 3_000_000 && back.bytesPerSecond == nil)
    #expect(fit.profile.losses.isEmpty && back.losses?.count == 1)
    #expect(fit.throughput == nil && fit.clocks == nil)
  }

  @Test func `independent losses are no cuts, however many`() {
    for (seed, loss) in [(1, 0.5), (2, 0.5), (3, 0.8)] {
      let fit = ProfileFit(CaptureModel(name: "half", loss: loss, count: 1_200, isBothWays: false).capture(seed: seed))
      #expect(fit.outages.isEmpty && fit.loss?.share.contains(loss) == true, "\(loss)")
    }
  }

  @Test func `frames that a device kept show a cut, and when it noticed the return`() throws {
    let model = CaptureModel(name: "kept", count: 900, isBothWays: false, cuts: [(605, 665)], keepsFrames: true)
    let fit = ProfileFit(model.capture(seed: 1))
    #expect(fit.outages.map(\.from) == [605_000_000_000] && fit.outages.map(\.length) == [60_000_000_000])
    #expect(abs(fit.profile.reconnect.median.seconds - 2) < 0.1)
    #expect(fit.lost == 0 && fit.sent == 840 && fit.reordered == 0)
  }

  @Test func `few frames that wait are no cut`() {
    var capture = CaptureModel(name: "few", count: 300, isBothWays: false).capture(seed: 1)
    for index in [100, 180] { capture.samples[index].received = capture.samples[index].sent + 9_000_000_000 }
    #expect(ProfileFit(capture).outages.isEmpty)
  }
}
