import Foundation
import LinkTestSupport
import Testing

@testable import Link

/// The requirements for every kind of fault.
@Suite struct `Every kind of fault` {
  /// A kind by its name, so that a failing test says which one it was.
  struct Kind: CustomTestStringConvertible, Sendable {
    var type: any FaultKind.Type
    var testDescription: String { type.kind }
  }

  static let all = FaultCatalog.all.map { Kind(type: $0) }
  static let frameFaults = FaultCatalog.frameFaults.map { Kind(type: $0) }

  private static func planned(_ type: any FaultKind.Type, id: String? = nil) -> PlannedFault {
    switch type.example {
    case let fault as any FrameFault: PlannedFault(id: id, .frame(fault))
    case let fault as any WorldFault: PlannedFault(id: id, .world(fault))
    case let fault as any NodeFault: PlannedFault(id: id, .node(fault))
    default: preconditionFailure("\(type.kind) is of no family")
    }
  }

  /// Every channel in every direction, with data and with replies.
  private static let traffic = Traffic(
    count: 200, every: .milliseconds(40),
    directions: Direction.ofLink.flatMap { Array(repeating: $0, count: 4) }, channels: Channel.ofLink,
    kinds: [Frame.Kind.data, .reply].flatMap { Array(repeating: $0, count: 8) })
  private static let profile = LinkProfile(
    latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .exponential, bytesPerSecond: 40_000)

  private static func read(_ text: String) throws -> (plan: [PlannedFault], report: String) {
    let collector = DiagnosticsCollector(file: "plan")
    let node = try JSONParser.parse(text, dialect: .json5)
    let list = JSONValueReader(node, path: "faults", into: collector).array() ?? []
    return (FaultPlan.read(list), collector.diagnostics.description)
  }

  @Test(arguments: frameFaults, 0..<16)
  func `gives the same fates for the same seed, and every copy exactly one`(kind: Kind, seed: Int) {
    let plan = [Self.planned(kind.type)]
    let first = Self.traffic.run(profile: Self.profile, faults: plan, seed: UInt64(seed))
    #expect(first == Self.traffic.run(profile: Self.profile, faults: plan, seed: UInt64(seed)))
    for id in 1...UInt64(Self.traffic.sendings.count) {
      let copies = first.fates.filter { $0.id == id }.map(\.copy).sorted()
      #expect(copies == Array(0...(first.copies[id] ?? 0)), "frame \(id)")
    }
  }

  @Test(arguments: frameFaults)
  func `makes a difference`(kind: Kind) {
    let without = Self.traffic.run(profile: LinkProfile(latency: .milliseconds(5)), seed: 1)
    let with = Self.traffic.run(profile: LinkProfile(latency: .milliseconds(5)), faults: [Self.planned(kind.type)])
    #expect(with != without)
  }

