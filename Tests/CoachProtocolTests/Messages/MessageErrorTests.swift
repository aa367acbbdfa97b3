import CoachProtocol
import Link
import Testing

@Suite struct `Undecodable messages` {
  /// A dictionary of these entries, read as a message; the error, or nil where it was read.
  func error(_ entries: [PropertyListEntry]) throws -> MessageError? {
    let bytes = try PropertyListWriter.bytes(of: .dictionary(entries))
    guard case .failure(let error) = AppMessage.reading(bytes) else { return nil }
    return error
  }

  /// The entries of a snapshot, with some replaced, and some left out.
  func snapshot(_ replaced: [String: PropertyListValue], without left: Set<String> = []) -> [PropertyListEntry] {
    let entries: [(String, PropertyListValue)] = [
      ("kind", .string("liveMetrics")), ("v", .integer(1)),
      ("workoutId", .string("0e5b0c4f-8a21-4d60-9c37-51e27a440b18")), ("sentAt", .integer(1)), ("elapsed", .real(1)),
      ("distance", .real(1)), ("energyKcal", .real(0)), ("state", .string("running")),
    ]
    let names = entries.map(\.0)
    let extra = replaced.keys.filter { !names.contains($0) }.sorted()
    return (names + extra).filter { !left.contains($0) }.map { name in
      PropertyListEntry(name, replaced[name] ?? entries.first { $0.0 == name }?.1 ?? .bool(true))
    }
  }

  @Test func `an unknown kind is named`() throws {
    let kind = PropertyListEntry("kind", .string("selfDestruct"))
    for (version, text) in [(Int64(2), ", version 2"), (1, ", version 1"), (.min, ", version \(Int64.min)")] {
      let found = try error([kind, .init("v", .integer(version))])
      #expect(found == .unknownKind("selfDestruct", version: version))
      #expect(found?.description == "unknown kind \"selfDestruct\"\(text)")
    }
    // The version may come first, and may be missing.
    #expect(try error([.init("v", .integer(2)), kind]) == .unknownKind("selfDestruct", version: 2))
    for entries in [[kind], [kind, .init("v", .string("2"))]] {
      #expect(try error(entries)?.description == "unknown kind \"selfDestruct\"")
    }
    let long = String(repeating: "x", count: 10_000)
    #expect(try error([.init("kind", .string(long))])?.kindText.count == 64)
  }

  @Test func `a missing or mistyped kind has its own error`() throws {
    #expect(try error([.init("v", .integer(2))]) == .noKind(version: 2))
    #expect(try error([.init("v", .integer(2))])?.description == "no kind, version 2")
    #expect(try error([.init("kind", .integer(1))]) == .noKind(version: nil))
    #expect(try error([])?.description == "no kind")
  }

  @Test func `an unknown discipline of a start is named, and none is fine`() throws {
    let start: [PropertyListEntry] = [
      .init("kind", .string("workoutStarted")), .init("v", .integer(1)),
      .init("workoutId", .string("0e5b0c4f-8a21-4d60-9c37-51e27a440b18")), .init("startedAt", .integer(1)),
      .init("sentAt", .integer(1)),
    ]
    #expect(try error(start) == nil)
    #expect(try error(start + [.init("discipline", .string("riding"))]) == nil)
    let found = try error(start + [.init("discipline", .string("chess"))])
    #expect(found?.description.contains("chess") == true && found?.description.contains("swimming") == true)
    #expect(try error(start + [.init("discipline", .integer(1))]) != nil)
  }

  @Test func `a wrong version is named`() throws {
    #expect(try error(snapshot(["v": .integer(2)])) == .unknownVersion(.liveMetrics, 2))
    #expect(try error(snapshot(["v": .string("1")])) == .unknownVersion(.liveMetrics, nil))
    #expect(try error(snapshot([:], without: ["v"])) == .unknownVersion(.liveMetrics, nil))
  }

  @Test(arguments: ["workoutId", "sentAt", "elapsed", "distance", "energyKcal", "state"])
  func `a missing field is named`(key: String) throws {
    #expect(try error(snapshot([:], without: [key])) == .missing(.liveMetrics, key: key))
  }

