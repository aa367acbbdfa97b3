import Console
package import Link

/// The screens History and Trends: the runs that the phone has in its store, and their distance by week.
package struct RunHistoryScreen {
  /// A run of the list.
  package struct Row {
    package let workout: Identifier
    /// When it began, in seconds since 1970 by the phone's clock.
    package var begin: Double
    /// Metres; nil while the row is a stub, without figures of the health store.
    package var distance: Double?
    /// Seconds; nil likewise.
    package var duration: Double?
    package var averagePace: Double?
    package var splits: Int64?
    /// Points of its route.
    package var route: Int64?
    package var heartRates: Int64?
    /// Whether the watch has saved it.
    package var isFinished = false
    package var discipline: String
  }

  package private(set) var rows: [Row] = []
  /// Seconds since 1970 at the run's start.
  private var startedAt = 0.0

  private static let rowsMax = 500

  mutating func setUp(_ header: TraceHeader) { startedAt = Double(header.unixStart ?? 0) / 1e9 }

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .runOpened(let opened): add(opened.workoutId, at: event.time)
    case .runFinished(let finished): change(finished.workoutId) { $0.isFinished = true }
    case .snapshotFresh(let snapshot):
      // Figures of the watch, until the health store has its own.
      change(snapshot.metrics.workoutId) { row in
        guard !row.isFinished else { return }
        (row.distance, row.duration) = (snapshot.metrics.distance, snapshot.metrics.elapsed)
        row.averagePace = snapshot.metrics.avgPaceSecPerKm
      }
    case .trainingStored(let stored):
      add(stored.workoutId, at: event.time)
      change(stored.workoutId) { row in
        row.discipline = stored.discipline
        row.distance = Double(stored.distance) / 1_000
        row.duration = Double(stored.duration) / 1_000
        row.averagePace = stored.distance > 0 ? Double(stored.duration) / Double(stored.distance) * 1_000 : nil
        if let began = stored.startedAt { row.begin = Double(began) / 1e9 }
      }
    default:
      if event.name == HealthTruth.name {
        readHealth(event)
      } else if event.name == StoreWiped.name {
        rows.removeAll()
      }
    }
  }

  private mutating func readHealth(_ event: TraceEvent) {
    guard let run = event.identifier("aarcRunId") else { return }
    add(run, at: event.time)
    change(run) { row in
      row.distance = event["distance"]?.double
      row.duration = event["duration"]?.double
      row.averagePace = event["avgPace"]?.double
      row.splits = event["splits"]?.integer
      row.route = event["route"]?.integer
      row.heartRates = event["heartRates"]?.integer
      row.isFinished = true
    }
  }

  private mutating func add(_ workout: Identifier, at time: VirtualTime) {
    guard rows.count < Self.rowsMax, !rows.contains(where: { $0.workout == workout }) else { return }
    rows.append(Row(workout: workout, begin: startedAt + Double(time.nanoseconds) / 1e9, discipline: "running"))
  }

  private mutating func change(_ workout: Identifier, _ change: (inout Row) -> Void) {
    guard let index = rows.lastIndex(where: { $0.workout == workout }) else { return }
    change(&rows[index])
  }
}
