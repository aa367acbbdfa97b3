import CoachProtocol
import Link

/// The rows of a session, made of the watch's report.
///
/// The session has the workout's identifier, and its parts have identifiers that depend on it and their place, so that
/// the same report always makes the same rows.
struct SessionRows {
  private let report: SessionReport
  private let units: [SessionUnit]
  private let id: Identifier
  private let plan: [TrainingRow]
  private(set) var rows: [TrainingRow] = []

  /// - Parameters:
  ///   - report: The last part, whose units do not count.
  ///   - units: The units of all parts.
  ///   - id: The session's identifier.
  ///   - horse: The horse of a ride.
  ///   - plan: The intervals of the plan that was carried out, in order; empty for none.
  init(
    _ report: SessionReport, _ units: [SessionUnit], id: Identifier, horse: Identifier?, plan: [TrainingRow] = []
  ) {
    self.report = report
    self.units = units
    self.id = id
    self.plan = plan
    addSession(horse)
    // A discipline ignores units that are not its own.
    if let word = report.discipline.partWord { addPoints(word) }
    switch report.discipline {
    case .running, .swimming: addSplits()
    case .riding: addRide()
    case .shooting: addShots()
    }
    if let word = report.discipline.partWord { addIntervals(word) }
  }

  private func units(_ kind: SessionUnit.Kind) -> [SessionUnit] { units.filter { $0.kind == kind } }

  /// The instant of a time of the session.
  private func date(_ milliseconds: Int64) -> StoredValue {
    .integer(report.startedAt.nanoseconds + milliseconds * 1_000_000)
  }

  private static func thousandths(_ value: Int64) -> StoredValue { .real(Double(value) / 1_000) }
  /// Nil where 0 means that there is no reading.
  private static func reading(_ value: Int64) -> StoredValue { value > 0 ? .real(Double(value)) : .null }

  private mutating func add(_ table: String, _ number: Int64, _ values: [String: StoredValue]) {
    rows.append(TrainingRow(table, Identifier(of: id, table, number), values))
  }

  private mutating func addSession(_ horse: Identifier?) {
    var values: [String: StoredValue] = [
      "startDate": .integer(report.startedAt.nanoseconds), "endDate": .integer(report.endedAt.nanoseconds),
      "name": .text(report.discipline.rawValue.prefix(1).uppercased() + report.discipline.rawValue.dropFirst()),
      "totalDistance": Self.thousandths(report.distanceMillimetres),
      "totalDuration": Self.thousandths(report.activeMilliseconds),
      "averageHeartRate": Self.reading(report.heartRate), "heartRateSeries": heartRateSeries,
    ]
    switch report.discipline {
    case .running: break
    case .riding: values["horse"] = .id(horse)
    case .swimming:
      let splits = units(.split)
      values["totalStrokes"] = .integer(splits.reduce(0) { $0 + $1["strokes"] })
      // A pool has no satellites, and open water no lengths.
      if let length = splits.first, units(.point).isEmpty {
        values["poolLength"] = Self.thousandths(length["distance"])
      }
    case .shooting: values["totalScore"] = .integer(0)
    }
    rows.append(TrainingRow(report.discipline.table, id, values))
  }

  /// The heart rates of the session as JSON; null without any.
  private var heartRateSeries: StoredValue {
    let points = units(.heartRate).prefix(Self.seriesMax).map { reading in
      JSONNode(
        .array([
          JSONNode(.plain(Double(reading["offset"]) / 1_000)), JSONNode(.integer(reading["heartRate"])),
        ]))
    }
    guard !points.isEmpty else { return .null }
    return .text(JSONValue.array(points).compactText)
  }

  /// Points of a series at most.
  private static let seriesMax = 5_000

  private mutating func addPoints(_ word: String) {
    for (index, point) in units(.point).enumerated() {
      add(
        "GPSPoint", Int64(index),
        [
          "latitude": .real(Double(point["latitudeE7"]) / 10_000_000),
          "longitude": .real(Double(point["longitudeE7"]) / 10_000_000),
          "altitude": Self.thousandths(point["altitude"]),
          "timestamp": date(point["offset"]), "horizontalAccuracy": Self.thousandths(point["accuracy"]),
          "speed": Self.thousandths(point["speed"]),
          "parentType": .text(word), "parentID": .id(id), report.discipline.partColumn: .id(id),
        ])
    }
  }

