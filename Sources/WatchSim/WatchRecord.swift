package import CoachProtocol
package import Link

/// The app's stored state, beside its session's: all that a restart needs.
package struct WatchRecord: Sendable, Equatable {
  /// The last stamp given; the minimum before the first.
  package var lastSentAt = WatchTime(nanoseconds: .min)
  /// How many splits of the latest workout its snapshots have carried.
  package var splitsCarried = 0
  /// The phone's clock according to its latest hello; nil before the first.
  package var phoneClock: PhoneClockEstimate?
  /// Whether the scenario's planned start has happened, or is void.
  package var isStartUsed = false
  /// Runs that must not start any more.
  package var settled = SettledRuns()
  /// The workouts since the first start, in order; only the last one can be on.
  ///
  /// All that were saved; of the discarded ones the latest, at most ``spentMax``, and all whose end is unannounced.
  package var workouts: [WorkoutLog] = []
  /// Number of voice notes recorded since the first start.
  package var noteCount = 0
  /// Voice notes that the phone does not have, in the order of recording.
  package var notes: [OwedVoiceNote] = []

  /// Limit of discarded workouts; beyond it they are forgotten when the next workout begins.
  package static let spentMax = 64

  package mutating func apply(_ change: WatchChange) {
    switch change {
    case .published(let mark):
      lastSentAt = mark.stamp
      splitsCarried = Int(mark.splitsCarried)
    case .phoneClock(let clock): phoneClock = clock
    case .startUsed: isStartUsed = true
    case .settled(let runId, let number):
      precondition(number == settled.count, "run \(number) is settled after \(settled.count)")
      settled.insert(runId)
    case .forgot(let remaining, _): workouts = remaining
    case .began(let begin):
      workouts.append(WorkoutLog(begin: begin))
      isStartUsed = true
      splitsCarried = 0
    case .stepped(let step): apply(step)
    case .announced(let index): workouts[index.workout].steps[index.step].isAnnounced = true
    case .recorded(let note):
      notes.append(note)
      noteCount = note.number
    case .noted(let note):
      if let index = notes.firstIndex(where: { $0.number == note.number }) { notes[index] = note }
    case .noteSettled(let note): notes.removeAll { $0.note == note }
    }
  }

  private mutating func apply(_ step: WorkoutStep) {
    precondition(!workouts.isEmpty, "a step of no workout")
    workouts[workouts.count - 1].steps.append(step)
  }

  /// The workouts that remain if spent ones are forgotten; nil while there are few of these.
  package var workoutsToRemain: [WorkoutLog]? {
    workouts.count { $0.isSpent } < Self.spentMax ? nil : workouts.filter { !$0.isSpent }
  }

  /// The steps whose events are not queued yet, in order.
  package var unannounced: [StepIndex] {
    workouts.indices.flatMap { workout in
      workouts[workout].steps.indices.filter { !workouts[workout].steps[$0].isAnnounced }
        .map { StepIndex(workout: workout, step: $0) }
    }
  }
}

/// The location of a step in a record.
package struct StepIndex: Sendable, Equatable {
  /// Index of its workout.
  package var workout: Int
  /// Index in the workout's log.
  package var step: Int
}

/// What is stored of each snapshot.
package struct PublishMark: Sendable, Equatable {
  package var stamp: WatchTime
  /// How many splits its workout's snapshots have carried, this one included.
  package var splitsCarried: Int32
  /// The workout's number on this watch, from 1.
  package var workout: Int32
}

/// One durable change of the app's state.
package enum WatchChange: Sendable, Equatable {
  /// A snapshot is about to be published.
  case published(PublishMark)
  /// The phone's hello included its clock.
  case phoneClock(PhoneClockEstimate)
  /// The scenario's planned start will not happen any more.
  case startUsed
  /// A run was declined, cancelled, or has ended; the number counts them from 0.
  case settled(Identifier, number: Int)
  /// Discarded workouts are forgotten; a workout begins in the same transaction.
  case forgot(remaining: [WorkoutLog], lastSentAt: WatchTime)
  /// A workout began, which uses up the planned start.
  case began(WorkoutBegin)
  /// A step of the latest workout; one that ended is settled in the same transaction.
  case stepped(WorkoutStep)
  /// The event of a step is queued.
  case announced(StepIndex)
  indirect case recorded(OwedVoiceNote)
  /// A voice note's transfer state changed.
  indirect case noted(OwedVoiceNote)
  /// The phone has a voice note, or it is no longer wanted.
  case noteSettled(Identifier)
}

