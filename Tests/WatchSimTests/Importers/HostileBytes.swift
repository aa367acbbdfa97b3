import Testing

@testable import WatchSim

/// Bytes that mean harm, and the one check that holds for all of them.
enum HostileBytes {
  /// A small generator of our own (SplitMix64), so that a failing seed fails again.
  struct Noise {
    private var state: UInt64

    init(seed: UInt64) {
      state = seed
    }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  /// Returns `bytes` with 1 to 32 of them changed.
  static func flip(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    var noise = Noise(seed: seed)
    var changed = bytes
    for _ in 0...(noise.next() % 32) {
      changed[Int(noise.next() % UInt64(bytes.count))] ^= UInt8(truncatingIfNeeded: noise.next() | 1)
    }
    return changed
  }

  /// Reads bytes, and checks what holds of whatever comes out; nil when an error did.
  @discardableResult
  static func read(_ bytes: [UInt8], fileName: String) -> RecordedWorkout? {
    let workout: RecordedWorkout
    do {
      workout = try ImporterCatalog.read(bytes, fileName: fileName)
    } catch {
      #expect(error.description.hasPrefix(fileName + ":"))
      #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
      return nil
    }
    let times = workout.samples.compactMap(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(workout.elapsedSeconds.isFinite && workout.timerSeconds >= 0 && workout.distanceMeters >= 0)
    let timeline = workout.makeTimeline()
    #expect((timeline != nil) == workout.isReplayable)
    if let timeline {
      let last = timeline.moment(at: timeline.wallSeconds)
      #expect(last.distanceMillimetres >= timeline.moment(at: 0).distanceMillimetres)
      #expect(last.timerMilliseconds <= Int64(timeline.wallSeconds) * 1_000)
    } else {
      #expect(workout.findings.contains { $0.hasPrefix("not replayable") })
    }
    return workout
  }
}

/// Real files, cut and damaged.
@Suite(.disabled(if: RealTraces.areMissing, "no recorded files: set WRISTWIRE_REAL_TRACES"))
struct HostileFilesTests {
  @Test(arguments: RealTraces.names)
  func `a real file cut anywhere ends in a workout or an error`(name: String) throws {
    let bytes = try RealTraces.bytes(name)
    var noise = HostileBytes.Noise(seed: UInt64(bytes.count))
    let lengths = [0, 1, 11, 12, 13, 14, 15, 40] + (0..<3).map { _ in Int(noise.next() % UInt64(bytes.count)) }
    for length in lengths { HostileBytes.read(Array(bytes.prefix(length)), fileName: name) }
  }

  @Test(arguments: RealTraces.names, [UInt64](0..<2))
  func `a real file with flipped bytes ends in a workout or an error`(name: String, seed: UInt64) throws {
    HostileBytes.read(HostileBytes.flip(try RealTraces.bytes(name), seed: seed), fileName: name)
  }
}
