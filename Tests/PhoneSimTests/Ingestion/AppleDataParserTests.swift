import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// Raw JSON in the document's shapes, and what it measures.
@Suite struct AppleDataParserTests {
  private func parse(_ json: String, _ type: AppleDataType, version: Int = 1) throws -> [String: Double] {
    let found = try AppleDataParser(version: version).parse(json, as: type)
    return Dictionary(uniqueKeysWithValues: found.map { ($0.0.rawValue, $0.1) })
  }

  private func reason(_ json: String, _ type: AppleDataType, version: Int = 1) -> String? {
    do throws(AppleDataParser.Failure) {
      _ = try AppleDataParser(version: version).parse(json, as: type)
      return nil
    } catch { return error.reason }
  }

  private static func sleep(_ id: String, _ start: String, _ end: String, _ value: String) -> String {
    """
    {"uuid": "\(id)", "startDate": "\(start)", "endDate": "\(end)", "value": "\(value)",
     "metadata": {"HKWasUserEntered": false}}
    """
  }

  @Test func `a night's stages count once, however many devices recorded them`() throws {
    let night = [
      Self.sleep("a", "2025-10-30T23:00:00Z", "2025-10-31T07:00:00Z", "inBed"),
      Self.sleep("b", "2025-10-30T23:30:00Z", "2025-10-31T03:30:00Z", "core"),
      Self.sleep("c", "2025-10-31T03:00:00Z", "2025-10-31T05:30:00Z", "asleep"),
      Self.sleep("d", "2025-10-31T05:30:00Z", "2025-10-31T06:00:00Z", "awake"),
    ]
    let measures = try parse("[\((night + night).joined(separator: ","))]", .sleep)
    #expect(measures == ["sleep_hours": 6, "inbed_hours": 8, "sleep_efficiency": 75])
  }