/// Encodes a watch's record for a key-value store.
///
/// The list `log` has the workouts' entries in order: began, stepped, announced. It is rewritten when discarded
/// workouts are forgotten. Single values hold what is replaced: `said`, `phoneClock`, `start`, `notes` (how many were
/// recorded), `note.NAME` for each unsent note, and `settled.N` for runs that must not start, with N cycling from 0 so
/// that the store stays bounded. Integers are little-endian; reading accepts only what a watch can have written.
extension WatchChange {
  /// The change as changes of a key-value store.
  package var keyed: [KeyedChange] {
    var bytes = ByteWriter()
    switch self {
    case .published(let mark):
      bytes.append(mark.stamp.nanoseconds)
      bytes.append(mark.splitsCarried)
      bytes.append(mark.workout)
      return [.set(key: WatchBytes.said, bytes.bytes)]
    case .phoneClock(let clock):
      bytes.append(clock.startedAt.nanoseconds)
      return [.set(key: WatchBytes.phoneClock, bytes.bytes)]
    case .startUsed: return [.set(key: WatchBytes.start, [1])]
    case .settled(let runId, let number):
      bytes.append(Int64(number))
      bytes.append(runId)
      return [.set(key: WatchBytes.key(ofSettled: number), bytes.bytes)]
    case .forgot(let remaining, let lastSentAt):
      // The next workout's number, since forgetting lowers the count.
      let mark = PublishMark(
        stamp: lastSentAt, splitsCarried: 0, workout: Int32(truncatingIfNeeded: remaining.count + 1))
      return [.removeAll(list: WatchBytes.log)] + remaining.enumerated().flatMap(Self.entries)
        + Self.published(mark).keyed
    case .began(let begin):
      bytes.append(WatchBytes.Entry.began.rawValue)
      bytes.append(begin.workoutId)
      bytes.append(begin.at.nanoseconds)
      bytes.append(begin.preparing.nanoseconds)
      bytes.append(begin.cause.rawValue)
    case .stepped(let step):
      bytes.append(WatchBytes.Entry.stepped.rawValue)
      bytes.append(step.kind.rawValue)
      bytes.append(step.cause.rawValue)
      bytes.append(step.at.nanoseconds)
      bytes.append(step.sentAt.nanoseconds)
    case .announced(let index):
      bytes.append(WatchBytes.Entry.announced.rawValue)
      bytes.append(UInt32(index.workout))
      bytes.append(UInt32(index.step))
    case .recorded(let note):
      bytes.append(Int64(note.number))
      return [.set(key: WatchBytes.notes, bytes.bytes), .set(key: WatchBytes.key(of: note.note), note.bytes)]
    case .noted(let note): return [.set(key: WatchBytes.key(of: note.note), note.bytes)]
    case .noteSettled(let note): return [.set(key: WatchBytes.key(of: note), nil)]
    }
    return [.append(list: WatchBytes.log, bytes.bytes)]
  }

  /// A workout's log entries, after those of earlier workouts.
  private static func entries(workout: Int, _ log: WorkoutLog) -> [KeyedChange] {
    let announced = log.steps.indices.filter { log.steps[$0].kind.isAnnounced && log.steps[$0].isAnnounced }
    return began(log.begin).keyed + log.steps.flatMap { stepped($0).keyed }
      + announced.flatMap { Self.announced(StepIndex(workout: workout, step: $0)).keyed }
  }
}

extension WatchRecord {
  /// Reads a record.
  ///
  /// - Throws: `.corrupt` for bytes that no watch wrote: which, what was found, and what was expected.
  package init(keyed: KeyedRecord) throws(StoreError) {
    self.init()
    var stage = WorkoutStage()
    for (index, bytes) in (keyed.lists[WatchBytes.log] ?? []).enumerated() {
      apply(try WatchBytes.entry(bytes, "\(WatchBytes.log)[\(index)]", in: self, at: &stage))
    }
    if let bytes = keyed.values[WatchBytes.said] { apply(try WatchBytes.said(bytes, workoutCount: workouts.count)) }
    if let bytes = keyed.values[WatchBytes.phoneClock] {
      var reader = ByteReader(bytes, WatchBytes.phoneClock)
      phoneClock = PhoneClockEstimate(startedAt: PhoneTime(nanoseconds: try reader.integer()))
      try reader.end()
    }
    settled = try WatchBytes.settled(keyed.values)
    if keyed.values[WatchBytes.start] != nil { isStartUsed = true }
    if let bytes = keyed.values[WatchBytes.notes] {
      var reader = ByteReader(bytes, WatchBytes.notes)
      noteCount = Int(try reader.integer(in: 0...Int64(Int32.max)))
      try reader.end()
    }
    for (key, bytes) in keyed.values where key.hasPrefix(WatchBytes.notePrefix) {
      notes.append(try OwedVoiceNote(bytes, key: key, countMax: noteCount))
    }
    notes.sort { ($0.number, $0.note) < ($1.number, $1.note) }
  }
}

