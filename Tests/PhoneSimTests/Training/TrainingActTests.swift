import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// What users add to sessions and competitions, and what goes with a removed session.
@Suite struct TrainingActTests {
  private static func command(_ word: String, _ text: String) throws -> TrainingCommand {
    let collector = DiagnosticsCollector(file: "x")
    let reader = try #require(JSONObjectReader(try JSONParser.parse(text, dialect: .json), into: collector))
    return try #require(TrainingCommand(word, reader))
  }

  private static let acts = [
    ("addPhoto", "{\"file\":\"IMG_1.heic\"}"),
    (
      "scanTarget",
      "{\"end\":2,\"file\":\"scan.png\",\"digest\":\"\(String(repeating: "a", count: 64))\",\"groupSize\":41.5}"
    ),
    ("addTask", "{\"title\":\"Check the bridle\"}"), ("addTask", "{\"title\":\"Sign in\"}"),
    ("completeTask", "{\"title\":\"Sign in\"}"),
    (
      "planWorkout",
      "{\"discipline\":\"riding\",\"name\":\"Gymnastics\",\"intervals\":["
        + "{\"name\":\"warm-up\",\"duration\":600,\"gait\":\"walk\",\"intensity\":\"easy\"},"
        + "{\"name\":\"work\",\"duration\":300,\"rest\":60,\"gait\":\"trot\"}]}"
    ),
    ("recordWeather", "{\"discipline\":\"riding\",\"temperature\":14.5,\"windSpeed\":3,\"condition\":\"rain\"}"),
  ]

  static func addAll(to device: inout TrainingBookTests.Device) {
    for (word, text) in acts {
      do {
        let reason = device.order(try command(word, text))
        #expect(reason == nil, "\(word)")
      } catch { Issue.record("\(word): \(error)") }
    }
  }

  @Test func `photos, scans, tasks, plans and weather become the document's rows`() throws {
    var device = TrainingBookTests.day()
    Self.addAll(to: &device)
    let record = device.record
    let ride = try #require(record.newest(.riding))
    let photo = try #require(record.rows("RidePhoto").first)
    #expect(photo.identifier("ride") == ride.id && photo.text("digest")?.utf8.count == 64)
    let scan = try #require(record.rows("TargetScanAnalysis").first)
    let ends = record.rows("ShootingEnd").filter { $0.identifier("targetScanAnalysis") == scan.id }
    #expect(ends.map { $0.integer("orderIndex") } == [1] && scan.real("groupSize") == 41.5)
    let tasks = record.rows("CompetitionTask").sorted {
      ($0.integer("orderIndex") ?? 0) < ($1.integer("orderIndex") ?? 0)
    }
    #expect(tasks.map { $0.integer("isCompleted") } == [0, 1] && tasks.map { $0.integer("orderIndex") } == [0, 1])
    #expect(tasks[0]["completedAt"] == .null && tasks[1].integer("completedAt") == 9_000_000_000_000)
    let plan = try #require(record.rows("WorkoutTemplate").first)
    let intervals = record.rows("Interval").filter { $0.identifier("workoutTemplate") == plan.id }
    #expect(Set(intervals.compactMap { $0.text("targetGait") }) == ["walk", "trot"])
    #expect(intervals.compactMap { $0.text("intensity") } == ["easy"])
    #expect(ride.text("weather") == "{\"temperature\":14.5,\"windSpeed\":3,\"condition\":\"rain\"}")
    #expect(device.count("training.row") == 7)
    #expect(device.order(.completeTask(title: "Sign in")) == "there is no open task of this title")
    var empty = TrainingBookTests.Device(competition: "")
    #expect(empty.order(.addTask(title: "x")) == "there is no competition")
    #expect(empty.order(.removeSession(.riding)) == "there is no session of riding")
  }

  @Test func `a session has the names and targets of the plan that it carried out`() throws {
    func planned(_ name: String, _ distances: [Int]) throws -> TrainingCommand {
      let intervals = distances.map { "{\"name\":\"\(name) \($0)\",\"distance\":\($0),\"intensity\":\"hard\"}" }
      return try Self.command(
        "planWorkout",
        "{\"discipline\":\"running\",\"name\":\"\(name)\",\"intervals\":[\(intervals.joined(separator: ","))]}")
    }
    func interval(_ distance: Int64, isCompleted: Int64) -> SessionUnit {
      SessionUnit(.interval, [distance * 1_000, 90_000, 0, distance * 1_000, 90_000, 0, isCompleted, 150, 170])
    }
    var device = TrainingBookTests.Device()
    for (name, distances) in [("fits", [400, 200, 800]), ("short", [400]), ("other", [400, 300])] {
      #expect(device.order(try planned(name, distances)) == nil)
    }
    let units = [interval(400, isCompleted: 1), interval(200, isCompleted: 0)]
    device.receive(TrainingBookTests.report(.running, 1, units, distance: 700_000).inParts)
    let run = try #require(device.record.newest(.running))
    let own = device.record.rows("Interval").filter { $0.identifier("runningSession") == run.id }
      .sorted { ($0.integer("orderIndex") ?? 0) < ($1.integer("orderIndex") ?? 0) }
    #expect(own.map { $0.text("name") } == ["fits 400", "fits 200", "fits 800"])
    #expect(own.map { $0.integer("isCompleted") } == [1, 0, 0])
    #expect(own.map { $0.real("actualCadence") } == [170, 170, nil] && own[0].text("intensity") == "hard")
    #expect(own.allSatisfy { $0.identifier("workoutTemplate") == nil })
    let stored = try #require(device.events.compactMap { $0 as? TrainingStored }.last)
    let plan = device.record.rows("WorkoutTemplate").first { $0.text("name") == "fits" }
    #expect(stored.plan == plan?.id && stored.completed == 1)
    // A run without such intervals has none of the plan's.
    device.receive(TrainingBookTests.report(.running, 2, [interval(500, isCompleted: 1)], distance: 700_000).inParts)
    let free = device.record.rows("Interval").filter {
      $0.identifier("runningSession") == device.record.newest(.running)?.id
    }
    #expect(free.map { $0.text("name") } == ["500 m"])
  }