  private mutating func addSplits() {
    let isSwim = report.discipline == .swimming
    let word = isSwim ? "swim" : "run"
    for (index, split) in units(.split).enumerated() {
      var values: [String: StoredValue] = [
        "orderIndex": .integer(Int64(index)), "distance": Self.thousandths(split["distance"]),
        "duration": Self.thousandths(split["duration"]), "heartRate": Self.reading(split["heartRate"]),
        "discipline": .text(word), report.discipline.partColumn: .id(id),
      ]
      if isSwim {
        values["strokeCount"] = split["strokes"] > 0 ? .integer(split["strokes"]) : .null
        values["strokeType"] = SwimStroke(rawValue: split["stroke"])?.text.map { .text($0) } ?? .null
      } else {
        values["cadence"] = Self.reading(split["cadence"])
        values["elevation"] = split["climb"] == 0 ? .null : Self.thousandths(split["climb"])
      }
      add("Split", Int64(index), values)
    }
  }

  private mutating func addIntervals(_ word: String) {
    let done = units(.interval)
    for index in 0..<max(done.count, plan.count) {
      // What is not planned has no target, and what is planned and was not begun no figures.
      var values = index < done.count ? figures(of: done[index]) : ["isCompleted": .flag(false)]
      if index < plan.count {
        for column in Self.planned { values[column] = plan[index][column] }
      }
      values["orderIndex"] = .integer(Int64(index))
      values["discipline"] = .text(word)
      values[report.discipline.partColumn] = .id(id)
      add("Interval", Int64(index), values)
    }
  }

  /// What an interval of a session has of its plan.
  private static let planned = [
    "name", "targetDistance", "targetDuration", "targetPace", "restDuration", "targetGait", "intensity",
  ]

  private func figures(of interval: SessionUnit) -> [String: StoredValue] {
    let (distance, time) = (interval["targetDistance"], interval["targetDuration"])
    let isTimed = distance == 0 && time > 0
    return [
      "name": .text(
        isTimed ? "\(time / 1_000) s" : "\((distance > 0 ? distance : interval["distance"]) / 1_000) m"),
      // A recorded interval has no target.
      "targetDistance": distance > 0 ? Self.thousandths(distance) : .null,
      "targetDuration": time > 0 ? Self.thousandths(time) : .null,
      "targetPace": distance > 0 ? .real(Double(time) * 100 / Double(distance)) : .null,
      "restDuration": Self.thousandths(interval["rest"]), "isCompleted": .integer(interval["isCompleted"]),
      "actualDistance": Self.thousandths(interval["distance"]),
      "actualDuration": Self.thousandths(interval["duration"]),
      "actualCadence": report.discipline == .running ? Self.reading(interval["cadence"]) : .null,
      "actualHeartRate": Self.reading(interval["heartRate"]),
      "actualStrokes": report.discipline == .swimming ? .integer(interval["strokes"]) : .null,
    ]
  }

  private mutating func addRide() {
    var before: Gait?
    for (index, unit) in units(.gait).enumerated() {
      guard let gait = Gait(rawValue: unit["gait"]) else { continue }
      add(
        "GaitSegment", Int64(index),
        [
          "gait": .text(gait.text), "startDate": date(unit["from"]), "endDate": date(unit["to"]),
          "distance": Self.thousandths(unit["distance"]), "ride": .id(id),
        ])
      if let before, before != gait {
        add(
          "GaitTransition", Int64(index),
          [
            "fromGait": .text(before.text), "toGait": .text(gait.text), "timestamp": date(unit["from"]),
            "ride": .id(id),
          ])
      }
      before = gait
    }
    for (index, unit) in units(.rein).enumerated() {
      guard let rein = Rein(rawValue: unit["rein"]) else { continue }
      add(
        "ReinSegment", Int64(index),
        ["rein": .text(rein.text), "startDate": date(unit["from"]), "endDate": date(unit["to"]), "ride": .id(id)])
    }
  }

  private mutating func addShots() {
    // A peer may name a shot twice: the first one counts.
    var seen: Set<Int64> = []
    let shots = units(.shot).filter { seen.insert(Self.number(end: $0["end"], shot: $0["index"])).inserted }
    var ends: [Int64] = []
    for shot in shots where !ends.contains(shot["end"]) { ends.append(shot["end"]) }
    rows[0]["totalScore"] = .integer(shots.reduce(0) { $0 + $1["score"] })
    for end in ends {
      let own = shots.filter { $0["end"] == end }
      add(
        "ShootingEnd", end,
        [
          "orderIndex": .integer(end), "totalScore": .integer(own.reduce(0) { $0 + $1["score"] }), "session": .id(id),
        ])
      for shot in own {
        add(
          "Shot", Self.number(end: end, shot: shot["index"]),
          [
            "orderIndex": .integer(shot["index"]), "score": .integer(shot["score"]), "timestamp": date(shot["at"]),
            "end": .id(Identifier(of: id, "ShootingEnd", end)),
          ])
      }
    }
  }

  /// The number from which a shot's identifier is made; end and shot count from 0.
  static func number(end: Int64, shot: Int64) -> Int64 { end * 1_000 + shot }
}
