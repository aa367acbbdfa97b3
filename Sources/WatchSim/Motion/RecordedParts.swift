package import CoachProtocol

/// The lengths or laps that a device counted during a recorded session.
///
/// A part is complete when the workout's distance has reached its end, so that parts and distance agree at every
/// instant, wherever the workout ends.
package struct RecordedParts: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// Lengths of one pool, all equally long.
    case lengths
    case laps
  }

  /// One length or lap.
  package struct Part: Sendable, Equatable {
    package var millimetres: Int64
    /// Of the timer.
    package var milliseconds: Int64
    /// Arm strokes; 0 if not counted.
    package var strokes: Int64 = 0
    package var stroke = SwimStroke.unknown
    /// Milliseconds of the rest after it; nil if the next one belongs to the same interval.
    package var rest: Int64?
  }

  package let kind: Kind
  /// In order; not empty.
  package let parts: [Part]
  /// Millimetres before the first part.
  private let lead: Int64

  /// Limit of parts; later ones are left out.
  static let countMax = 20_000

  /// Nil without parts, and for lengths that differ.
  package init?(_ kind: Kind, _ parts: [Part]) { self.init(kind, parts, lead: 0) }

  private init?(_ kind: Kind, _ parts: [Part], lead: Int64) {
    let bounded = parts.prefix(Self.countMax).map { part in
      var part = part
      part.millimetres = min(max(part.millimetres, 0), SessionUnit.millimetresMax)
      part.milliseconds = min(max(part.milliseconds, 0), SessionUnit.millisecondsMax)
      part.strokes = min(max(part.strokes, 0), 10_000)
      part.rest = part.rest.map { min(max($0, 0), SessionUnit.millisecondsMax) }
      return part
    }
    guard let first = bounded.first else { return nil }
    if kind == .lengths {
      guard first.millimetres > 0, bounded.allSatisfy({ $0.millimetres == first.millimetres }) else { return nil }
    }
    self.kind = kind
    self.parts = bounded
    self.lead = lead
  }

  /// Whether the parts may be those of a workout of this many millimetres: lengths leave less than one of them.
  func addsUp(to distance: Int64) -> Bool {
    guard kind == .lengths else { return true }
    return Self.published(distance) - Int64(parts.count) * parts[0].millimetres < parts[0].millimetres
  }

  /// The parts of a stretch of the workout, from one distance to another in millimetres; nil if it has none.
  func cut(from begin: Int64, to end: Int64) -> RecordedParts? {
    switch kind {
    case .lengths:
      // A length that the stretch begins with in the middle counts with the one that it ends with.
      let last = count(at: end, isOver: false)
      let kept = min(last, Int(Self.published(end - begin) / parts[0].millimetres))
      return RecordedParts(kind, Array(parts[(last - kept)..<last]))
    case .laps:
      var from = lead
      for (index, part) in parts.enumerated() {
        if from >= begin { return RecordedParts(kind, Array(parts[index...]), lead: from - begin) }
        from += part.millimetres
      }
      return nil
    }
  }

  /// The distance as snapshots and reports have it.
  private static func published(_ millimetres: Int64) -> Int64 { (millimetres + 5) / 10 * 10 }

  /// How many parts are complete.
  private func count(at distance: Int64, isOver: Bool) -> Int {
    if kind == .laps, isOver { return parts.count }
    let reached = Self.published(distance)
    var sum = lead
    return parts.firstIndex { part in
      sum += part.millimetres
      return sum > reached
    } ?? parts.count
  }

  /// What the sensors read over a stretch; 0 without a reading.
  struct Readings: Sendable, Equatable {
    /// Mean of the stretch, in beats per minute.
    var heartRate: Int64 = 0
    /// At its end.
    var heartRateAtEnd: Int64 = 0
    /// Mean of the stretch, per minute.
    var cadence: Int64 = 0
  }

  /// A split for each complete length, and an interval for each lap, or stretch between two rests, that has begun.
  ///
  /// - Parameters:
  ///   - distance: Of the workout so far, in millimetres.
  ///   - isOver: Whether the recording is at its end, where every lap is complete.
  ///   - readings: Of a stretch from one distance to another.
  func units(at distance: Int64, isOver: Bool, readings: (Range<Int64>) -> Readings) -> [SessionUnit] {
    let complete = count(at: distance, isOver: isOver)
    var units: [SessionUnit] = []
    if kind == .lengths {
      var reached = lead
      for part in parts[..<complete] {
        let read = readings(reached..<reached + part.millimetres)
        reached += part.millimetres
        units.append(
          SessionUnit(
            .split,
            [part.millimetres, part.milliseconds, part.strokes, read.heartRateAtEnd, 0, part.stroke.rawValue]))
      }
    }
    return units + intervals(complete, readings)
  }

  private func intervals(_ complete: Int, _ readings: (Range<Int64>) -> Readings) -> [SessionUnit] {
    var units: [SessionUnit] = []
    var first = 0
    var reached = lead
    while first < complete {
      let end = parts[first...].firstIndex { $0.rest != nil }.map { $0 + 1 } ?? parts.count
      let own = parts[first..<min(end, complete)]
      let way = own.reduce(0) { $0 + $1.millimetres }
      let read = readings(reached..<reached + way)
      reached += way
      units.append(
        SessionUnit(
          .interval,
          [
            0, 0, end <= complete && end < parts.count ? parts[end - 1].rest ?? 0 : 0, way,
            own.reduce(0) { $0 + $1.milliseconds }, own.reduce(0) { $0 + $1.strokes }, end <= complete ? 1 : 0,
            read.heartRate, read.cadence,
          ]))
      first = end
    }
    return units
  }
}

extension RecordedParts {
  /// The parts that a session's report names; nil if it names none.
  package init?(_ units: [SessionUnit], of discipline: TrainingDiscipline) {
    // The splits of a run are its kilometres.
    let splits = discipline == .swimming ? units.filter { $0.kind == .split } : []
    var parts = splits.map { split in
      Part(
        millimetres: split["distance"], milliseconds: split["duration"], strokes: split["strokes"],
        stroke: SwimStroke(rawValue: split["stroke"]) ?? .unknown)
    }
    let intervals = units.filter { $0.kind == .interval }
    guard !parts.isEmpty else {
      self.init(
        .laps,
        intervals.map {
          Part(
            millimetres: $0["distance"], milliseconds: $0["duration"], strokes: $0["strokes"], rest: $0["rest"])
        })
      return
    }
    var next = 0
    for interval in intervals {
      var way = interval["distance"]
      while next < parts.count, way > 0 {
        way -= parts[next].millimetres
        next += 1
      }
      if next > 0 { parts[next - 1].rest = interval["rest"] }
    }
    self.init(.lengths, parts)
  }
}
