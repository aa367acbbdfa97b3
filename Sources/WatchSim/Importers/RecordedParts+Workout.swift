import CoachProtocol

// Lengths and laps of a recorded workout, as the watch reports them.

extension RecordedParts {
  /// From this many seconds between two lengths on, the swimmer rested.
  ///
  /// Devices write starts in whole seconds and durations in thousandths, so lengths that follow one another are up to a
  /// second apart.
  private static let restSecondsMin = 3.0

  /// Nil for a sport that is no discipline, and for a session without lengths and with less than two laps.
  ///
  /// - Parameters:
  ///   - start: Unix seconds of second 0.
  ///   - distance: Millimetres at a second since the start; of a lap whose distance the device did not write.
  init?(_ workout: RecordedWorkout, start: Double, distance: (Int) -> Int64) {
    guard let discipline = workout.sport.flatMap({ TrainingDiscipline(sport: $0) }) else { return nil }
    if discipline == .swimming, let pool = workout.poolLength, workout.lengths.contains(where: \.isActive) {
      self.init(.lengths, Self.lengths(workout.lengths, millimetres: Self.thousandths(pool)))
      return
    }
    if discipline == .swimming, let lengths = RecordedParts(.lengths, Self.walls(workout.samples)) {
      self = lengths
      return
    }
    let laps = Self.laps(workout.laps, start: start, distance)
    guard laps.count > 1 else { return nil }
    self.init(.laps, laps)
  }

  private static func lengths(_ lengths: [RecordedWorkout.Length], millimetres: Int64) -> [Part] {
    var parts: [Part] = []
    var end: Double?
    var rested = 0.0
    var hasRested = false
    for length in lengths.prefix(countMax * 2) {
      guard length.isActive else {
        hasRested = true
        rested += length.elapsed ?? 0
        continue
      }
      if !parts.isEmpty {
        let gap = end.flatMap { end in length.start.map { $0 - end } }
        if hasRested || gap.map({ $0 >= restSecondsMin }) == true {
          parts[parts.count - 1].rest = thousandths(gap ?? rested)
        }
      }
      parts.append(
        Part(
          millimetres: millimetres, milliseconds: thousandths(length.elapsed ?? 0),
          strokes: Int64(length.strokes ?? 0), stroke: length.stroke ?? .unknown))
      end = length.start.map { $0 + (length.elapsed ?? 0) }
      (rested, hasRested) = (0, false)
    }
    return parts
  }

  /// The lengths of a swim with a sample at each wall and nowhere else, as pool swims in TCX; empty for any other.
  private static func walls(_ samples: [RecordedWorkout.Sample]) -> [Part] {
    var parts: [Part] = []
    var last: (time: Double, distance: Double)?
    for sample in samples {
      guard let time = sample.time, let distance = sample.distance else { continue }
      defer { last = (time, distance) }
      guard let last, distance > last.distance else { continue }
      let way = thousandths(distance - last.distance)
      guard (parts.first?.millimetres ?? way) == way, lengthMillimetres.contains(way), parts.count < countMax else {
        return []
      }
      parts.append(Part(millimetres: way, milliseconds: thousandths(time - last.time)))
    }
    return parts.count > 1 ? parts : []
  }

  /// Millimetres of a length.
  private static let lengthMillimetres: ClosedRange<Int64> = 10_000...100_000

  private static func laps(
    _ laps: [RecordedWorkout.Lap], start: Double, _ distance: (Int) -> Int64
  ) -> [Part] {
    var parts: [Part] = []
    var end: Double?
    for lap in laps.prefix(countMax) {
      guard let duration = lap.timer ?? lap.elapsed else { continue }
      let begin = lap.start
      let over = begin.map { $0 + (lap.elapsed ?? duration) }
      let way: Int64
      if let stated = lap.distance {
        way = thousandths(stated)
      } else if let begin, let over {
        way = max(0, distance(second(over - start)) - distance(second(begin - start)))
      } else {
        continue
      }
      // A rest that the device wrote as a lap.
      guard way > 0 else { continue }
      if let end, let begin, !parts.isEmpty { parts[parts.count - 1].rest = thousandths(max(0, begin - end)) }
      // Every lap is an interval of its own.
      parts.append(Part(millimetres: way, milliseconds: thousandths(duration), rest: 0))
      end = over
    }
    return parts
  }

  private static func second(_ seconds: Double) -> Int { Int(min(max(seconds, 0), 1e9).rounded()) }

  /// A file's number of seconds or metres in thousandths; what no file means is 0.
  private static func thousandths(_ value: Double) -> Int64 {
    value.isFinite ? Int64((min(max(value, 0), 1e9) * 1_000).rounded()) : 0
  }
}