  @Test(
    arguments: [
      ("workoutId", .string("not-a-uuid")), ("workoutId", .integer(1)), ("sentAt", .string("now")),
      ("sentAt", .integer(.max)), ("elapsed", .real(.nan)), ("elapsed", .real(-1)), ("distance", .real(.infinity)),
      ("distance", .bool(true)), ("currentPaceSecPerKm", .real(0)), ("avgPaceSecPerKm", .real(-3)),
      ("currentHR", .integer(0)), ("currentHR", .integer(.max)), ("cadence", .real(1.5)), ("energyKcal", .real(1e300)),
      ("state", .string("flying")), ("state", .integer(1)), ("lastSplit", .string("one")),
    ] as [(String, PropertyListValue)])
  func `a field with an invalid value is named in the error`(key: String, value: PropertyListValue) throws {
    guard case .wrong(.liveMetrics, key: key, _, _)? = try error(snapshot([key: value])) else {
      Issue.record("\(String(describing: try error(snapshot([key: value]))))")
      return
    }
  }

  @Test func `an unknown choice is answered with the known ones`() throws {
    var entries: [PropertyListEntry] = [.init("kind", .string("hapticCue")), .init("v", .integer(1))]
    entries += [.init("haptic", .string("earthquake")), .init("sentAt", .integer(1))]
    #expect(
      try error(entries)?.description
        == "hapticCue: haptic is \"earthquake\", expected kmMilestone, pacingWarning, fuelingReminder, hydrationReminder"
    )
  }

  @Test func `fields come in any order, and unknown ones are passed over`() throws {
    let entries = snapshot([:])
    #expect(try error(Array(entries.reversed())) == nil)
    #expect(try error(snapshot(["aaa": .integer(7), "zzz": .array([.bool(true)])])) == nil)
    let bytes = try PropertyListWriter.bytes(of: .dictionary(Array(entries.reversed())))
    #expect(LiveMetrics(encoded: bytes)?.elapsed == 1)
  }

  @Test func `an optional field is found at any position`() throws {
    let entries = snapshot(["currentHR": .integer(150), "avgPaceSecPerKm": .real(300)])
    for shift in 0..<entries.count {
      let turned = Array(entries[shift...] + entries[..<shift])
      let metrics = LiveMetrics(encoded: try PropertyListWriter.bytes(of: .dictionary(turned)))
      #expect(metrics?.currentHR == 150 && metrics?.avgPaceSecPerKm == 300 && metrics?.cadence == nil)
    }
  }

  @Test func `bytes that are no dictionary are unreadable`() throws {
    for bytes in [[], Array("bplist00".utf8), [UInt8](repeating: 0xFF, count: 500)] {
      guard case .failure(.unreadable) = AppMessage.reading(bytes) else {
        Issue.record("\(bytes)")
        continue
      }
    }
    #expect(AppMessage.reading(try PropertyListWriter.bytes(of: .string("kind"))).kindText == "")
  }

  /// Whatever is done to the bytes, they are read or refused, and what is read can be written and traced.
  @Test(arguments: AppMessage.Kind.allCases)
  func `mutated bytes never crash`(kind: AppMessage.Kind) {
    let good = kind.example.encoded
    let random = RandomStream(seed: 1, name: "mutations")
    for length in 0...good.count { survive(Array(good.prefix(length))) }
    for place in good.indices {
      for bit in 0..<8 {
        var bytes = good
        bytes[place] ^= 1 << bit
        survive(bytes)
      }
    }
    for round in 0..<2_000 as Range<UInt64> {
      var bytes = good
      for draw in 0..<(1 + random.number(below: 6, for: round)) {
        let place = Int(random.number(below: UInt64(bytes.count), for: round, draw: 2 * draw + 1))
        bytes[place] = UInt8(truncatingIfNeeded: random.bits(for: round, draw: 2 * draw + 2))
      }
      survive(bytes)
    }
  }

  private func survive(_ bytes: [UInt8]) {
    let read = AppMessage.reading(bytes)
    guard case .success(let message) = read else {
      _ = read.kindText
      return
    }
    _ = message.eventDetails
    if case .liveMetrics(let metrics) = message {
      _ = TraceEvent(SnapshotPublished.self, at: .start, on: .watch) {
        $0.metrics = metrics.eventFields(epoch: Epoch(1), seq: SequenceNumber(1))
      }
    }
    #expect(AppMessage.reading(message.encoded) == .success(message))
  }
}
