import LinkTestSupport
import Testing

@testable import Link

@Suite struct `Link profiles` {
  @Test func `a retrying radio turns a bad period into a delay, and into a loss only past the supervision time`() {
    // Good in the first slot, bad from then on.
    let chain = GilbertElliott(goodToBad: .always, badToGood: .never)
    let dead = LinkProfile(latency: .milliseconds(5), losses: [.bursts(chain, isRetried: true)])
    let outcome = Traffic(count: 2, every: .milliseconds(30)).run(profile: dead)
    #expect(outcome.arrival(1) == .start + .milliseconds(5))
    #expect(outcome.dropped("loss") == [2])

    let patchy = GilbertElliott(goodToBad: Probability(0.2) ?? .never, badToGood: Probability(0.3) ?? .never)
    let retried = LinkProfile(latency: .milliseconds(5), losses: [.bursts(patchy, isRetried: true)])
    let traffic = Traffic(count: 3_000, every: .seconds(1))
    let waited = traffic.run(profile: retried, seed: 8)
    #expect(waited.dropped.isEmpty)
    let random = RandomStream(seed: 8, name: "medium.link.loss.0")
    var oracle = patchy
    for (fate, sending) in zip(waited.delivered, traffic.sendings) {
      let first = sending.at.nanoseconds / 30_000_000
      var slot = first
      while oracle.isBad(slot: slot, random: random) { slot += 1 }
      #expect(fate.at - sending.at == .milliseconds(5 + (slot - first) * 30))
    }
    let late = waited.delivered.count { ($0.at - traffic.sendings[Int($0.id) - 1].at) > .milliseconds(5) }
    #expect(abs(late - 1_200) < 110, "a share of 0.2 / 0.5 of all slots is bad")

    let unretried = LinkProfile(latency: .milliseconds(5), losses: [.bursts(patchy, isRetried: false)])
    #expect(traffic.run(profile: unretried, seed: 8).dropped("loss").count == late)
  }

  @Test func `the supervision time bounds how long a radio repeats`() {
    let chain = GilbertElliott(goodToBad: .always, badToGood: Probability(0.05) ?? .never)
    func outcome(_ supervision: VirtualTime.Span) -> (lost: Int, latest: Int64) {
      let profile = LinkProfile(
        latency: .milliseconds(5), losses: [.bursts(chain, isRetried: true)], supervision: supervision)
      let traffic = Traffic(count: 500, every: .seconds(10))
      let run = traffic.run(profile: profile, seed: 5)
      let latest = run.delivered.map { ($0.at - traffic.sendings[Int($0.id) - 1].at).nanoseconds }.max() ?? 0
      return (run.dropped("loss").count, latest)
    }
    let short = outcome(.milliseconds(300))
    #expect(short.latest <= 305_000_000 && short.latest > 200_000_000)
    #expect(short.lost > 100)
    #expect(outcome(.seconds(6)).lost < 5)
  }

  @Test func `the profile's own delay is drawn for every frame, and never negative`() {
    let profile = LinkProfile(latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .exponential)
    let traffic = Traffic(count: 5_000, every: .seconds(1))
    let ways = traffic.run(profile: profile, seed: 3).delivered.map {
      Double(($0.at - traffic.sendings[Int($0.id) - 1].at).nanoseconds) / 1e6
    }
    let mean = ways.reduce(0, +) / 5_000
    #expect(abs(mean - 60) < 1)
    #expect((ways.min() ?? 0) >= 40)
    let wild = LinkProfile(latency: .milliseconds(1), jitter: .seconds(1), distribution: .normal)
    let outcome = traffic.run(profile: wild, seed: 3)
    #expect(outcome.delivered.allSatisfy { $0.at > traffic.sendings[Int($0.id) - 1].at })
  }

  @Test func `the reconnect time stays within its bounds, around its median, the same for the same return`() {
    let reconnect = LinkProfile.Reconnect(median: .seconds(2), least: .seconds(1), most: .seconds(5))
    let random = RandomStream(seed: 1, name: "reconnect")
    let spans = (0..<10_000).map { reconnect.draw(random, number: UInt64($0)) }
    #expect(spans.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(5) })
    #expect(abs(spans.sorted()[5_000].seconds - 2) < 0.05)
    #expect(reconnect.draw(random, number: 77) == spans[77])
    #expect(LinkProfile.Reconnect(.seconds(3)).draw(random, number: 1) == .seconds(3))
  }

  @Test(arguments: ProfileCatalog.all.map(\.name))
  func `a named profile reads back from its numbers in a trace's header`(name: String) throws {
    let profile = try #require(ProfileCatalog.profile(named: name))
    let text = String(decoding: JSONWriter.compact(JSONNode(profile.params)), as: UTF8.self)
    let collector = DiagnosticsCollector(file: "header")
    let reader = try #require(JSONObjectReader(try JSONParser.parse(text, dialect: .json), into: collector))
    let read = LinkProfile.schema.read(reader)
    reader.finish()
    #expect(collector.diagnostics.description == "")
    #expect(read == profile)
  }

  @Test(arguments: [
    ("{ profile: 'bluetooth' }", "expected \"ideal\""), ("{ latency: '25h' }", "a duration of at most 24h"),
    ("{ loss: 1.5 }", "expected a number from 0 to 1"), ("{ bytesPerSecond: 0 }", "found number 0"),
    ("{ reconnect: { median: 2, least: 3 } }", "do not ascend"),
    ("{ reconnect: '90000s' }", "a duration of at most 24h"),
  ])
  func `a part out of range is refused`(text: String, message: String) throws {
    let collector = DiagnosticsCollector(file: "x")
    let reader = try #require(JSONObjectReader(try JSONParser.parse(text, dialect: .json5), into: collector))
    _ = LinkProfile.schema.read(reader)
    #expect(collector.diagnostics.description.contains(message), "\(collector.diagnostics)")
  }
}
