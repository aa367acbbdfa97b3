import LinkTestSupport
import Testing

@testable import Link

/// Directions of a link that differ.
@Suite struct LinkWayTests {
  private static let traffic = Traffic(
    count: 200, every: .milliseconds(40), directions: Direction.ofLink, channels: [.message], kinds: [.data])

  private func read(_ text: String) throws -> (profile: LinkProfile?, report: String) {
    let collector = DiagnosticsCollector(file: "x")
    let reader = try #require(JSONObjectReader(try JSONParser.parse(text, dialect: .json5), into: collector))
    let profile = LinkProfile.schema.read(reader)
    reader.finish()
    return (profile, collector.diagnostics.description)
  }

  /// The delays of each direction, in nanoseconds.
  private func delays(_ profile: LinkProfile) -> [Direction: [Int64]] {
    let outcome = Self.traffic.run(profile: profile, seed: 3)
    var delays: [Direction: [Int64]] = [:]
    for arrival in outcome.delivered {
      let sending = Self.traffic.sendings[Int(arrival.id) - 1]
      delays[sending.direction, default: []].append((arrival.at - sending.at).nanoseconds)
    }
    return delays
  }

  @Test func `a direction has its own delay, and the other keeps the link's draws`() {
    var profile = LinkProfile(latency: .milliseconds(60), jitter: .milliseconds(5), distribution: .normal)
    let alike = delays(profile)
    profile.toWatch = LinkWay(latency: 200_000_000, jitter: 0)
    let apart = delays(profile)
    #expect(apart[.watchToPhone] == alike[.watchToPhone])
    #expect(apart[.phoneToWatch]?.allSatisfy { $0 == 200_000_000 } == true)
  }

  @Test func `a direction has its own losses and its own limit`() throws {
    var profile = LinkProfile(latency: .milliseconds(5), losses: [.independent(.always)])
    profile.toPhone = LinkWay(losses: [])
    let lossless = delays(profile)
    #expect(lossless[.watchToPhone]?.count == 100 && lossless[.phoneToWatch] == nil)
    profile = LinkProfile(latency: .milliseconds(5))
    profile.toWatch = LinkWay(bytesPerSecond: 100)
    let narrow = delays(profile)
    #expect(narrow[.watchToPhone]?.allSatisfy { $0 == 5_000_000 } == true)
    #expect(try #require(narrow[.phoneToWatch]?.last) > 1_000_000_000)
  }

  @Test func `directions read back from the numbers in a trace's header`() throws {
    let text =
      "{ latency: '60ms', toPhone: { bytesPerSecond: 900 }, toWatch: { latency: '0.2s', jitter: '10ms', loss: 0.5 } }"
    let (read, report) = try read(text)
    let profile = try #require(read)
    #expect(report == "")
    #expect(profile.toPhone == LinkWay(bytesPerSecond: 900))
    // A jitter without a distribution is uniform, as in the link itself.
    #expect(profile.toWatch?.distribution == .uniform)
    let again = try self.read(String(decoding: JSONWriter.compact(JSONNode(profile.params)), as: UTF8.self))
    #expect(again.profile == profile && again.report == "")
  }

  @Test func `an unknown key of a direction is refused`() throws {
    #expect(try read("{ toWatch: { reconnect: 1 } }").report.contains("toWatch: unknown key \"reconnect\""))
    #expect(try read("{ toWatch: { bytesPerSecond: 0 } }").report.contains("found number 0"))
  }
}
