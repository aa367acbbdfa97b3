@testable import CoachCheckers
@testable import LinkCheckers
import Link
import PhoneSim
import Testing

@Suite struct `a trace that says anything` {
  /// Random events with extreme values under every known name: the checkers may complain, and must not stop.
  @Test(arguments: UInt64(0)..<20) func `crashes no checker`(seed: UInt64) throws {
    let random = RandomStream(seed: seed, name: "hostile")
    let keys = [
      "id", "copy", "copies", "epoch", "seq", "transfer", "channel", "digest", "workoutId", "elapsed", "distance",
      "message", "multiple", "first", "last", "trigger", "to", "from", "cause", "kind", "fault", "params", "target",
      "lastFresh", "reason", "script", "outstanding", "frames", "state", "node",
    ]
    let values: [TraceValue] = [
      .int(.max), .int(.min), .int(0), .int(1), .int(2), .null, .bool(true), .string("watch"), .string("phone"),
      .string("running"), .string("ended"), .string("message"), .string("data"), .string("userInfo"), .string("km"),
      .string("distance"), .string("clockSkew"), .string("diskFull"), .hex(1), .uuid(high: 1, low: 2),
      .decimal(mantissa: .max, scale: 1), .decimal(mantissa: -1, scale: 255), .json("[]"), .json("{}"),
      .json("{\"node\":\"phone\",\"offset\":1e300,\"driftPPM\":-1e300}"),
      .json("{\"messages\":[{\"id\":\"km\",\"triggerSpec\":{\"type\":\"distance\",\"everyMeters\":1e-300}}]}"),
    ]
    var header = TraceHeader(scenario: "s", seed: seed, duration: .zero)
    header.script = try JSONParser.parse(
      #"{"messages":[{"id":"km","triggerSpec":{"type":"distance","everyMeters":1}},{"id":"c","triggerSpec":"#
        + #"{"type":"condition","expression":"time_of_day_hour > 1","cooldownSeconds":1e300}}]}"#, dialect: .json)
    var judge = Judge(header: header, checkers: CheckerCatalog.all + CoachCheckerCatalog.all)
    for step in UInt64(0)..<5000 {
      let names = TraceEvent.Name.known
      let name = names[Int(random.bits(for: step, draw: 0) % UInt64(names.count))]
      var fields: [TraceEvent.Field] = []
      // Half of the lines have what their kind has, with extreme values; the others have anything.
      if step % 2 == 0, let kind = EventCatalog.entry(name) {
        for (place, field) in kind.fields.enumerated() where !field.isOptional || (step >> UInt64(place)) & 2 == 0 {
          let fitting = Self.values(of: field.shape, among: values)
          let pick = random.bits(for: step, draw: UInt64(place) + 100) % UInt64(fitting.count)
          fields.append(.init(field.key, fitting[Int(pick)]))
        }
      } else {
        for (place, key) in keys.enumerated() where random.bits(for: step, draw: UInt64(place) + 10) % 4 > 0 {
          let pick = random.bits(for: step, draw: UInt64(place) + 100) % UInt64(values.count)
          fields.append(.init(key, values[Int(pick)]))
        }
      }
      let places = TraceEvent.Place.allCases
      let place = places[Int(random.bits(for: step, draw: 1) % UInt64(places.count))]
      let times: [Int64] = [0, 1, 1_000_000_000, .max, Int64(step) * 1_000_000_000]
      let time = times[Int(random.bits(for: step, draw: 2) % 5)]
      judge.observe(TraceEvent(name, at: VirtualTime(nanoseconds: time), on: place, fields), line: Int(step) + 2)
    }
    let judgement = judge.finish()
    #expect(judgement.verdict == .fail)
    #expect(
      judgement.violations.count <= (CheckerCatalog.all.count + CoachCheckerCatalog.all.count) * Judge.violationsMax)
  }

  /// Values that a field of a shape can have.
  private static func values(of shape: EventFieldShape, among values: [TraceValue]) -> [TraceValue] {
    switch shape {
    case .integer: [.int(.max), .int(.min), .int(0), .int(1), .int(2)]
    case .number: [.int(0), .int(1), .int(999_999_999_999), .int(-999_999_999_999), .decimal(mantissa: 1, scale: 255)]
    case .boolean: [.bool(true), .bool(false)]
    case .text:
      values.filter { if case .string = $0 { true } else { false } }
        + [.string("liveMetrics"), .string("ai_reply"), .string("chatReply"), .string("snapshot"), .string("command")]
    case .identifier: [.uuid(high: 1, low: 2), .uuid(high: 1, low: 3)]
    case .digest: [.hex(1), .hex(2), .digest(of: [])]
    case .json: values.filter { if case .json = $0 { true } else { false } }
    case .anything: values
    case .words(let words): words.map { .string($0) }
    }
  }
}
