@testable import CoachCheckers
import Link
import LinkTestSupport
import PhoneSim

/// Writes the phone's side of a run event by event, and has it judged.
struct CoachTrace {
  static let workout = Identifier(high: 0x1111_1111_1111_4111, low: 0x8111_1111_1111_1111)
  static let other = Identifier(high: 0x2222_2222_2222_4222, low: 0x8222_2222_2222_2222)

  var events: [TraceEvent] = []
  private var seq: Int64 = 0
  private(set) var last: (epoch: Int64, seq: Int64, elapsed: Double, distance: Double) = (1, 0, 0, 0)

  mutating func add(
    _ name: String, _ seconds: Double, on place: TraceEvent.Place = .phone, _ fields: [TraceEvent.Field] = []
  ) {
    let time = VirtualTime(nanoseconds: Int64((seconds * 1e9).rounded()))
    events.append(TraceEvent(TraceEvent.Name(name), at: time, on: place, fields).completed)
  }

  mutating func state(
    _ seconds: Double, _ to: String, from: String? = nil, cause: String = "event", workout: Identifier = Self.workout
  ) {
    add(
      "run.state", seconds,
      [
        .init("workoutId", workout.traceValue), .init("from", from.map { .string($0) } ?? .null),
        .init("to", .string(to)), .init("cause", .string(cause)), .init("sentAt", .int(0)),
      ])
  }

  mutating func fresh(
    _ seconds: Double, elapsed: Double? = nil, distance: Double, rate: Int64? = nil, avgPace: Double? = nil,
    workout: Identifier = Self.workout
  ) {
    seq += 1
    last = (1, seq, elapsed ?? seconds, distance)
    var fields: [TraceEvent.Field] = [
      .init("epoch", .int(1)), .init("seq", .int(seq)), .init("workoutId", workout.traceValue),
      .init("sentAt", .int(0)),
      .init("elapsed", .number(elapsed ?? seconds, places: 3)), .init("distance", .number(distance, places: 2)),
    ]
    if let avgPace { fields.append(.init("avgPaceSecPerKm", .number(avgPace, places: 2))) }
    if let rate { fields.append(.init("currentHR", .int(rate))) }
    fields.append(.init("state", .string("running")))
    add("snapshot.fresh", seconds, fields)
  }

  /// A line about a message, with the figures of the snapshot received last.
  mutating func script(
    _ what: String, _ seconds: Double, _ message: String, _ trigger: String, multiple: Int64? = nil,
    skipped: ClosedRange<Int64>? = nil
  ) {
    var fields: [TraceEvent.Field] = [.init("message", .string(message)), .init("trigger", .string(trigger))]
    if let skipped {
      fields += [.init("first", .int(skipped.lowerBound)), .init("last", .int(skipped.upperBound))]
    } else {
      fields.append(.init("priority", .int(50)))
    }
    if let multiple { fields.append(.init("multiple", .int(multiple))) }
    fields += [
      .init("epoch", .int(last.epoch)), .init("seq", .int(last.seq)),
      .init("elapsed", .number(last.elapsed, places: 3)),
      .init("distance", .number(last.distance, places: 2)),
    ]
    add("script.\(what)", seconds, fields)
  }

  mutating func runner(_ name: String, _ seconds: Double, target: String) {
    add(name, seconds, on: .runner, [.init("target", .string(target))])
  }

  /// Judges by the coach's checkers, or by those named, under a script of these messages.
  ///
  /// - Parameter expected: The text of the script that the phone is expected to load.
  func judge(
    script messages: String = "", policy: String = "linear", plan: String = "{\"distance\":5000,\"time\":1500}",
    memory: String = "{}", only invariants: [String]? = nil, expected: String? = nil, ends: Bool = true,
    endsAt: Double? = nil
  ) throws -> Judgement {
    var header = TraceHeader(
      scenario: "s", seed: 1, startedAt: "2026-04-12T06:30:00Z", timeZone: "Europe/Berlin",
      utcOffsets: [.init(from: .start, seconds: 7200)], duration: .seconds(3600))
    header.script = try JSONParser.parse(
      "{\"id\":\"s\",\"messages\":[\(messages)],\"branchPolicy\":\"\(policy)\"}", dialect: .json)
    header.expectedScript = expected
    header.plan = try JSONParser.parse(plan, dialect: .json)
    header.memory = try JSONParser.parse(memory, dialect: .json)
    let checkers = CoachCheckerCatalog.all.filter { invariants?.contains($0.invariant) ?? true }
    var judge = Judge(header: header, checkers: checkers)
    var line = 1
    for event in events {
      line += 1
      judge.observe(event, line: line)
    }
    if ends {
      let time = endsAt.map { VirtualTime(nanoseconds: Int64($0 * 1e9)) } ?? events.last?.time ?? .start
      judge.observe(TraceEvent("end", at: time, on: .runner), line: line + 1)
    }
    return judge.finish()
  }
}

extension Judgement {
  /// The invariants that are broken, each once, in the order of the alphabet.
  var broken: [String] { Set(violations.map(\.invariant)).sorted() }
}
