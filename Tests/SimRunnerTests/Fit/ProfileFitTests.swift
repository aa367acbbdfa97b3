import Foundation
import Link
import Testing

@testable import Simulator
@testable import TraceTools
@testable import Console

/// What goes through a medium of known parameters is fitted, and the parameters are found again.
@Suite struct ProfileFitTests {
  /// Sends frames through the real medium and notes what became of them.
  private func capture(
    _ profile: LinkProfile, count: Int, every milliseconds: Int64, bytes: (Int) -> Int = { _ in 200 }, seed: UInt64 = 3
  ) -> Capture {
    var medium = Medium(place: .link, profile: profile, seed: seed)
    var capture = Capture()
    var samples: [Capture.Sample] = []
    func note(_ fate: Medium.Fate, at now: VirtualTime) {
      if case .delivered(let id, 0, _, _) = fate {
        samples[Int(id) - 1].received = now.nanoseconds
        samples[Int(id) - 1].result = .delivered
      }
    }
    func run(to end: VirtualTime) {
      while let at = medium.nextDeadline, at <= end { while let fate = medium.popDue(at: at) { note(fate, at: at) } }
    }
    for number in 1...count {
      let now = VirtualTime.start + .milliseconds(milliseconds * Int64(number))
      run(to: now)
      let frame = Frame(
        kind: .data, channel: .message, epoch: Epoch(1), seq: SequenceNumber(UInt64(number)),
        payload: [UInt8](repeating: 0, count: bytes(number)))
      samples.append(
        Capture.Sample(sent: now.nanoseconds, received: nil, isToPhone: true, bytes: frame.wireBytes, result: .lost))
      medium.send(frame, id: UInt64(number), direction: .watchToPhone, at: now)
      medium.immediate.removeAll()
    }
    run(to: .start + .seconds(1_000_000))
    capture.samples = samples
    return capture
  }

  @Test(arguments: [
    (DelayDistribution.normal, Int64(120), Int64(20)), (.exponential, 60, 20), (.uniform, 80, 30), (.constant, 40, 0),
  ])
  func `delays are found again`(distribution: DelayDistribution, latency: Int64, jitter: Int64) throws {
    let profile = LinkProfile(
      latency: .milliseconds(latency), jitter: .milliseconds(jitter), distribution: distribution)
    let fit = ProfileFit(capture(profile, count: 3_000, every: 500))
    let delay = try #require(fit.delay)
    #expect(fit.profile.distribution == distribution)
    // Within 3 %, and of the jitter within 10 %.
    #expect(abs(fit.profile.latency - profile.latency) <= profile.latency * 3 / 100)
    #expect(abs(fit.profile.jitter - profile.jitter) <= profile.jitter / 10)
    #expect(delay.distance < delay.distanceByChance)
    #expect(fit.throughput == nil && fit.lost == 0)
  }