  /// A fault's draws do not depend on the rest of the plan.
  @Test(arguments: frameFaults, 0..<16)
  func `picks the same frames with and without other faults before and after it`(kind: Kind, seed: Int) {
    let fault = Self.planned(kind.type, id: "the one")
    let alone = Self.traffic.run(faults: [fault], seed: UInt64(seed))
    // Other faults that neither drop a frame before this one nor change its time.
    let others: [PlannedFault] = [
      PlannedFault(id: "later", DelayFault(mean: .milliseconds(70), jitter: .milliseconds(50), distribution: .pareto)),
      PlannedFault(id: "twice", DuplicateFault(probability: Probability(0.3) ?? .never)),
    ]
    let among = Self.traffic.run(faults: [others[0], fault, others[1]], seed: UInt64(seed))
    #expect(alone.dropped.map(\.id).sorted() == among.dropped.map(\.id).sorted())
    #expect(alone.dropped(byFault: "the one").sorted() == among.dropped(byFault: "the one").sorted())
    let twice = Self.traffic.run(faults: [others[1]], seed: UInt64(seed))
    for id in 1...UInt64(Self.traffic.sendings.count) where !among.dropped.contains(where: { $0.id == id }) {
      #expect(
        among.copies[id, default: 0] == alone.copies[id, default: 0] + twice.copies[id, default: 0], "frame \(id)")
    }
  }

  @Test(arguments: 0..<16)
  func `does not change a frame's own delay if another fault is added or removed`(seed: Int) {
    // Frames far enough apart not to wait for each other.
    let traffic = Traffic(count: 60, every: .seconds(20))
    let delay = PlannedFault(
      id: "slow", DelayFault(mean: .seconds(2), jitter: .seconds(1), distribution: .normal))
    let hold = PlannedFault(id: "held", ReorderFault(probability: Probability(0.5) ?? .never, by: .seconds(3)))
    let alone = traffic.run(faults: [delay], seed: UInt64(seed))
    let both = traffic.run(faults: [hold, delay], seed: UInt64(seed))
    let held = traffic.run(faults: [hold], seed: UInt64(seed))
    let base = VirtualTime.Span.milliseconds(5)
    for (index, sending) in traffic.sendings.enumerated() {
      let id = UInt64(index + 1)
      let parts = [alone, held].compactMap { $0.arrival(id) }.map { $0 - sending.at }
      let sum = both.arrival(id).map { $0 - sending.at }
      #expect(parts.count == 2)
      #expect(sum == VirtualTime.Span(nanoseconds: parts.map(\.nanoseconds).reduce(0, +) - base.nanoseconds))
    }
  }

  @Test(arguments: all)
  func `reads back what it writes`(kind: Kind) throws {
    let planned = Self.planned(kind.type)
    let text = String(decoding: JSONWriter.compact(JSONNode(.array([JSONNode(planned.json)]))), as: UTF8.self)
    let (plan, report) = try Self.read(text)
    #expect(report == "")
    let read = try #require(plan.first)
    #expect(Self.isEqual(read.body.fault, planned.body.fault))
    #expect(read.id == planned.id)
    #expect(read.paramsText == planned.paramsText)
  }

  private static func isEqual(_ first: any FaultKind, _ second: any FaultKind) -> Bool {
    func same<F: FaultKind>(_ first: F) -> Bool { second as? F == first }
    return same(first)
  }

  @Test func `reads back odd values of every parameter`() throws {
    let faults: [any FaultKind] = [
      LossFault(.independent(.always)), LossFault(.independent(.never)),
      LossFault(.independent(Probability(1.0 / 3) ?? .never)), LossFault(.every(1)), LossFault(.every(1_000_000_000)),
      LossFault(
        .gilbertElliott(
          GilbertElliott(
            goodToBad: Probability(1e-9) ?? .never, badToGood: .always, lossGood: Probability(0.1) ?? .never,
            lossBad: Probability(0.9) ?? .never, slot: VirtualTime.Span(nanoseconds: 1_001)))),
      DelayFault(
        mean: VirtualTime.Span(nanoseconds: 1), jitter: VirtualTime.Span(nanoseconds: 86_399_999_999_999),
        distribution: .pareto),
      DelayFault(mean: .zero), DelayFault(mean: .seconds(1), jitter: .seconds(1), distribution: .constant),
      ReorderFault(probability: .always, by: VirtualTime.Span(nanoseconds: 123_456_789_012)),
      DuplicateFault(probability: .always, copies: 16), CorruptFault(probability: Probability(0.1 + 0.2) ?? .never),
      BandwidthFault(bytesPerSecond: 1, queueBytes: 1 << 40),
      DisconnectFault(flap: DisconnectFault.Flap(up: .milliseconds(1), down: VirtualTime.Span(nanoseconds: 1_000_007))),
      KillFault(.watch), KillFault(.phone, restartAfter: .zero, point: .fileChunk),
      KillFault(.phone, restartAfter: VirtualTime.Span(nanoseconds: 86_399_999_999_999)), RebootFault(.watch),
      SuspendFault(.phone, wakes: false), SuspendFault(.watch, wakes: true),
      ClockSkewFault(.phone, offset: VirtualTime.Span(nanoseconds: -3_599_999_999_999_999)),
      ClockSkewFault(.watch, driftPPM: -499_999.999_999), DiskFullFault(.watch), NotInstalledFault(.watch),
      ReplyLostFault(probability: Probability(0.25) ?? .never), OneWayFault(from: .watch),
      ContextCongestionFault(window: VirtualTime.Span(nanoseconds: 1_000_001), delay: .zero),
      ContextCongestionFault(window: .seconds(3_600), delay: .seconds(3_600)), QueueStallFault(.phone),
    ]
    for fault in faults {
      let planned = (fault as? any FrameFault).map { PlannedFault(.frame($0)) }
      let world = (fault as? any WorldFault).map { PlannedFault(.world($0)) }
      let node = (fault as? any NodeFault).map { PlannedFault(.node($0)) }
      let one = try #require(planned ?? world ?? node)
      let text = String(decoding: JSONWriter.compact(JSONNode(.array([JSONNode(one.json)]))), as: UTF8.self)
      let (plan, report) = try Self.read(text)
      #expect(report == "")
      let read = try #require(plan.first)
      #expect(Self.isEqual(read.body.fault, fault), "\(text)")
    }
  }

  @Test(arguments: all)
  func `documents exactly the parameters that it reads`(kind: Kind) throws {
    // The parameters of most node faults are beside the kind, whose own value is the device.
    let isBeside = (kind.type as? any NodeFault.Type) != nil && !["clockSkew", "sendFails"].contains(kind.type.kind)
    let odd = "qqqqqqqqqqqqqqqqqqqq: 1"
    let text = isBeside ? "[{ \(kind.type.kind): 'phone', \(odd) }]" : "[{ \(kind.type.kind): { \(odd) } }]"
    let (_, report) = try Self.read(text)
    let line = try #require(report.split(separator: "\n").first { $0.contains("unknown key") }, "\(report)")
    let known = line.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    #expect(known.first == "qqqqqqqqqqqqqqqqqqqq")
    let common = isBeside ? ["id", "at", "for", "direction", "channels"] : []
    #expect(known.dropFirst().sorted() == (kind.type.description().allFields.map(\.name) + common).sorted())
    #expect(!kind.type.page.about.isEmpty && !kind.type.page.formula.isEmpty && !kind.type.page.reality.isEmpty)
  }

  @Test func `has its own file, named after it`() throws {
    let files = try ["Faults", "Quirks"].flatMap { folder in
      let path = PackageRoot.url.appending(path: "Sources/Link/Medium/\(folder)").path
      return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".swift") }
    }
    #expect(files.sorted() == FaultCatalog.all.map { "\($0).swift" }.sorted())
    let kinds = FaultCatalog.all.map { $0.kind }
    #expect(Set(kinds).count == kinds.count)
  }

  @Test(arguments: [
    ("[{ loss: { probability: 1.5 } }]", "probability: found number 1.5, expected a number from 0 to 1"),
    ("[{ loss: { probability: -0.1 } }]", "probability: found number -0.1"),
    ("[{ loss: { probability: 'x' } }]", "probability: found string \"x\", expected a number"),
    ("[{ loss: {} }]", "one of the keys \"probability\", \"model\" or \"every\" is missing"),
    ("[{ loss: { every: 0 } }]", "every: found number 0, expected a whole number from 1 to"),
    ("[{ loss: { every: 2, probability: 0.5 } }]", "probability and every exclude one another"),
    ("[{ loss: { probability: 0.5, goodToBad: 0.5 } }]", "goodToBad needs model"),
    ("[{ loss: { model: 'gilbert', goodToBad: 0, badToGood: 0 } }]", "expected \"gilbert-elliott\""),
    ("[{ loss: { model: 'gilbert-elliott', goodToBad: 0 } }]", "the key \"badToGood\" is missing"),
    ("[{ loss: { model: 'gilbert-elliott', goodToBad: 2, badToGood: 0 } }]", "goodToBad: found number 2"),
    (
      "[{ loss: { model: 'gilbert-elliott', goodToBad: 0, badToGood: 0, slot: '999ns' } }]",
      "slot: found string \"999ns\", expected a duration from 1us to 24h"
    ),
    ("[{ delay: { } }]", "the key \"mean\" is missing"),
    ("[{ delay: { mean: '-1s' } }]", "a duration of at least 0"),
    ("[{ delay: { mean: '25h' } }]", "a duration of at most 24h"),
    ("[{ delay: { mean: '1s', jitter: '200000h' } }]", "a duration of at most 24h"),
    ("[{ delay: { mean: '1s', distribution: 'gauss' } }]", "found \"gauss\", expected \"constant\""),
    ("[{ reorder: { probability: 0.5 } }]", "the key \"by\" is missing"),
    ("[{ reorder: { probability: 0.5, by: '2000000h' } }]", "a duration of at most 24h"),
    (
      "[{ duplicate: { probability: 0.5, copies: 0 } }]", "copies: found number 0, expected a whole number from 1 to 16"
    ),
    ("[{ duplicate: { probability: 0.5, copies: 17 } }]", "copies: found number 17"),
    ("[{ corrupt: { probability: 2 } }]", "probability: found number 2"),
    ("[{ bandwidth: { bytesPerSecond: 0 } }]", "bytesPerSecond: found number 0"),
    ("[{ bandwidth: { bytesPerSecond: 10, queueBytes: 0 } }]", "queueBytes: found number 0"),
    ("[{ disconnect: { flap: { up: '1s' } } }]", "the key \"down\" is missing"),
    (
      "[{ disconnect: { flap: { up: 0, down: '1s' } } }]",
      "flap.up: found number 0, expected a duration from 1ms to 24h"
    ),
    ("[{ disconnect: {}, direction: 'watch-to-phone' }]", "disconnect affects the whole link"),
    ("[{ disconnect: 5 }]", "found number 5, expected an object"),
    ("[{ oneWay: {} }]", "the key \"from\" is missing"), ("[{ oneWay: { from: 'edge' } }]", "from: found \"edge\""),
    ("[{ oneWay: { from: 'phone' }, direction: 'watch-to-phone' }]", "oneWay affects one direction of the link"),
    ("[{ replyLost: { probability: 2 } }]", "probability: found number 2"),
    ("[{ replyLost: {}, channels: ['message'] }]", "replyLost affects replies; channels do not apply"),
    ("[{ contextCongestion: { window: 0 } }]", "window: found number 0, expected a duration from 1ms to 1h"),
    ("[{ contextCongestion: { delay: '2h' } }]", "delay: found string \"2h\", expected a duration of at most 1h"),
    ("[{ queueStall: 'edge' }]", "queueStall: found \"edge\""),
    ("[{ kill: 'edge' }]", "kill: found \"edge\", expected \"watch\" or \"phone\""),
    ("[{ kill: { node: 'phone' } }]", "kill: found an object, expected \"watch\" or \"phone\""),
    (
      "[{ kill: 'phone', restartAfter: '-1s' }]",
      "restartAfter: found string \"-1s\", expected a duration of at least 0"
    ),
    ("[{ kill: 'phone', restartAfter: '25h' }]", "a duration of at most 24h"),
    ("[{ kill: 'phone', point: 'inbox.comitted' }]", "did you mean \"inbox.committed\"?"),
    ("[{ kill: 'phone', point: 5 }]", "point: found number 5, expected \"outbox.committed\""),
    ("[{ kill: 'phone', for: '5s' }]", "restartAfter sets when the app starts again"),
    ("[{ kill: 'phone', unlockAfter: '5s' }]", "unknown key \"unlockAfter\""),
    ("[{ kill: 'phone', channels: ['message'] }]", "kill affects a device; direction and channels do not apply"),
    ("[{ reboot: 'phone', for: '5s' }]", "unlockAfter sets when"),
    ("[{ reboot: 'tablet' }]", "reboot: found \"tablet\""), ("[{ suspend: 'phone', wake: 1 }]", "wake: found number 1"),
    ("[{ suspend: true }]", "suspend: found true"),
    ("[{ clockSkew: { offset: '1s' } }]", "the key \"node\" is missing"),
    ("[{ clockSkew: { node: 'phone' } }]", "neither offset nor driftPPM"),
    ("[{ clockSkew: { node: 'phone', offset: '-1001h' } }]", "expected a duration from -1000h to 1000h"),
    ("[{ clockSkew: { node: 'phone', driftPPM: 500001 } }]", "driftPPM: found number 500001"),
    ("[{ clockSkew: { node: 'phone', driftPPM: 'x' } }]", "driftPPM: found string \"x\", expected a number"),
    ("[{ clockSkew: 'phone' }]", "clockSkew: found string \"phone\", expected an object"),
    ("[{ diskFull: {} }]", "diskFull: found an object"), ("[{ notInstalled: 'wach' }]", "did you mean \"watch\"?"),
    ("[{ at: '1m' }]", "no kind of fault"),
    ("[{ loss: { probability: 1 }, delay: { mean: 1 } }]", "more than one kind of fault"),
    ("[{ loss: { probability: 1 }, direction: 'up' }]", "found \"up\""),
    ("[{ loss: { probability: 1 }, channels: ['sms'] }]", "found \"sms\""),
    ("[{ loss: { probability: 1 }, for: '-1s' }]", "a duration of at least 0"),
    ("[{ loss: { probabilty: 1 } }]", "did you mean \"probability\"?"),
    (
      "[{ id: 'a', loss: { probability: 1 } }, { id: 'a', corrupt: { probability: 1 } }]",
      "a second fault with the id \"a\""
    ),
  ])
  func `refuses a value out of range, with the expected range`(text: String, message: String) throws {
    let (_, report) = try Self.read(text)
    #expect(report.contains(message), "\(report)")
    #expect(report.contains("plan:1:"))
  }

  /// The trace has all of a fault's parameters, including defaults.
  @Test func `records every parameter of a device's fault, in the keys of a scenario`() throws {
    let (plan, report) = try Self.read(
      """
      [{ at: '20m', kill: 'phone', restartAfter: '5s', point: 'inbox.committed' }, { suspend: 'watch', for: '1500ms' },
       { clockSkew: { node: 'watch', offset: '-90s', driftPPM: 40.5 } }, { reboot: 'phone', unlockAfter: '20s' }]
      """)
    #expect(report == "")
    #expect(
      plan.map(\.paramsText) == [
        #"{"node":"phone","restartAfter":5,"point":"inbox.committed"}"#, #"{"node":"watch","wake":false}"#,
        #"{"node":"watch","offset":-90,"driftPPM":40.5}"#, #"{"node":"phone","unlockAfter":20}"#,
      ])
    let header = plan.map { String(decoding: JSONWriter.compact(JSONNode($0.json)), as: UTF8.self) }
    let spelled = header.map { $0.drop { $0 != "," }.dropFirst() }
    #expect(
      spelled == [
        #""at":1200,"kill":"phone","restartAfter":5,"point":"inbox.committed"}"#,
        #""at":0,"for":1.5,"suspend":"watch","wake":false}"#,
        #""at":0,"clockSkew":{"node":"watch","offset":-90,"driftPPM":40.5}}"#,
        #""at":0,"reboot":"phone","unlockAfter":20}"#,
      ])
  }

  @Test func `finds a crash point of an app in the given list, and lists the known ones`() throws {
    let collector = DiagnosticsCollector(file: "plan")
    let node = try JSONParser.parse("[{ kill: 'phone', point: 'voice.committed' }]", dialect: .json5)
    let list = JSONValueReader(node, path: "faults", into: collector).array() ?? []
    #expect(FaultPlan.read(list).isEmpty)
    #expect(collector.diagnostics.description.contains("\"file.renamed\""))
    let own = CrashPoint("voice.committed", "a voice note is kept")
    let plan = FaultPlan.read(list, points: CrashPoint.session + [own])
    #expect(plan.first.map { $0.body.fault as? KillFault } == KillFault(.phone, point: own))
  }

  @Test func `has an id that depends only on its content`() throws {
    let (plan, report) = try Self.read(
      """
      [{ loss: { probability: 0.5 } }, { loss: { probability: 0.25 } }, { loss: { probability: 0.5 }, at: '1s' },
       { loss: { probability: 0.5 } }, { id: 'tunnel', disconnect: {} }, { id: 'tunnel-x', disconnect: {} }]
      """)
    #expect(report == "")
    #expect(Set(plan.map(\.id)).count == 6)
    #expect(plan[0].id.hasPrefix("loss-"))
    #expect(plan[3].id == "\(plan[0].id)-x2")
    let (alone, _) = try Self.read("[{ loss: { probability: 0.5 }, at: '1s' }]")
    #expect(alone[0].id == plan[2].id)
    let (both, second) = try Self.read("[{ id: 'a-xylophone', disconnect: {} }, { id: 'a', disconnect: {} }]")
    #expect(second == "" && both.map(\.id) == ["a-xylophone", "a"])
  }

  @Test(arguments: frameFaults.filter { $0.type.hasChannels })
  func `affects its direction and channels only`(kind: Kind) {
    var planned = Self.planned(kind.type, id: "picky")
    planned.direction = .phoneToWatch
    planned.channels = [.userInfo, .file]
    // Each direction and channel by itself, far apart, so that no frame waits.
    let traffic = Traffic(count: 200, every: .seconds(10), directions: Direction.ofLink, channels: Channel.ofLink)
    let with = traffic.run(faults: [planned])
    let without = traffic.run()
    #expect(with != without)
    for (index, sending) in traffic.sendings.enumerated() {
      let concerned = sending.direction == .phoneToWatch && [.userInfo, .file].contains(sending.frame.channel)
      guard !concerned else { continue }
      let id = UInt64(index + 1)
      #expect(with.fates.filter { $0.id == id } == without.fates.filter { $0.id == id })
      #expect(with.copies[id] == nil)
    }
  }

  // Contexts that are far apart cause no congestion: `QuirkFaultTests` has closer ones.
  @Test(arguments: frameFaults.filter { $0.type != ContextCongestionFault.self })
  func `acts from its beginning until before its end`(kind: Kind) {
    var planned = Self.planned(kind.type, id: "timed")
    planned.begin = VirtualTime(nanoseconds: 400_000_000_000)
    planned.end = VirtualTime(nanoseconds: 1_600_000_000_000)
    let traffic = Traffic(
      count: 200, every: .seconds(10), directions: [.watchToPhone, .watchToPhone, .phoneToWatch, .phoneToWatch],
      kinds: [.data, .reply])
    let with = traffic.run(faults: [planned])
    let without = traffic.run()
    var changed: [VirtualTime] = []
    for (index, sending) in traffic.sendings.enumerated() {
      let id = UInt64(index + 1)
      let isSame = with.fates.filter { $0.id == id } == without.fates.filter { $0.id == id }
      if !isSame || with.copies[id] != nil { changed.append(sending.at) }
    }
    #expect(!changed.isEmpty)
    #expect(changed.allSatisfy { $0 >= planned.begin && $0 < VirtualTime(nanoseconds: 1_600_000_000_000) })
  }
}
