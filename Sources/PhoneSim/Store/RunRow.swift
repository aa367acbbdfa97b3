package import CoachProtocol
package import Link

/// A run known to the phone: a row of the companion store's `Run`.
///
/// Times are by the watch's clock, or by the phone's clock for a run that the phone tracked itself.
package struct RunRow: Sendable, Equatable {
  /// The workout's id.
  package var id: Identifier
  /// When it started; until that is known, the time of the first update.
  package var startedAt: WatchTime
  /// Time of the update that ended it; nil while it is on.
  package var endedAt: WatchTime?
  package var runType: RunType
  package var mode: RunMode
  package var personality: String
  /// The workout's id in the health store; nil until it is finished.
  package var healthKitWorkoutUUID: Identifier?
  /// The athlete's notes about it, if any.
  package var userNotes: String?
  /// Perceived effort from 1 to 10; nil if not given.
  package var perceivedEffort: Int?
  /// The athlete's label, such as "Long run", if any.
  package var label: String?
  /// The coach's summary; nil until there is one.
  package var summaryText: String?
  /// The figures of the list of runs; nil until the health store was read (the row is a stub).
  package var cached: CachedTruth?
  /// Whether the phone tracked it itself; then the watch saved no workout of it.
  package var isTrackedHere = false
}

extension RunRow: StoredRow, PhoneRow {
  static let table = StoredTable(
    "Run",
    blank: RunRow(id: .blank, startedAt: WatchTime(nanoseconds: 0), runType: .outdoor, mode: .free, personality: ""),
    [
      StoredColumn("id", \.id), StoredColumn("startedAt", \.startedAt), StoredColumn("endedAt", \.endedAt),
      StoredColumn("runType", \.runType), StoredColumn("mode", \.mode), StoredColumn("personality", \.personality),
      StoredColumn("healthKitWorkoutUUID", \.healthKitWorkoutUUID, isIndexed: true),
      StoredColumn("userNotes", \.userNotes), StoredColumn("perceivedEffort", \.perceivedEffort, .between(1, 10)),
      StoredColumn("label", \.label), StoredColumn("summaryText", \.summaryText),
      StoredColumn("cachedDistanceMeters", \.cachedDistance, in: 0...Trail.distanceMax),
      StoredColumn("cachedDurationSeconds", \.cachedDuration, in: 0...Trail.distanceMax),
      StoredColumn("cachedAvgPaceSecPerKm", \.cachedPace, in: 0...Trail.distanceMax),
      StoredColumn("isTrackedHere", \.isTrackedHere),
    ])
  static var inRecord: Place { \.runs }
  var rowKey: Identifier { id }

  private var cachedDistance: Double? {
    get { cached?.distanceMeters }
    set { cached = newValue.map { CachedTruth(distanceMeters: $0, durationSeconds: 0) } }
  }

  private var cachedDuration: Double? {
    get { cached?.durationSeconds }
    set { if let newValue { cached?.durationSeconds = newValue } else { cached = nil } }
  }

  private var cachedPace: Double? {
    get { cached?.avgPaceSecPerKm }
    set { cached?.avgPaceSecPerKm = newValue }
  }

  /// Sets the given remarks; the others stay.
  mutating func apply(_ remarks: RunRemarks) {
    label = remarks.label ?? label
    userNotes = remarks.userNotes ?? userNotes
    perceivedEffort = remarks.perceivedEffort ?? perceivedEffort
  }

  /// Keeps the athlete's own remarks of the replaced row.
  mutating func inheritRemarks(of old: RunRow) {
    label = label ?? old.label
    userNotes = userNotes ?? old.userNotes
    perceivedEffort = perceivedEffort ?? old.perceivedEffort
  }
}

/// Three figures of a workout, stored so that the list of runs need not wait for the health store.
package struct CachedTruth: Sendable, Equatable {
  /// Metres.
  package var distanceMeters: Double
  /// Seconds without pauses.
  package var durationSeconds: Double
  /// Seconds per kilometre, two decimals; nil under a metre.
  package var avgPaceSecPerKm: Double?
}

extension CachedTruth {
  package init(_ workout: HealthWorkout) {
    distanceMeters = workout.distance
    durationSeconds = workout.duration
    avgPaceSecPerKm =
      workout.distance >= 1 ? (workout.duration / workout.distance * 100_000).rounded() / 100 : nil
  }
}

/// The athlete's remarks about a run.
package struct RunRemarks: Sendable, Equatable {
  /// The run's label; written when the run opens.
  package var label: String?
  /// Nil for none.
  package var userNotes: String?
  /// From 1 to 10; nil if not given.
  package var perceivedEffort: Int?

  package init(label: String? = nil, userNotes: String? = nil, perceivedEffort: Int? = nil) {
    self.label = label
    self.userNotes = userNotes
    self.perceivedEffort = perceivedEffort
  }
}