/// Key names and decoding of entries.
enum WatchBytes {
  static let log = "log"
  static let said = "said"
  static let phoneClock = "phoneClock"
  static let start = "start"
  static let notes = "notes"
  static let notePrefix = "note."

  /// The first byte of a log entry.
  enum Entry: UInt8, CaseIterable { case began = 1, stepped, announced }

  static func key(of note: Identifier) -> String { notePrefix + note.text }
  static func key(ofSettled number: Int) -> String { "settled.\(number % SettledRuns.countMax)" }

  /// Reads the last snapshot's record; one of an earlier workout does not count for this one's splits.
  static func said(_ bytes: [UInt8], workoutCount: Int) throws(StoreError) -> WatchChange {
    var reader = ByteReader(bytes, said)
    let stamp = WatchTime(nanoseconds: try reader.integer())
    let splits: Int32 = try reader.integer(in: 0...Int32.max)
    let workout: Int32 = try reader.integer(in: 1...Int32.max)
    try reader.end()
    guard workout <= workoutCount else { throw reader.error("workout \(workout)", expected: "one that began") }
    return .published(
      PublishMark(stamp: stamp, splitsCarried: workout == workoutCount ? splits : 0, workout: workout))
  }

  /// Reads the runs that must not start any more.
  static func settled(_ values: [String: [UInt8]]) throws(StoreError) -> SettledRuns {
    var runs: [(number: Int, runId: Identifier)] = []
    for index in 0..<SettledRuns.countMax {
      let key = key(ofSettled: index)
      guard let bytes = values[key] else { continue }
      var reader = ByteReader(bytes, key)
      let number = Int(try reader.integer(in: 0...settledMax))
      let runId = try reader.identifier()
      try reader.end()
      guard number % SettledRuns.countMax == index else {
        throw reader.error("run \(number)", expected: "one that belongs there")
      }
      guard !runs.contains(where: { $0.runId == runId }) else {
        throw reader.error("run \(runId.text) again", expected: "each run once")
      }
      runs.append((number, runId))
    }
    runs.sort { $0.number < $1.number }
    let count = (runs.last?.number ?? -1) + 1
    guard runs.count == min(count, SettledRuns.countMax), count - (runs.first?.number ?? 0) == runs.count else {
      throw StoreError(
        .corrupt,
        "the watch's settled: found \(runs.count) runs up to the one of number \(count - 1), "
          + "expected the latest \(min(count, SettledRuns.countMax))")
    }
    return SettledRuns(runs.map(\.runId), of: count)
  }

  /// Reads a log entry, which must be consistent with the entries before.
  ///
  /// - Parameter stage: The latest workout's stage.
  static func entry(
    _ bytes: [UInt8], _ name: String, in record: WatchRecord, at stage: inout WorkoutStage
  ) throws(StoreError) -> WatchChange {
    var reader = ByteReader(bytes, name)
    let number: UInt8 = try reader.integer()
    guard let entry = Entry(rawValue: number) else {
      throw reader.error("entry \(number)", expected: "1 to \(Entry.allCases.count)")
    }
    let change: WatchChange
    switch entry {
    case .began:
      change = .began(try begin(&reader))
      stage = WorkoutStage()
    case .stepped: change = .stepped(try step(&reader, in: record, at: &stage))
    case .announced: change = .announced(try stepIndex(&reader, in: record))
    }
    try reader.end()
    return change
  }

  private static func begin(_ reader: inout ByteReader) throws(StoreError) -> WorkoutBegin {
    let workoutId = try reader.identifier()
    let at = VirtualTime(nanoseconds: try reader.integer(in: 0...instantMax))
    let preparing = VirtualTime.Span(
      nanoseconds: try reader.integer(in: 0...WorkoutLog.lengthMax.nanoseconds))
    let number: UInt8 = try reader.integer()
    guard let cause = WorkoutCause(rawValue: number) else { throw reader.error("cause \(number)", expected: "a cause") }
    return WorkoutBegin(workoutId: workoutId, at: at, cause: cause, preparing: preparing)
  }

