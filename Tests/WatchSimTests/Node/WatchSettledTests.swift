import CoachProtocol
import Foundation
import Link
import LinkStore
import Testing

@testable import WatchSim

/// Which runs must not begin any more, as the store keeps it.
@Suite struct `Watch, settled runs` {
  static func run(_ number: Int) -> Identifier { Identifier(high: 9, low: UInt64(number)) }

  /// What a watch keeps that is asked for ever more runs, declines each of them or hears that it is taken back, and has
  /// one of its own in between.
  static func asked(_ count: Int) -> (rig: WatchRig, last: StartWorkout) {
    var pair = WatchWithPhone(WatchRig(evenRunner(40), startsAt: .at(20)))
    pair.drive(through: .at(1))
    var last = StartWorkout(
      runId: run(0), runType: .outdoor, personality: "roast_coach", mode: .race, sentAt: PhoneTime(nanoseconds: 0))
    for number in 0..<count {
      last.runId = run(number)
      last.sentAt = PhoneTime(nanoseconds: pair.phoneClock - 40_000_000_000)
      pair.send(number % 3 == 0 ? .cancelStart(CancelStart(runId: run(number))) : .startWorkout(last))
      pair.drive(through: pair.now + .milliseconds(500))
      guard number % 50 == 49 else { continue }
      pair.restartWatch()
      pair.drive(through: pair.now + .milliseconds(500))
    }
    return (pair.watch, last)
  }

  @Test func `a phone that asks for ever more runs does not have the store grow`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let rig = Self.asked(300).rig
    #expect(rig.lines("health.saved").count == 1)
    var log = 0
    let (memory, keyed) = try rig.kept(in: folder) { memory, keyed, changes in
      for change in changes {
        switch change {
        case .began, .stepped, .announced: log += 1
        default: break
        }
      }
      let read = try WatchRecord(keyed: keyed)
      #expect(read.settled == memory.settled)
    }
    // The runs that were asked for, and its own, which is among the first.
    #expect(memory.settled.count == 301 && memory.settled.runs == (236..<300).map(Self.run))
    #expect(log > 3 && keyed.lists["log"]?.count == log)
    #expect(keyed.values.keys.count { $0.hasPrefix("settled.") } == SettledRuns.countMax)
  }

  @Test func `a copy of a start that was declined begins nothing after a restart`() throws {
    var (rig, start) = Self.asked(80)
    rig.kill()
    rig.start(at: .at(100))
    let known = try #require(rig.node)
    // Said again, and young enough; the watch's own run is one of the 64, so 63 of these are remembered.
    start.sentAt = PhoneTime(nanoseconds: WatchRig.startedAt + 100_000_000_000)
    for (number, word) in [
      (16, "start.accepted"), (17, "start.declined"), (79, "start.declined"), (80, "start.accepted"),
    ] {
      start.runId = Self.run(number)
      var (node, turn) = (known, Turn(at: .at(100), isRecording: true))
      node.obey(.startWorkout(start), in: &turn)
      let words = turn.items.compactMap { if case .event(let event) = $0 { event.name.text } else { nil } }
      #expect(words.filter { $0.hasPrefix("start.") } == [word], "\(number)")
    }
  }

  typealias Slots = [(slot: Int, number: Int64, run: Int)]

  @Test(
    arguments: [
      ([(1, 0, 1)], "settled.1: found run 0, expected one that belongs there"),
      ([(0, 0, 1), (1, 1, 1)], "settled.1: found run \(run(1).text) again, expected each run once"),
      ([(1, 1, 1)], "settled: found 1 runs up to the one of number 1, expected the latest 2"),
      (
        [(0, 0, 1), (1, 1, 2), (0, 128, 3)], "settled: found 2 runs up to the one of number 128, expected the latest 64"
      ),
      ([(0, -1, 1)], "settled.0: found -1 at byte 0, expected 0 to 4611686018427387904"),
    ] as [(Slots, String)])
  func `what no watch wrote is refused with its place`(slots: Slots, why: String) {
    var keyed = KeyedRecord()
    for (slot, number, run) in slots {
      let runId = Self.run(run)
      let integers = [UInt64(bitPattern: number), runId.high, runId.low]
      keyed.values["settled.\(slot)"] = integers.flatMap { integer in
        (0..<8).map { UInt8(truncatingIfNeeded: integer >> ($0 * 8)) }
      }
    }
    #expect(throws: StoreError(.corrupt, "the watch's \(why)")) { try WatchRecord(keyed: keyed) }
  }
}
