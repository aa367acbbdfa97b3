import CoachProtocol
import Foundation
import Link
import LinkStore
import Testing
@testable import WatchSim

/// What a watch keeps, as bytes under names.
@Suite struct `Watch record as bytes` {
  /// Every change of a run with pauses of both kinds, kills, and two workouts.
  static func changes() throws -> [[WatchChange]] {
    var rig = WatchRig(try recording(seconds: 60, metresPerSecond: 25, pausedAt: 20..<32))
    rig.order("pause", at: .at(25.2))
    rig.order("resume", at: .at(27.9))
    rig.order("pause", at: .at(30))
    rig.kill()
    rig.start(at: .at(35), [.clock(offset: -5_000_000_000, driftPPM: 20)])
    rig.order("resume", at: .at(40))
    rig.drive(through: .at(120))
    rig.give(.condition(.clock(offset: 3, driftPPM: 0)), at: .at(121))
    return rig.commits.map(\.app) + extra
  }

  /// What this run does not do.
  static let extra: [[WatchChange]] = {
    let run = Identifier(high: 7, low: 8)
    var note = OwedVoiceNote(
      number: 1,
      metadata: VoiceNoteMetadata(
        noteId: Identifier(high: 1, low: 2), runId: run, recordedAt: WatchTime(nanoseconds: 5), seconds: 12.5,
        says: "how am I doing?"))
    var failed = note
    failed.fail(at: .at(40))
    note.transfer = Identifier(high: 3, low: 4)
    var second = failed
    second.number = 2
    second.metadata.noteId = Identifier(high: 0, low: 2)
    second.metadata.says = nil
    second.metadata.transcription = .failed
    let begin = WorkoutBegin(workoutId: run, at: .at(130), cause: .command, preparing: .zero)
    return [
      [.settled(Identifier(high: 5, low: 6), number: 1)],
      [.phoneClock(PhoneClockEstimate(startedAt: PhoneTime(nanoseconds: -90)))],
      [.startUsed], [.began(begin)],
      [.recorded(note)], [.recorded(second)], [.noted(failed)],
      [.published(PublishMark(stamp: WatchTime(nanoseconds: .max), splitsCarried: 3, workout: 2))],
      [
        .stepped(WorkoutStep(.discarded, at: .at(131), sentAt: WatchTime(nanoseconds: .min), cause: .duration)),
        .settled(run, number: 2),
      ],
      [.announced(StepIndex(workout: 1, step: 0))], [.noteSettled(note.note)],
    ]
  }()

  @Test func `say after every commit what the record in memory says`() throws {
    var memory = WatchRecord()
    var keyed = KeyedRecord()
    let changes = try Self.changes()
    #expect(changes.count > 60)
    for commit in changes {
      for change in commit {
        memory.apply(change)
        for part in change.keyed { keyed.apply(part) }
      }
      #expect(try WatchRecord(keyed: keyed) == memory, "\(commit)")
    }
    // The last one is empty of nothing: every part of the record was exercised.
    #expect(memory.notes.count == 1 && memory.noteCount == 2 && memory.settled.runs.count == 3)
    #expect(memory.phoneClock != nil && memory.isStartUsed && memory.splitsCarried == 3)
  }

  @Test func `lie on a real disk as they lie in memory`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var memory = MemoryWatchStore()
    var starts = 0
    for commits in try Self.changes().chunked(by: 17) {
      // Each stretch by an opening of its own, as after a crash.
      var disk = KeyedWatchStore(try DeviceStore<KeyedTables>(folder: folder))
      #expect(try disk.begin().app == memory.begin().app)
      starts += 1
      for commit in commits {
        try disk.commit([], commit)
        memory.commit([], commit)
      }
    }
    #expect(starts > 3)
    var disk = KeyedWatchStore(try DeviceStore<KeyedTables>(folder: folder))
    let (onDisk, inMemory) = (try disk.begin(), memory.begin())
    #expect(onDisk.app == inMemory.app && onDisk.session == inMemory.session)
  }

  @Test func `whatever they are, are refused with place and reason or make a watch that can begin`() throws {
    var keyed = KeyedRecord()
    for change in try Self.changes().joined() { for part in change.keyed { keyed.apply(part) } }
    let random = RandomStream(seed: 3, name: "hostile")
    var refused = 0
    for number in 0..<3_000 as Range<UInt64> {
      var bent = keyed
      let log = bent.lists["log"] ?? []
      let place = Int(random.number(below: UInt64(log.count + 5), for: number))
      if place < log.count {
        bent.lists["log"]?[place] = bend(log[place], random, number)
      } else {
        let keys = ["said", "phoneClock", "notes", "settled.1", "note.00000000-0000-0000-0000-000000000002"]
        let key = keys[place - log.count]
        bent.values[key] = bent.values[key].map { bend($0, random, number) } ?? [1]
      }
      do {
        let record = try WatchRecord(keyed: bent)
        // What is believed is replayed, and must not stop or stall the watch.
        let source = try recording(seconds: 60, metresPerSecond: 25, pausedAt: 20..<32)
        let span = record.workouts.map { ($0.lastInstant - $0.begin.at).nanoseconds }.max() ?? 0
        guard span < 1_000_000_000_000 else { continue }
        var rig = WatchRig(source)
        for change in record.workouts.flatMap({ log in
          [.began(log.begin)] + log.steps.map { .stepped($0) } as [WatchChange]
        }) { rig.store.commit([], [change]) }
        rig.start(at: .at(200))
        rig.drive(through: .at(210))
      } catch let error as StoreError {
        refused += 1
        #expect(error.cause == .corrupt)
        #expect(error.text.contains("found") && error.text.contains("expected"), "\(error)")
      }
    }
    #expect(refused > 500)
  }

  private func bend(_ bytes: [UInt8], _ random: RandomStream, _ number: UInt64) -> [UInt8] {
    var bytes = bytes
    switch random.number(below: 4, for: number, draw: 1) {
    case 0: bytes.removeLast(Int(random.number(below: UInt64(bytes.count), for: number, draw: 2)) + 1)
    case 1: bytes.append(UInt8(truncatingIfNeeded: random.bits(for: number, draw: 2)))
    default:
      let place = Int(random.number(below: UInt64(bytes.count), for: number, draw: 2))
      bytes[place] = UInt8(truncatingIfNeeded: random.bits(for: number, draw: 3))
    }
    return bytes
  }

  @Test func `name the entry that cannot follow`() throws {
    var keyed = KeyedRecord()
    let begin = WorkoutBegin(
      workoutId: Identifier(high: 1, low: 1), at: .at(1), cause: .scenario, preparing: .seconds(3))
    let changes: [WatchChange] = [
      .began(begin), .stepped(WorkoutStep(.started, at: .at(4), sentAt: WatchTime(nanoseconds: 1), cause: .scenario)),
      .stepped(WorkoutStep(.resumed, at: .at(5), sentAt: WatchTime(nanoseconds: 2), cause: .scenario)),
    ]
    for change in changes { for part in change.keyed { keyed.apply(part) } }
    #expect(
      throws: StoreError(
        .corrupt, "the watch's log[2]: found step resumed after started, expected one that can follow")
    ) { try WatchRecord(keyed: keyed) }
  }
}

extension Array {
  /// The elements in runs of so many.
  func chunked(by count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
  }
}