  @Test func `independent losses are no bursts`() throws {
    let profile = LinkProfile(
      latency: .milliseconds(40), losses: [.independent(try #require(Probability(0.08)))])
    let fit = ProfileFit(capture(profile, count: 5_000, every: 100))
    #expect(fit.bursts?.isBursty == false)
    guard case .independent(let share)? = fit.profile.losses.first else {
      Issue.record("\(fit.profile.losses)")
      return
    }
    #expect(abs(share.value - 0.08) < 0.012)
  }

  @Test func `bursts are found again`() throws {
    let chain = GilbertElliott(
      goodToBad: try #require(Probability(0.02)), badToGood: try #require(Probability(0.25)),
      lossGood: try #require(Probability(0.005)), lossBad: try #require(Probability(0.7)))
    let profile = LinkProfile(latency: .milliseconds(40), losses: [.bursts(chain, isRetried: false)])
    let fit = try #require(ProfileFit(capture(profile, count: 20_000, every: 30)).bursts)
    #expect(fit.isBursty)
    #expect(fit.logLikelihood > fit.logLikelihoodIndependent + 500)
    // Within a quarter: 20,000 frames have some 400 bursts.
    #expect(abs(fit.goodToBad - 0.02) < 0.005)
    #expect(abs(fit.badToGood - 0.25) < 0.0625)
    #expect(abs(fit.lossGood - 0.005) < 0.005)
    #expect(abs(fit.lossBad - 0.7) < 0.1)
  }

  @Test func `a bottleneck shows in the length of frames`() throws {
    let profile = LinkProfile(
      latency: .milliseconds(60), jitter: .milliseconds(10), distribution: .normal, bytesPerSecond: 32_000)
    let fit = ProfileFit(capture(profile, count: 2_000, every: 1_000) { 100 + $0 * 37 % 4_000 })
    let rate = try #require(fit.profile.bandwidth.bytesPerSecond)
    #expect(abs(rate - 32_000) < 1_600)
    #expect(abs(fit.profile.latency - 60_000_000) < 5_000_000)
    #expect(fit.profile.distribution == .normal)
  }

  @Test func `a trace's cuts, supervision and reconnection are found again`() throws {
    let scenario = """
      { scenario: "s", seed: 5, duration: "6m",
        workout: { source: { model: { distance: 5000, pace: "5:00/km" } } },
        link: { latency: "50ms", jitter: "10ms", distribution: "normal", loss: 0.05, supervision: "7s",
          reconnect: "1500ms" },
        faults: [{ at: "1m", for: "30s", disconnect: {} }, { at: "3m", for: "20s", disconnect: {} }] }
      """
    let (read, _) = Scenario.read(Array(scenario.utf8), file: "s", folder: "/")
    var bytes: [UInt8] = []
    var options = RunOptions()
    options.output = { bytes += $0 }
    _ = try ScenarioRun.run(read, options)
    let fit = ProfileFit(Capture(try RecordedTrace("s", bytes)))
    #expect(fit.outages.map(\.from) == [60_000_000_000, 180_000_000_000])
    #expect(fit.outages.map(\.length) == [30_000_000_000, 20_000_000_000])
    #expect(fit.profile.supervision == .seconds(7))
    // The hellos that make both sides reachable take their way after the reconnection.
    #expect(fit.profile.reconnect.median >= .milliseconds(1_500) && fit.profile.reconnect.median < .milliseconds(3_000))
    #expect(abs(fit.profile.latency - 50_000_000) < 3_000_000)
  }

  @Test func `clocks that differ are set right when both ways are known`() {
    var both = Capture()
    for number in 0..<300 {
      let sent = Int64(number) * 1_000_000_000
      let isToPhone = number % 2 == 0
      // The phone's clock is 2 s behind.
      let sentThere = isToPhone ? sent : sent - 2_000_000_000
      let received = (isToPhone ? sent - 2_000_000_000 : sent) + 50_000_000
      both.samples.append(
        .init(sent: sentThere, received: received, isToPhone: isToPhone, bytes: 100, result: .delivered))
    }
    let fit = ProfileFit(both)
    #expect(fit.profile.latency == 50_000_000)
    #expect(fit.warnings.contains { $0.hasPrefix("the clocks differ by -2.0 s") })
  }
}

/// The command, and captures made by hand.
@Suite struct ProfileCommandTests {
  private func lines(_ count: Int) -> String {
    (0..<count).map { number in
      let sent = Double(number) * 0.5
      return number % 20 == 9
        ? "{\"t_send\":\(sent),\"t_recv\":null,\"channel\":\"message\",\"bytes\":300,\"result\":\"lost\"}\n"
        : "{\"t_send\":\(sent),\"t_recv\":\(sent + 0.08),\"channel\":\"message\",\"bytes\":300,\"result\":\"delivered\"}\n"
    }.joined()
  }

  @Test func `its output is a valid part of a scenario`() throws {
    let folder = try TemporaryFolder()
    var text = lines(600)
    text += "{\"t\":310,\"reachable\":false}\n{\"t\":325.5,\"reachable\":true}\n"
    let path = try folder.write("c.jsonl", text)
    let result = try CommandChild.call(["profile", path])
    #expect(result.status == 0, "\(result.errors)")
    let block = result.output.split(separator: "\n\n")[0]
    let scenario = try folder.write("s.json5", "{ scenario: \"s\", seed: 1,\n\(block)\n}\n")
    let validated = try CommandChild.call(["validate", scenario])
    #expect(validated.status == 0, "\(validated.output)\(validated.errors)\(block)")
    let (read, _) = Scenario.read(
      [UInt8](try Data(contentsOf: URL(filePath: scenario))), file: scenario, folder: folder.url.path())
    #expect(read.link.latency == 80_000_000)
    #expect(read.link.losses == [.independent(try #require(Probability(0.05)))])
    // Noticed 6 s after the cut, and 1 s after the return.
    #expect(read.faults.count == 1 && read.faults[0].begin == .start + .seconds(304))
    #expect(read.faults[0].end == .start + .milliseconds(324_500))
    let json = try JSONParser.parse(try CommandChild.call(["profile", path, "--json"]).output, dialect: .json)
    #expect(json["frames"]?.value == .integer(600) && json["lost"]?.value == .integer(30))
  }

  @Test func `few frames are warned of, none are refused`() throws {
    let folder = try TemporaryFolder()
    let few = try CommandChild.call(["profile", folder.write("few.jsonl", lines(30))])
    #expect(few.status == 0 && few.errors.contains("only 30 frames"))
    for (text, says) in [
      ("", "error: found no frame"), ("{\"t_send\":1}\n", ":1:1: error:"),
      ("{\"t_send\":1,\"bytes\":3}\n{\"t_send\":\"x\",\"bytes\":3}\n", ":2:11: error:"),
      ("{\"t_send\":1,\"bytes\":3,\"result\":\"maybe\"}\n", ":1:32: error:"), ("nonsense\n", ":1:1: error:"),
      ("{\"t_send\":1,\"bytes\":3,\"recv\":4}\n", "did you mean"),
      ("{\"t_send\":1,\"bytes\":3,\"result\":\"delivered\"}\n", "without t_recv"),
    ] {
      let path = try folder.write("bad.jsonl", text)
      let result = try CommandChild.call(["profile", path])
      #expect(result.status == 2, "\(text): \(result.output)")
      #expect(result.errors.contains(says), "\(text): \(result.errors)")
    }
  }

  @Test func `no damage to a capture does more than fail`() throws {
    let folder = try TemporaryFolder()
    let good = Array(lines(60).utf8)
    let random = RandomStream(seed: 9, name: "damage")
    for round in 0..<120 {
      var bytes = Array(good[..<(round % 3 == 0 ? good.count * round / 120 : good.count)])
      for step in 0..<UInt64(round % 6) where !bytes.isEmpty {
        let bits = random.bits(for: UInt64(round), draw: step)
        bytes[Int(bits % UInt64(bytes.count))] = UInt8(bits >> 48 & 0x7F)
      }
      let path = try folder.write("d.jsonl", bytes)
      if let capture = try? Capture(path) { _ = ProfileFit(capture) }
    }
  }
}