  @Test(arguments: [
    ("addPhoto", "{\"file\":\"\"}"), ("addPhoto", "{\"file\":\"x\",\"digest\":\"AB\"}"),
    ("scanTarget", "{\"end\":0,\"file\":\"x\"}"), ("addTask", "{}"),
    ("planWorkout", "{\"discipline\":\"shooting\",\"name\":\"x\",\"intervals\":[]}"),
    ("planWorkout", "{\"discipline\":\"riding\",\"name\":\"x\",\"intervals\":[{\"name\":\"x\",\"gait\":\"pace\"}]}"),
    ("recordWeather", "{\"discipline\":\"riding\",\"temperature\":200}"),
    ("removeSession", "{\"discipline\":\"chess\"}"),
  ])
  func `an act with a wrong member is refused`(word: String, text: String) throws {
    let collector = DiagnosticsCollector(file: "x")
    let reader = try #require(JSONObjectReader(try JSONParser.parse(text, dialect: .json), into: collector))
    #expect(TrainingCommand(word, reader) == nil)
    #expect(!collector.diagnostics.list.isEmpty)
  }

  @Test func `a removed session takes its parts along, and its report does not bring it back`() throws {
    var device = TrainingBookTests.day()
    Self.addAll(to: &device)
    let before = device.record
    #expect(device.order(.removeSession(.shooting)) == nil)
    #expect(device.record.rows("Shot").isEmpty && device.record.rows("ShootingEnd").isEmpty)
    #expect(device.record.rows("SkillSnapshot").allSatisfy { $0.text("discipline") != "shooting" })
    #expect(device.competition?["competitionShootingSession"] == .null)
    #expect(device.competition?["storedShootingScore"] == .null)
    #expect(device.competition?.real("storedSwimmingTime") == 599.5)
    // The scan is no part of its end.
    #expect(device.record.rows("TargetScanAnalysis") == before.rows("TargetScanAnalysis"))
    #expect(device.count("training.removed") == 1)
    let removed = device.record
    device.receive(TrainingBookTests.report(.shooting, 2, TrainingBookTests.shots).inParts)
    #expect(device.record == removed && removed.sessionCount == 3)
  }

  @Test func `an artifact follows its session, and nothing of it is stored`() throws {
    var device = TrainingBookTests.day()
    Self.addAll(to: &device)
    let session = Identifier(high: 1, low: 2)
    let before = try #require(TrainingArtifact(of: session, in: device.record))
    #expect(before.disciplineRaw == "shooting" && before.name == "Shooting")
    #expect(before.endTime - before.startTime == 600_000_000_000)
    func total(_ artifact: TrainingArtifact) -> [JSONValue] {
      artifact.disciplineData.filter { $0.key == "totalScore" }.map(\.node.value)
    }
    #expect(total(before) == [.integer(42)])
    let commits = device.commits.count
    _ = device.order(.correctShot(end: 2, shot: 3, score: 10))
    let after = try #require(TrainingArtifact(of: session, in: device.record))
    #expect(total(after) == [.integer(45)] && device.commits.count == commits + 1)
    let text = String(decoding: JSONWriter.compact(JSONNode(.object(after.members))), as: UTF8.self)
    #expect(text.contains("\"Shot\":[{\"orderIndex\":0,\"score\":7,"))
    #expect(text.contains("\"targetScanAnalysis\":{\"fileName\":\"scan.png\""))
    let ride = try #require(TrainingArtifact(of: Identifier(high: 1, low: 3), in: device.record))
    let rideText = String(decoding: JSONWriter.compact(JSONNode(.object(ride.members))), as: UTF8.self)
    for part in [
      "\"weather\":{\"temperature\":14.5", "\"GPSPoint\":1", "\"horse\":{\"name\":", "\"RidePhoto\":[",
      "\"GaitSegment\":[",
    ] {
      #expect(rideText.contains(part), "\(part)")
    }
    #expect(TrainingArtifact.all(in: device.record).map(\.id.low) == [1, 2, 3, 4])
    #expect(!TrainingCatalog.all.contains { $0.name == "TrainingArtifact" })
    _ = device.order(.removeSession(.shooting))
    #expect(TrainingArtifact(of: session, in: device.record) == nil)
  }
}
