@testable import CoachCheckers
import CoachProtocol
import Link
import LinkTestSupport
import Testing

/// What `truth-results` says of exercises, and `truth-totals` of a server's insights.
@Suite struct TruthOfScoresTests {
  private func judge(
    _ checker: any Checker.Type, phone: String = "{}", _ events: [(Double, any TraceEventKind)]
  ) throws -> [String] {
    var header = TraceHeader(scenario: "s", seed: 1, duration: .hours(9))
    header.startedAt = "2026-05-09T00:00:00Z"
    header.extras = [
      JSONMember("truth", .bool(true)),
      JSONMember(key: "phone", at: .nowhere, try JSONParser.parse(phone, dialect: .json)),
    ]
    var judge = Judge(header: header, checkers: [checker])
    for (index, (hours, event)) in events.enumerated() {
      let name = type(of: event).name
      let place: TraceEvent.Place = name.text.hasPrefix("edge") ? .edge : .phone
      let time = VirtualTime(nanoseconds: Int64(hours * 3_600_000_000_000))
      judge.observe(TraceEvent(name, at: time, on: place, event.fields).completed, line: index + 2)
    }
    judge.observe(TraceEvent("end", at: .start + .hours(9), on: .runner), line: events.count + 2)
    return judge.finish().violations.map(\.detail)
  }

  private static let entries = """
    { "events": [{ "at": "1h", "do": "logDrill", "discipline": "riding", "drillType": "balance", "symmetry": 40,
      "sets": [{ "duration": "9s", "score": 80 }, { "duration": "9s" }, { "duration": "9s", "score": 70 }] }] }
    """

  @Test(
    arguments: [
      ("{\"balance\":75,\"stability\":75,\"symmetry\":40}", nil),
      ("{\"balance\":50,\"stability\":50,\"symmetry\":40}", "an exercise has 50 for its balance"),
      ("{\"balance\":75,\"stability\":75}", "an exercise has nothing for its symmetry"),
      ("{\"balance\":75,\"rhythm\":1,\"stability\":75,\"symmetry\":40}", "entries say nothing"),
      ("{}", "an exercise has nothing for its balance, and the athlete's entries say 75"),
      // A trace of before the field says nothing of it.
      (nil, nil),
    ] as [(String?, String?)])
  func `an exercise has the scores that were entered`(scores: String?, flaw: String?) throws {
    var drill = TrainingDrill()
    (drill.discipline, drill.drillType, drill.scores) = ("riding", "balance", scores.map { JSONText($0) })
    let found = try judge(TruthResultsChecker.self, phone: Self.entries, [(1, drill)])
    #expect(found.count == (flaw == nil ? 0 : 1))
    if let flaw { #expect(found.first?.contains(flaw) == true, "\(found)") }
    // At another instant, or on the other phone, it is another one.
    #expect(try judge(TruthResultsChecker.self, phone: Self.entries, [(2, drill)]) == [])
    drill.phone = 2
    #expect(try judge(TruthResultsChecker.self, phone: Self.entries, [(1, drill)]) == [])
  }

  private func upserted(_ day: String, _ snapshot: String) -> DayUpserted {
    var event = DayUpserted()
    (event.day, event.revision, event.snapshot) = (day, 1, JSONText("{\"revision\":1,\(snapshot)}"))
    return event
  }

  private func insights(_ text: String, days: Int64) -> FileStored {
    var event = FileStored()
    (event.file, event.days, event.digest) = ("insights.json", days, Digest.text(Digest.prefix(Array(text.utf8))))
    return event
  }

  @Test(arguments: [(1_501, true), (1_000, false), (1_500, false)])
  func `insights are the averages of the days that are over`(steps: Int, isRight: Bool) throws {
    let file = """
      {"through":"2026-05-08","days":2,"averages":{"calories":400,"steps":\(steps),"sleep_minutes":450},"goal":"run"}
      """
    var profile = ProfileExtracted()
    (profile.message, profile.profile) = (1, JSONText("{\"message\":1,\"goal\":\"run\"}"))
    let days: [(Double, any TraceEventKind)] = [
      (1, upserted("2026-05-07", "\"health\":{\"steps\":1001}")),
      (1, upserted("2026-05-08", "\"nutrition\":{\"calories\":400},\"health\":{\"steps\":2002,\"sleep_hours\":7.5}")),
      (1, upserted("2026-05-09", "\"health\":{\"steps\":7}")), (1, profile),
    ]
    let found = try judge(TruthTotalsChecker.self, days + [(1, insights(file, days: 3))])
    #expect(found.count == (isRight ? 0 : 1), "\(found)")
    // A server with days of before is not judged, nor one that has just lost its days.
    #expect(try judge(TruthTotalsChecker.self, days + [(1, insights("{}", days: 4))]) == [])
    var damage = FileDamaged()
    damage.file = "context_store.json"
    #expect(try judge(TruthTotalsChecker.self, days + [(1, damage), (1, insights("{}", days: 3))]) == [])
  }
}