  @Test func `sleep is no longer than the night, and a bed that no device noticed is not measured`() throws {
    let late = [
      Self.sleep("a", "2026-04-04T23:00:00Z", "2026-04-05T06:00:00Z", "inBed"),
      Self.sleep("b", "2026-04-04T22:30:00Z", "2026-04-05T06:30:00Z", "core"),
    ]
    #expect(
      try parse("[\(late.joined(separator: ","))]", .sleep)
        == ["sleep_hours": 8, "inbed_hours": 7, "sleep_efficiency": 100])
    #expect(try parse("[\(late[1])]", .sleep) == ["sleep_hours": 8])
  }

  @Test func `what two devices recorded at one time counts once, as the watch has it`() throws {
    func energy(_ id: String, _ hours: (String, String), _ value: Double, _ source: String) -> String {
      """
      {"uuid": "\(id)", "startDate": "2026-04-02T\(hours.0):00Z", "endDate": "2026-04-02T\(hours.1):00Z",
       "quantity": {"value": \(value), "unit": "kcal"}, "sourceName": "\(source)"}
      """
    }
    let watch = energy("a", ("10:00", "11:00"), 300, "Watch")
    let phone = energy("b", ("10:00", "11:00"), 320, "iPhone")
    let later = energy("c", ("12:00", "13:00"), 100, "Watch")
    // Half of it is covered.
    let half = energy("d", ("12:30", "13:30"), 60, "iPhone")
    #expect(try parse("[\([watch, phone, later].joined(separator: ","))]", .calories) == ["calories_burned": 400])
    #expect(try parse("[\([half, later].joined(separator: ","))]", .calories) == ["calories_burned": 130])
    #expect(try parse("[\([phone, half].joined(separator: ","))]", .calories) == ["calories_burned": 380])
  }

  @Test func `quantities add up`() throws {
    let json = """
      [{"uuid": "a", "quantity": {"value": 387.5, "unit": "kcal"}},
       {"uuid": "b", "quantity": {"value": 12.25, "unit": "kcal"}}]
      """
    #expect(try parse(json, .calories) == ["calories_burned": 399.75])
  }

  @Test func `sessions, meetings and tasks are counted`() throws {
    let period = #""startDate": "2025-10-31T08:00:00Z", "endDate": "2025-10-31T08:15:00Z""#
    #expect(
      try parse("[{\"uuid\": \"a\", \(period)}]", .mindfulness)
        == ["mindfulness_minutes": 15, "mindfulness_sessions": 1])
    let meetings = """
      [{"eventIdentifier": "a", \(period), "isAllDay": false}, {"eventIdentifier": "b", \(period), "isAllDay": true}]
      """
    #expect(try parse(meetings, .calendar) == ["meeting_hours": 0.25, "meeting_count": 1])
    let tasks = """
      [{"calendarItemIdentifier": "a", "completed": true, "priority": 1},
       {"calendarItemIdentifier": "b", "completed": true, "priority": 5},
       {"calendarItemIdentifier": "c", "completed": false, "priority": 1}]
      """
    #expect(try parse(tasks, .reminders) == ["tasks_completed": 2, "high_priority_completed": 1])
  }

  private static func health(_ setup: IngestionSetup) -> PhoneHealth {
    PhoneHealth(
      seed: 3, startedAt: LocalDay(20_000).begin(offset: 7_200), offsets: [.init(from: .start, seconds: 7_200)],
      ingestion: setup)
  }

  @Test func `an empty day has no measures`() throws {
    for type in AppleDataType.allCases { #expect(try parse("[]", type).isEmpty) }
  }

  @Test(arguments: [
    ("", "line 1"), ("{}", "no array"), ("[{}]", "without uuid"),
    (#"[{"uuid": "a"}]"#, "without quantity"), (#"[{"uuid": "a", "quantity": {"unit": "kcal"}}]"#, "without value"),
    (#"[{"uuid": "a", "quantity": {"value": 1, "unit": "kJ"}}]"#, "unit kcal"),
    (#"[{"uuid": "a", "quantity": {"value": -1, "unit": "kcal"}}]"#, "expected 0"),
    (#"[{"uuid": "a", "quantity": {"value": 1e300, "unit": "kcal"}}]"#, "expected 0"),
  ])
  func `what cannot be read says why`(json: String, why: String) {
    #expect(reason(json, .calories)?.contains(why) == true, "\(reason(json, .calories) ?? "parsed")")
  }

  @Test func `a period must be dates in order`() {
    let wrong = "[\(Self.sleep("a", "2025-10-31T08:00:00Z", "2025-10-31T07:00:00Z", "asleep"))]"
    #expect(reason(wrong, .sleep)?.contains("ends before") == true)
    let undated = "[\(Self.sleep("a", "today", "2025-10-31T07:00:00Z", "asleep"))]"
    #expect(reason(undated, .sleep)?.contains("no date") == true)
    let unknown = "[\(Self.sleep("a", "2025-10-31T06:00:00Z", "2025-10-31T07:00:00Z", "nap"))]"
    #expect(reason(unknown, .sleep)?.contains("nap") == true)
  }

  @Test(arguments: AppleDataType.allCases)
  func `the stores write what the parser reads, and a newer system's JSON only the updated one`(type: AppleDataType)
    throws
  {
    var setup = IngestionSetup()
    if type != .sleep { setup.samples = 6 }
    let day = LocalDay(20_000)
    func json() throws -> String {
      let answer = AppleStores(setup: setup).answer(
        type, day: day, health: Self.health(setup), today: .max, at: .start)
      guard case .samples(let json) = answer else { return "" }
      return json
    }
    let old = try parse(json(), type)
    #expect(!old.isEmpty)
    setup.failures = [StoreFailure(.newFormat)]
    let new = try json()
    // Titles and states of entries kept their names; only dates are nested.
    #expect(reason(new, type) != nil)
    #expect(try parse(new, type, version: 2) == old)
  }

  @Test(arguments: [
    (AppleDataType.sleep, ["uuid", "startDate", "endDate", "value", "metadata.HKWasUserEntered"]),
    (.calories, ["uuid", "startDate", "endDate", "quantity.value", "quantity.unit", "sourceName"]),
    (.exercise, ["uuid", "startDate", "endDate", "quantity.value", "quantity.unit", "sourceName"]),
    (.mindfulness, ["uuid", "startDate", "endDate", "value", "metadata.HKWasUserEntered"]),
    (
      .calendar,
      ["eventIdentifier", "title", "startDate", "endDate", "isAllDay", "calendar.title", "calendar.color", "attendees"]
    ),
    (
      .reminders,
      ["calendarItemIdentifier", "title", "dueDate", "completed", "completionDate", "priority", "calendar.title"]
    ),
  ])
  func `the stores' records have the members of the document's`(type: AppleDataType, members: [String]) throws {
    var setup = IngestionSetup()
    if type != .sleep { setup.samples = 6 }
    let day = LocalDay(20_000)
    let answer = AppleStores(setup: setup).answer(
      type, day: day, health: Self.health(setup), today: .max, at: .start)
    guard case .samples(let json) = answer, case .array(let records) = try JSONParser.parse(json, dialect: .json).value
    else {
      Issue.record("no records")
      return
    }
    func names(_ node: JSONNode, _ prefix: String = "") -> [String] {
      guard case .object(let members) = node.value else { return [] }
      return members.flatMap { member in
        let inner = names(member.node, prefix + member.key + ".")
        return inner.isEmpty ? [prefix + member.key] : inner
      }
    }
    // Only a reminder that is done has a date of completion.
    #expect(Set(records.flatMap { names($0) }) == Set(members))
    if type == .calendar {
      let states = records.flatMap { record -> [String?] in
        guard case .array(let attendees)? = record["attendees"]?.value else { return [] }
        return attendees.map { $0["status"]?.text }
      }
      #expect(Set(states) == ["accepted", "declined", "tentative", "pending"])
    }
  }

  @Test func `a local day begins at local midnight, and has a date`() {
    let day = LocalDay(clock: 1_776_031_200_000_000_000, offset: 7_200)
    #expect(day.text == "2026-04-13")
    #expect(LocalDay.dateText(day.begin(offset: 7_200)) == "2026-04-12T22:00:00Z")
    #expect(LocalDay(clock: -1, offset: 0).text == "1969-12-31")
  }
}
