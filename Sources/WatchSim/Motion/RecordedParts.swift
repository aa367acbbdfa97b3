package import CoachProtocol

/// The lengths or laps that a device counted during a recorded swim or ride.
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

  /// A split for each complete part of a pool swim or ride, and an interval for each stretch of a swim between two rests
  /// that has begun.
  ///
  /// - Parameters:
  ///   - distance: Of the workout so far, in millimetres.
  ///   - isOver: Whether the recording is at its end, where every lap is complete.
  ///   - heartRate: The heart rate when a distance was reached; 0 without a reading.
  func units(
    of discipline: TrainingDiscipline, at distance: Int64, isOver: Bool, heartRate: (Int64) -> UInt8
  ) -> [SessionUnit] {
    let complete = count(at: distance, isOver: isOver)
    var units: [SessionUnit] = []
    if kind == .lengths || discipline == .riding {
      var reached = lead
      for part in parts[..<complete] {
        reached += part.millimetres
        units.append(
          SessionUnit(
            .split,
            [
              part.millimetres, part.milliseconds, part.strokes, Int64(heartRate(reached)), 0,
              discipline == .swimming ? part.stroke.rawValue : 0,
            ]))
      }
    }
    return discipline == .swimming ? units + intervals(complete) : units
  }

  private func intervals(_ complete: Int) -> [SessionUnit] {
    var units: [SessionUnit] = []
    var first = 0
    while first < complete {
      let end = parts[first...].firstIndex { $0.rest != nil }.map { $0 + 1 } ?? parts.count
      let own = parts[first..<min(end, complete)]
      units.append(
        SessionUnit(
          .interval,
          [
            0, 0, end <= complete && end < parts.count ? parts[end - 1].rest ?? 0 : 0,
            own.reduce(0) { $0 + $1.millimetres }, own.reduce(0) { $0 + $1.milliseconds },
            own.reduce(0) { $0 + $1.strokes }, end <= complete ? 1 : 0,
          ]))
      first = end
    }
    return units
  }
}

extension RecordedParts {
  /// The parts that a session's report names; nil if it names none.
  package init?(_ units: [SessionUnit], of discipline: TrainingDiscipline) {
    let splits = units.filter { $0.kind == .split }
    var parts = splits.map { split in
      Part(
        millimetres: split["distance"], milliseconds: split["duration"], strokes: split["strokes"],
        stroke: SwimStroke(rawValue: split["stroke"]) ?? .unknown)
    }
    guard discipline == .swimming else {
      guard discipline == .riding else { return nil }
      self.init(.laps, parts)
      return
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
