import CoachProtocol

// Pool swims: the watch writes a lap event for each length, and records of the strokes beside them.

/// The lengths of a swim in a health export.
enum HealthPool {
  /// One length for each lap event that has a duration; empty outside a pool.
  ///
  /// - Parameter strokes: Records of counted strokes, of one source; one counts for the length that its middle is in.
  static func lengths(of workout: HealthExportWorkout, strokes: [HealthRecord]) -> [RecordedWorkout.Length] {
    guard workout.poolLength != nil else { return [] }
    let laps = workout.lapEvents.filter { ($0.duration ?? 0) > 0 }
    let counted = strokes.sorted { $0.from + $0.to < $1.from + $1.to }
    var next = 0
    return laps.map { lap in
      let end = lap.date + (lap.duration ?? 0)
      var sum: Double?
      while next < counted.count, (counted[next].from + counted[next].to) / 2 < end {
        let record = counted[next]
        next += 1
        guard (record.from + record.to) / 2 >= lap.date,
          let count = HealthUnits.value(record.value, unit: record.unit ?? "count", .count), (0...10_000) ~= count
        else { continue }
        sum = min((sum ?? 0) + count, 10_000)
      }
      return RecordedWorkout.Length(
        start: lap.date, elapsed: lap.duration, isActive: true, strokes: sum.map { Int($0.rounded()) },
        stroke: lap.stroke)
    }
  }

  /// The length of a pool: `25 m`.
  static func poolLength(_ text: String) -> Double? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2 else { return nil }
    return HealthUnits.value(String(words[0]), unit: String(words[1]), .length)
  }

  /// A stroke by HealthKit's number; nil for an unknown one.
  static func stroke(_ number: String) -> SwimStroke? {
    switch number {
    case "1": .mixed
    case "2": .freestyle
    case "3": .backstroke
    case "4": .breaststroke
    case "5": .butterfly
    // A kickboard.
    case "6": .drill
    default: nil
    }
  }
}
