public import Link

/// A part of what the watch recorded of a training session, sent when it ended.
///
/// The parts are queued before `workoutEnded`, in order. A watch that was killed between them queues all of them again:
/// the receiver ignores a part that it has.
public struct SessionReport: AppMessageBody {
  public var workoutId = Identifier.none
  public var discipline = TrainingDiscipline.running
  /// By the watch's clock.
  public var startedAt = WatchTime.none
  /// By the watch's clock.
  public var endedAt = WatchTime.none
  /// Milliseconds of the timer, pauses excluded.
  public var activeMilliseconds: Int64 = 0
  public var distanceMillimetres: Int64 = 0
  /// Mean of the readings in beats per minute; 0 without one.
  public var heartRate: Int64 = 0
  /// The part's number, from 1.
  public var part: Int64 = 1
  /// How many parts the session has.
  public var parts: Int64 = 1
  /// At most ``unitsMax``.
  public var units: [SessionUnit] = []

  /// Units of one part: about 20 KB.
  public static let unitsMax = 400
  public static let partsMax: Int64 = 64

  public init() {}

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

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.field("discipline", &discipline, "what was trained")
    fields.time("startedAt", &startedAt, "its start")
    fields.time("endedAt", &endedAt, "its end")
    fields.field("active", &activeMilliseconds, in: 0...SessionUnit.millisecondsMax, "ms of the timer, without pauses")
    fields.field("distance", &distanceMillimetres, in: 0...SessionUnit.millimetresMax, "mm")
    fields.field("heartRate", &heartRate, in: 0...250, "the mean in beats a minute; 0 without one")
    fields.field("part", &part, in: 1...Self.partsMax, "from 1")
    fields.field("parts", &parts, in: 1...Self.partsMax, "how many the session has")
    let written = SessionUnit.text(of: units)
    var text = written
    fields.field("units", &text, "JSON, [models](models.md#the-report)")
    if text != written {
      do throws(SessionUnitError) { units = try SessionUnit.read(text, countMax: Self.unitsMax) } catch {
        fields.refuse("units", found: error.found, expected: error.expected)
      }
    }
    if part > parts { fields.refuse("part", found: "\(part)", expected: "at most parts (\(parts))") }
    if startedAt > endedAt {
      fields.refuse(
        "endedAt", found: "\(endedAt.nanoseconds)", expected: "startedAt (\(startedAt.nanoseconds)) or later")
    }
  }

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

  // In a trace, everything but the workout is one object, in which the units are JSON instead of text.

  var tracedFields: [TraceEvent.Field] {
    [.init("workoutId", workoutId.traceValue), .init("report", .json(traceText))]
  }

  init?(traced fields: [TraceEvent.Field]) {
    guard case .uuid(let high, let low)? = fields.first(where: { $0.key == "workoutId" })?.value,
      case .json(let text)? = fields.first(where: { $0.key == "report" })?.value
    else { return nil }
    self.init(workoutId: Identifier(high: high, low: low), traceText: text)
  }

  /// All but the workout as a JSON object: `report` of a transfer's trace event, from which a replay encodes it again.
  public var traceText: String {
    fields.dropFirst().map { field in
      guard field.key == "units", case .string(let text) = field.value else { return field }
      return TraceEvent.Field(field.key, .json(text))
    }.objectText
  }

  /// Reads ``traceText``; nil for anything that no watch sends.
  public init?(workoutId: Identifier, traceText: String) {
    guard let members = [TraceEvent.Field](object: traceText) else { return nil }
    self.init(
      [TraceEvent.Field("workoutId", workoutId.traceValue)]
        + members.map { field in
          guard field.key == "units", case .json(let text) = field.value else { return field }
          return TraceEvent.Field(field.key, .string(text))
        })
  }
}
