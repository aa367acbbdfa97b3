import Foundation
import Link
import Testing

@testable import Simulator
@testable import TraceTools

/// A capture with more of the documented lines is fitted no worse than one with fewer.
@Suite struct KnownLinkFitTests {
  static let links: [(name: String, link: String, cuts: [ClosedRange<Int>], supervision: Double)] = [
    ("independent", "latency: '50ms', jitter: '10ms', distribution: 'normal', loss: 0.03", [], 6),
    ("independent, cut", "latency: '50ms', loss: 0.03, reconnect: '2s'", [300...340], 6),
    (
      "bursty, cut",
      "latency: '50ms', loss: { model: 'gilbert-elliott', goodToBad: 0.001, badToGood: 0.02, lossBad: 0.8 }",
      [300...340], 6
    ),
    (
      "cuts noticed late", "latency: '50ms', loss: 0.01, supervision: '9s', reconnect: '3s'",
      [200...215, 300...340, 700...790], 9
    ),
    ("no loss, cut", "latency: '50ms', jitter: '10ms', distribution: 'normal'", [300...340], 6),
  ]

  @Test(arguments: Self.links.map(\.name), [3])
  func `every documented line leaves the fit as it is, or makes it better`(name: String, seed: Int) throws {
    let known = try #require(Self.links.first { $0.name == name })
    let link = try KnownLink(link: known.link, cuts: known.cuts, seed: seed)
    let truth = ProfileFit(try link.capture([], isOutsideCuts: true))
    for lines in KnownLink.Lines.all {
      let fit = ProfileFit(try link.capture(lines))
      #expect(fit.bursts?.isBursty == truth.bursts?.isBursty, "\(lines)")
      let shares = (Double(fit.lost) / Double(fit.sent), Double(truth.lost) / Double(truth.sent))
      #expect(abs(shares.0 - shares.1) < 0.004, "\(lines): \(shares)")
      #expect(fit.profile.distribution == truth.profile.distribution, "\(lines)")
      #expect(abs(fit.profile.latency - truth.profile.latency) < 1_000_000, "\(lines)")
      try #require(fit.outages.count == link.cuts.count, "\(lines): \(fit.outages)")
      for (found, cut) in zip(fit.outages, link.cuts) {
        let end = found.from + (try #require(found.length))
        // A frame a second; the reconnect time does not show where frames are refused until then.
        #expect(abs(found.from - cut.from) <= 1_200_000_000, "\(lines): from \(found.from)")
        #expect(abs(end - cut.to) <= 2_300_000_000, "\(lines): to \(end)")
      }
      guard !known.cuts.isEmpty, lines.contains(.downs) else { continue }
      #expect(abs(fit.profile.supervision.seconds - known.supervision) <= 1.1, "\(lines)")
    }
  }

  @Test func `a long burst that no device noticed is no cut`() throws {
    let link = try KnownLink(
      link: "latency: '50ms', loss: { model: 'gilbert-elliott', goodToBad: 0.001, badToGood: 0.012, lossBad: 0.8 }",
      cuts: [300...340], seed: 4)
    let without = ProfileFit(try link.capture([]))
    // The chain that explains the other bursts explains all but the cut.
    #expect(without.outages.count == 1)
    for lines in [KnownLink.Lines.downs, [.downs, .ups], .refusals] {
      let with = ProfileFit(try link.capture(lines))
      #expect(with.outages.count == 1, "\(lines): \(with.outages)")
      #expect(abs(with.lost - without.lost) <= 2, "\(lines)")
      #expect(with.bursts?.isBursty == true)
    }
  }

  @Test func `lines make the fit of a sparse capture better`() throws {
    let link = try KnownLink(
      link: "latency: '50ms', loss: 0.01", cuts: [200...240, 400...440, 600...640, 800...840], seed: 5)
    let without = ProfileFit(try link.capture([], every: 3))
    let with = ProfileFit(try link.capture([.refusals, .downs, .ups], every: 3))
    #expect(without.lost >= 4 && with.lost < without.lost - 4, "\(without.lost), \(with.lost)")
    #expect(with.outages.count == 4)
  }

  @Test func `a link fitted to a capture with a cut raises no alarm by itself`() throws {
    let link = try KnownLink(link: "latency: '50ms', loss: 0.03, reconnect: '2s'", cuts: [300...340], seed: 5)
    let fit = ProfileFit(try link.capture([.downs, .ups]))
    guard case .object(let members) = fit.profile.params else { return }
    var scenario = "{ scenario: 's', seed: 1, duration: '10m', link: "
    scenario += JSONWriter.pretty(JSONNode(.object(members)), width: 120)
    scenario += ", workout: { source: { model: { distance: 5000, pace: '4:00/km' } } }, "
    scenario += "expect: [{ never: 'liveness.disconnected' }] }"
    let (read, diagnostics) = Scenario.read(Array(scenario.utf8), file: "s", folder: "/")
    try #require(!diagnostics.contains { $0.hasErrors }, "\(diagnostics)")
    var fitted = read
    for seed in 1...10 {
      fitted.seed = UInt64(seed)
      #expect(try ScenarioRun.run(fitted, RunOptions()).verdict == .pass, "seed \(seed)")
    }
  }

  private func fit(_ text: String) throws -> ProfileFit {
    let folder = try TemporaryFolder()
    return ProfileFit(try Capture(folder.write("c.jsonl", text)))
  }

  private func frames(_ seconds: Range<Int>, _ result: String = "delivered", after delay: Double = 0.05) -> String {
    seconds.map { second in
      let came = result == "delivered" ? "\(Double(second) + delay)" : "null"
      return "{\"t_send\":\(second),\"t_recv\":\(came),\"bytes\":300,\"result\":\"\(result)\"}\n"
    }.joined()
  }

  @Test func `a transfer queued during a cut says nothing of the delay`() throws {
    let fit = try fit(
      frames(0..<300) + frames(300..<306, "lost") + frames(310..<311, after: 31) + frames(342..<600)
        + "{\"t\":306,\"reachable\":false}\n{\"t\":342,\"reachable\":true}\n")
    #expect(fit.lost == 0 && fit.sent == 558)
    #expect(fit.delay?.distance == 0 && fit.profile.latency == 50_000_000)
    #expect(fit.outages.map(\.from) == [300_000_000_000])
    #expect(fit.outages.first?.length == 41_000_000_000)
  }

  @Test func `an app in the background is no cut of the link`() throws {
    let fit = try fit(frames(0..<600) + "{\"t\":200.5,\"reachable\":false}\n{\"t\":260.5,\"reachable\":true}\n")
    #expect(fit.outages.isEmpty)
    #expect(fit.warnings.contains { $0.hasPrefix("1 time out of reach while frames kept arriving") })
  }

  @Test func `losses after a line show that the sender noticed later`() throws {
    let fit = try fit(
      frames(0..<300) + frames(300..<307, "lost") + frames(307..<340, "notReachable") + frames(341..<600)
        + "{\"t\":299.5,\"reachable\":false}\n{\"t\":341,\"reachable\":true}\n")
    #expect(fit.lost == 0)
    #expect(fit.outages.map(\.from) == [299_500_000_000])
    #expect(fit.profile.supervision == .milliseconds(7_500))
  }

  @Test func `lines by the other clock are understood`() throws {
    var text = ""
    for second in 0..<600 where !(300..<342).contains(second) {
      let isToPhone = second % 2 == 0
      // The phone's clock is 100 s behind.
      let (sent, came) =
        isToPhone ? (Double(second), Double(second) - 99.95) : (Double(second) - 100, Double(second) + 0.05)
      text += "{\"t_send\":\(sent),\"t_recv\":\(came),\"bytes\":300,"
      text += "\"direction\":\"\(isToPhone ? "watch-to-phone" : "phone-to-watch")\"}\n"
    }
    let fit = try fit(text + "{\"t\":206,\"reachable\":false}\n{\"t\":242,\"reachable\":true}\n")
    #expect(fit.outages.count == 1)
    #expect(abs((fit.outages.first?.from ?? 0) - 300_000_000_000) < 1_000_000_000)
    #expect(fit.profile.latency == 50_000_000)
  }
}
