import Link
import Testing

@testable import CoachProtocol

/// The quick way must say what the ordinary way says, byte for byte and value for value.
@Suite struct `Quick snapshots` {
  /// Snapshots of every sort, ordinary ones among them.
  static func snapshot(_ number: UInt64) -> LiveMetrics {
    let random = RandomStream(seed: 11, name: "snapshots")
    func real(_ draw: UInt64, _ bound: UInt64) -> Double {
      Double(random.number(below: bound, for: number, draw: draw)) / 100 + 0.01
    }
    func isPresent(_ draw: UInt64) -> Bool { random.number(below: 6, for: number, draw: draw) > 0 }
    let isPaused = !isPresent(16)
    return LiveMetrics(
      workoutId: Identifier(random, for: number),
      sentAt: WatchTime(nanoseconds: Int64(random.bits(for: number, draw: 20) >> (isPresent(21) ? 2 : 30))),
      elapsed: real(3, 1 << 30), distance: real(4, 1 << 30),
      currentPaceSecPerKm: isPresent(5) != isPaused ? real(6, 1 << 20) : nil,
      avgPaceSecPerKm: isPresent(7) ? real(8, 1 << 20) : nil,
      currentHR: isPresent(9) ? 1 + Int(random.number(below: 270, for: number, draw: 10)) : nil,
      energyKcal: real(11, 1 << 20),
      cadence: isPresent(12) != isPaused ? 1 + Int(random.number(below: 270, for: number, draw: 13)) : nil,
      lastSplit: isPresent(14) ? nil : Split(kmIndex: 1, durationSeconds: 300, paceSecPerKm: 300, avgHeartRate: 150),
      state: isPaused ? .paused : isPresent(15) ? .running : .ended)
  }

  /// What the quick way reads; nil where it leaves the payload to the ordinary one.
  static func read(_ payload: [UInt8]) -> LiveMetrics? {
    var workout = IdentifierText.none
    return read(payload, &workout)
  }

  static func read(_ payload: [UInt8], _ workout: inout IdentifierText) -> LiveMetrics? {
    var metrics = LiveMetrics.example
    return LiveMetricsTemplate.read(payload, into: &metrics, workout: &workout) ? metrics : nil
  }

  @Test func `both ways write the same bytes`() {
    var quick: [WorkoutState: Int] = [:]
    var workout = IdentifierText.none
    for number in 0..<3_000 as Range<UInt64> {
      let metrics = Self.snapshot(number)
      guard let payload = LiveMetricsTemplate.payload(of: metrics, workout: &workout) else { continue }
      quick[metrics.state, default: 0] += 1
      #expect(payload == metrics.plainlyEncoded)
      // Once more, now that the workout's text is known.
      #expect(metrics.encoded(workout: &workout) == payload)
    }
    #expect(quick[.running, default: 0] > 500 && quick[.running, default: 0] < 2_000)
    #expect(quick[.paused, default: 0] > 100 && quick[.ended] == nil)
  }

  @Test func `both ways read the same values, from good bytes and from bad ones`() throws {
    let random = RandomStream(seed: 12, name: "bytes")
    var quick: [WorkoutState: Int] = [:]
    // One workout's snapshots follow each other, so that its text is known to all but the first.
    var workout = IdentifierText.none
    for number in 0..<6_000 as Range<UInt64> {
      var bytes = Self.snapshot(number / 60).plainlyEncoded
      if number % 60 > 0 {
        let place = Int(random.number(below: UInt64(bytes.count), for: number))
        bytes[place] = UInt8(truncatingIfNeeded: random.bits(for: number, draw: 1))
      }
      guard let metrics = Self.read(bytes, &workout) else { continue }
      quick[metrics.state, default: 0] += 1
      var reader = try PayloadReader(bytes)
      #expect(try reader.read(LiveMetrics.self) == metrics)
    }
    #expect(quick[.running, default: 0] > 100 && quick[.paused, default: 0] > 20)
  }

  @Test func `a workout's text is read in either case, and never confused with another's`() throws {
    var metrics = LiveMetrics.example
    metrics.lastSplit = nil
    let lower = metrics.plainlyEncoded
    let text = Array(metrics.workoutId.text.utf8)
    let place = try #require(lower.indices.first { lower[$0...].starts(with: text) })
    var upper = lower
    for index in place..<place + text.count where upper[index] >= UInt8(ascii: "a") { upper[index] -= 32 }
    #expect(upper != lower)
    var workout = IdentifierText.none
    for bytes in [lower, upper, upper, lower, lower] { #expect(Self.read(bytes, &workout) == metrics) }
    // Every digit counts, also where the text was known before.
    for index in place..<place + text.count where lower[index] != UInt8(ascii: "-") {
      var other = lower
      other[index] = lower[index] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
      let read = try #require(Self.read(other, &workout))
      #expect(read.workoutId != metrics.workoutId && read.plainlyEncoded == other)
      #expect(Self.read(lower, &workout) == metrics)
    }
    var other = lower
    other[place] = UInt8(ascii: "g")
    #expect(Self.read(other, &workout) == nil)
  }

  @Test func `values out of bounds are left to the ordinary way, which names them`() {
    var metrics = Self.snapshot(1)
    metrics.currentPaceSecPerKm = 300
    metrics.avgPaceSecPerKm = 300
    metrics.currentHR = 150
    metrics.cadence = 170
    metrics.lastSplit = nil
    metrics.state = .running
    metrics.sentAt = WatchTime(nanoseconds: 1 << 60)
    #expect(Self.read(metrics.plainlyEncoded) == metrics)
    for elapsed in [-1, .nan, .infinity, 2e9] {
      metrics.elapsed = elapsed
      #expect(Self.read(metrics.plainlyEncoded) == nil)
      guard case .failure(.wrong(.liveMetrics, key: "elapsed", _, _)) = AppMessage.reading(metrics.plainlyEncoded)
      else {
        Issue.record("\(elapsed)")
        continue
      }
    }
  }
}
