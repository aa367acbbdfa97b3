public import Link

/// A part of what the watch recorded of a training session, sent when it ended.
///
/// The parts are queued before `workoutEnded`, in order. A watch that was killed between them queues all of them again:
/// the receiver ignores a part that it has.
public struct SessionReport: Sendable, Equatable {
  public var workoutId: Identifier
  public var discipline: TrainingDiscipline
  /// By the watch's clock.
  public var startedAt: WatchTime
  /// By the watch's clock.
  public var endedAt: WatchTime
  /// Milliseconds of the timer, pauses excluded.
  public var activeMilliseconds: Int64
  public var distanceMillimetres: Int64
  /// Mean of the readings in beats per minute; 0 without one.
  public var heartRate: Int64
  /// The part's number, from 1.
  public var part: Int64
  /// How many parts the session has.
  public var parts: Int64
  /// At most ``unitsMax``.
  public var units: [SessionUnit]

  /// Units of one part: about 20 KB.
  public static let unitsMax = 400
  public static let partsMax: Int64 = 64

  public init(
    workoutId: Identifier, discipline: TrainingDiscipline, startedAt: WatchTime, endedAt: WatchTime,
    activeMilliseconds: Int64, distanceMillimetres: Int64, heartRate: Int64, part: Int64 = 1, parts: Int64 = 1,
    units: [SessionUnit] = []
  ) {
    self.workoutId = workoutId
    self.discipline = discipline
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.activeMilliseconds = activeMilliseconds
    self.distanceMillimetres = distanceMillimetres
    self.heartRate = heartRate
    self.part = part
    self.parts = parts
    self.units = units
  }

  /// The report in as many parts as its units need; what exceeds ``partsMax`` parts is dropped from the end.
  public var inParts: [SessionReport] {
    let kept = units.prefix(Self.unitsMax * Int(Self.partsMax))
    let count = max(1, (kept.count + Self.unitsMax - 1) / Self.unitsMax)
    return (0..<count).map { index in
      var report = self
      report.part = Int64(index + 1)
      report.parts = Int64(count)
      report.units = Array(kept.dropFirst(index * Self.unitsMax).prefix(Self.unitsMax))
      return report
    }
  }

  /// Whether another part is of the same report.
  public func continues(_ other: SessionReport) -> Bool {
    var report = self
    (report.part, report.units) = (other.part, other.units)
    return report == other
  }
}

extension SessionReport: AppMessageBody {
  static let kind = AppMessage.Kind.sessionReport
  static let channel = Channel.userInfo
  static let example = SessionReport(
    workoutId: .example, discipline: .swimming, startedAt: WatchTime(nanoseconds: 1_775_975_400_000_000_000),
    endedAt: WatchTime(nanoseconds: 1_775_975_500_000_000_000), activeMilliseconds: 100_000,
    distanceMillimetres: 75_000, heartRate: 141, part: 1, parts: 1,
    units: [
      SessionUnit(.split, [25_000, 30_200, 24, 138, 0]), SessionUnit(.split, [25_000, 30_900, 25, 144, 0]),
    ])

  var message: AppMessage { .sessionReport(self) }
  func describe(in details: inout TransferDetails) {
    details.workoutId = workoutId
    details.report = JSONText(traceText)
  }
  var fieldCount: Int { 10 }

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("workoutId", workoutId)
    writer.string("discipline", discipline.rawValue)
    writer.integer("startedAt", startedAt.nanoseconds)
    writer.integer("endedAt", endedAt.nanoseconds)
    writer.integer("active", activeMilliseconds)
    writer.integer("distance", distanceMillimetres)
    writer.integer("heartRate", heartRate)
    writer.integer("part", part)
    writer.integer("parts", parts)
    writer.string("units", SessionUnit.text(of: units))
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    workoutId = try fields.identifier("workoutId")
    discipline = try fields.word("discipline", TrainingDiscipline.self)
    startedAt = try fields.time("startedAt")
    endedAt = try fields.time("endedAt")
    activeMilliseconds = try fields.requiredInteger("active", 0...SessionUnit.millisecondsMax)
    distanceMillimetres = try fields.requiredInteger("distance", 0...SessionUnit.millimetresMax)
    heartRate = try fields.requiredInteger("heartRate", 0...250)
    part = try fields.requiredInteger("part", 1...Self.partsMax)
    parts = try fields.requiredInteger("parts", 1...Self.partsMax)
    let text = try fields.string("units")
    do throws(SessionUnitError) { units = try SessionUnit.read(text, countMax: Self.unitsMax) } catch {
      throw fields.outside("units", error.found, error.expected)
    }
    guard part <= parts else { throw fields.outside("part", "\(part)", "at most parts (\(parts))") }
    guard startedAt.nanoseconds <= endedAt.nanoseconds else {
      throw fields.outside("endedAt", "\(endedAt.nanoseconds)", "startedAt (\(startedAt.nanoseconds)) or later")
    }
  }
}

extension SessionReport {
  /// All but the workout as a JSON object: `report` of a transfer's trace event, from which a replay encodes it again.
  public var traceText: String {
    let numbers: [(String, Int64)] = [
      ("startedAt", startedAt.nanoseconds), ("endedAt", endedAt.nanoseconds), ("active", activeMilliseconds),
      ("distance", distanceMillimetres), ("heartRate", heartRate), ("part", part), ("parts", parts),
    ]
    let members = numbers.map { "\"\($0)\":\($1)" }.joined(separator: ",")
    return "{\"discipline\":\"\(discipline.rawValue)\",\(members),\"units\":\(SessionUnit.text(of: units))}"
  }

  /// Reads ``traceText``; nil for anything that no watch sends.
  public init?(workoutId: Identifier, traceText: String) {
    guard let node = try? JSONParser.parse(traceText, dialect: .json), case .object(let members) = node.value else {
      return nil
    }
    func member(_ key: String) -> JSONNode? { members.first { $0.key == key }?.node }
    func number(_ key: String, _ bounds: ClosedRange<Int64>) -> Int64? {
      guard case .integer(let value)? = member(key)?.value, bounds.contains(value) else { return nil }
      return value
    }
    guard case .string(let name)? = member("discipline")?.value, let discipline = TrainingDiscipline(rawValue: name),
      let list = member("units")
    else { return nil }
    let times: ClosedRange<Int64> = -(1 << 62)...(1 << 62)
    guard let startedAt = number("startedAt", times), let endedAt = number("endedAt", startedAt...times.upperBound),
      let active = number("active", 0...SessionUnit.millisecondsMax),
      let distance = number("distance", 0...SessionUnit.millimetresMax), let heartRate = number("heartRate", 0...250),
      let parts = number("parts", 1...Self.partsMax), let part = number("part", 1...parts),
      let units = try? SessionUnit.read(list.value.compactText, countMax: Self.unitsMax)
    else { return nil }
    self.init(
      workoutId: workoutId, discipline: discipline, startedAt: WatchTime(nanoseconds: startedAt),
      endedAt: WatchTime(nanoseconds: endedAt), activeMilliseconds: active, distanceMillimetres: distance,
      heartRate: heartRate, part: part, parts: parts, units: units)
  }
}