  private static func step(
    _ reader: inout ByteReader, in record: WatchRecord, at stage: inout WorkoutStage
  ) throws(StoreError) -> WorkoutStep {
    let numbers: (kind: UInt8, cause: UInt8) = (try reader.integer(), try reader.integer())
    guard let kind = WorkoutStep.Kind(rawValue: numbers.kind), let cause = WorkoutCause(rawValue: numbers.cause) else {
      throw reader.error("step \(numbers.kind) with cause \(numbers.cause)", expected: "a step and its cause")
    }
    guard let log = record.workouts.last, stage.apply(kind, cause) else {
      throw reader.error(
        "step \(kind) after \(record.workouts.last?.steps.last.map { "\($0.kind)" } ?? "none")",
        expected: "one that can follow")
    }
    let last = log.begin.at.nanoseconds + WorkoutLog.lengthMax.nanoseconds
    let at = VirtualTime(nanoseconds: try reader.integer(in: log.lastInstant.nanoseconds...last))
    return WorkoutStep(kind, at: at, sentAt: WatchTime(nanoseconds: try reader.integer()), cause: cause)
  }

  private static func stepIndex(_ reader: inout ByteReader, in record: WatchRecord) throws(StoreError) -> StepIndex {
    let numbers: (workout: UInt32, step: UInt32) = (try reader.integer(), try reader.integer())
    let index = StepIndex(workout: Int(numbers.workout), step: Int(numbers.step))
    guard index.workout < record.workouts.count, index.step < record.workouts[index.workout].steps.count,
      !record.workouts[index.workout].steps[index.step].isAnnounced
    else {
      throw reader.error(
        "step \(index.step) of workout \(index.workout)", expected: "one whose event is not queued")
    }
    return index
  }

  /// Upper bound of a run's number.
  private static let settledMax: Int64 = 1 << 62

  /// Latest start of a workout: 31 years after the scenario's start.
  private static let instantMax: Int64 = 1_000_000_000_000_000_000
}

/// A workout's stage while its log is read: which steps can follow.
struct WorkoutStage {
  private enum State { case preparing, running, paused, over }

  private var state = State.preparing
  /// Whether a command's pause is on.
  private var isHeld = false

  /// Applies a step; false if it cannot follow.
  mutating func apply(_ kind: WorkoutStep.Kind, _ cause: WorkoutCause) -> Bool {
    switch (state, kind) {
    case (.preparing, .started), (.paused, .resumed):
      state = .running
      isHeld = false
    case (.running, .paused):
      state = .paused
      isHeld = cause != .source
    case (.paused, .held) where !isHeld: isHeld = true
    case (.paused, .released) where isHeld: isHeld = false
    case (.preparing, .discarded), (.running, .ended), (.running, .discarded), (.paused, .ended),
      (.paused, .discarded):
      state = .over
    default: return false
    }
    return true
  }
}

extension OwedVoiceNote {
  /// Encodes number, failures, retry time, the transfer if there is one, and the metadata.
  var bytes: [UInt8] {
    var bytes = ByteWriter()
    bytes.append(Int64(number))
    bytes.append(UInt32(clamping: failures))
    bytes.append(retryAt.nanoseconds)
    bytes.append(UInt8(transfer == nil ? 0 : 1))
    if let transfer { bytes.append(transfer) }
    return bytes.bytes + FileMetadata.voiceNote(metadata).encoded
  }

  /// Decodes a note.
  init(_ bytes: [UInt8], key: String, countMax: Int) throws(StoreError) {
    var reader = ByteReader(bytes, key)
    let number = Int(try reader.integer(in: 1...Int64(max(countMax, 1))))
    let failures: UInt32 = try reader.integer()
    let retryAt = VirtualTime(nanoseconds: try reader.integer(in: 0...Int64.max))
    let flag: UInt8 = try reader.integer(in: 0...1)
    let transfer = flag == 1 ? try reader.identifier() : nil
    let metadata: FileMetadata
    do throws(FileMetadataError) { metadata = try FileMetadata(decoding: reader.rest()) } catch {
      throw reader.error("\(error)", expected: "the metadata of a voice note")
    }
    guard case .voiceNote(let note) = metadata, WatchBytes.key(of: note.noteId) == key else {
      throw reader.error("other metadata", expected: "that of the note it is named after")
    }
    self.init(number: number, metadata: note, transfer: transfer, failures: Int(failures), retryAt: retryAt)
  }
}
