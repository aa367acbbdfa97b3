import Foundation
import Testing

@Suite struct ValidateCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let script = """
    { "messages": [
      { "id": "km1", "triggerSpec": { "type": "distance", "atMeters": 1000 }, "text": "One." },
      { "id": "late", "triggerSpec": { "type": "distance", "atMeters": 9000 }, "text": "Nine." }
    ] }
    """

  private static let badScript = """
    { "messages": [
      { "id": "a", "triggerSpec": { "type": "distance", "atMeters": -5 }, "text": "" },
      { "id": "a", "triggerSpec": { "type": "condition", "expression": "hr > (3" }, "text": "hi" },
      { "id": "b", "triggerSpec": { "type": "distnce" }, "text": "hi", "prio": 4 },
      { "id": "c", "triggerSpec": { "type": "condition", "expression": "hr > 1", "cooldownSecond": 3 }, "text": "hi" }
    ] }
    """

  @Test func `the problems of a script are listed in the order of the file`() throws {
    let path = try folder.write("bad.json", Self.badScript)
    let child = try CommandChild.call(["validate", path])
    #expect(child.status == 2)
    let places = child.lines.map { $0.dropFirst(path.count + 1).split(separator: " ")[0] }
    #expect(places == ["2:65:", "2:79:", "3:11:", "3:68:", "4:41:", "4:68:", "5:78:"], "\(child.output)")
    #expect(child.lines.allSatisfy { $0.hasPrefix("\(path):") && $0.contains(": error: ") })
    #expect(child.lines[3].contains("column 8 of the expression"))
    #expect(child.lines[4].contains("did you mean \"distance\"?"))
    #expect(child.lines[6].contains("\"cooldownSecond\"; did you mean \"cooldownSeconds\"?"))
    #expect(child.errors == "1 file: 7 errors, 0 warnings\n")
  }

  /// A scenario in which the phone starts a run of 200 s at 30 s.
  private static func phoneStart(_ events: String, workout: String = "", rest: String = "") -> String {
    """
    { scenario: "s", duration: "20m",
      workout: { startedBy: "phone", at: "30s", source: { model: { distance: 1000, pace: "3:20/km" } } \(workout) },
      phone: { events: [
        \(events)
      ] } \(rest) }
    """
  }

  @Test(arguments: [
    // Ended by the phone, by the watch, and by itself.
    ("{ at: '3m', do: 'endWorkout' }, { at: '4m', do: 'startWorkout' }", "", "4:00", "3:00"),
    ("{ at: '4m', do: 'startWorkout' }", ", events: [{ at: '2m', do: 'end' }]", "4:00", "2:00"),
    ("{ at: '12m', do: 'startWorkout' }", "", "12:00", "4:33"),
    (
      "{ at: '12m', do: 'startWorkout' }", ", events: [{ at: '60s', do: 'pause' }, { at: '2m', do: 'resume' }]",
      "12:00",
      "5:33"
    ),
  ])
  func `a second run is refused where it is asked for`(events: String, workout: String, at: String, over: String) throws
  {
    let path = try folder.write("s.json5", Self.phoneStart(events, workout: workout))
    let column =
      9 + (events.range(of: "'startWorkout'").map { events.distance(from: events.startIndex, to: $0.lowerBound) } ?? 0)
      - 4
    for command in [["validate"], ["run", "--mode", "in-process"], ["test"]] {
      let child = try CommandChild.call(command + [path])
      #expect(child.status == 2, "\(command)")
      let text = child.output + child.errors
      #expect(text.contains("\(path):4:\(column):"), "\(text)")
      #expect(text.contains("found a second run at \(at), when the first one is over (\(over))"), "\(text)")
    }
  }

  @Test(arguments: [
    // While it is on, taken back while it prepares, right behind its end, and where faults may prolong it.
    ("{ at: '1m', do: 'startWorkout' }, { at: '3m', do: 'endWorkout' }", ""),
    ("{ at: '31s', do: 'endWorkout' }, { at: '50s', do: 'startWorkout' }", ""),
    ("{ at: '3m', do: 'endWorkout' }, { at: '3m4s', do: 'startWorkout' }, { at: '5m', do: 'endWorkout' }", ""),
    ("{ at: '12m', do: 'startWorkout' }", ", faults: [{ at: 5, for: 600, disconnect: {} }]"),
  ])
  func `another start of the one run is none`(events: String, rest: String) throws {
    let child = try CommandChild.call(["validate", folder.write("s.json5", Self.phoneStart(events, rest: rest))])
    #expect(child.status == 0, "\(child.output)")
  }

  @Test func `a fault that begins after the run gets a warning`() throws {
    let path = try folder.write(
      "s.json5",
      "{ scenario: \"s\", duration: \"1m\",\n  faults: [{ at: 59, disconnect: {} },\n    { at: \"60s\", kill: \"phone\" }] }"
    )
    let child = try CommandChild.call(["validate", path])
    #expect(child.status == 0)
    #expect(
      child.lines == [
        "\(path):3:5: warning: faults[1]: begins after the end of the run, which is at 1m at the latest: it never happens"
      ], "\(child.output)")
    #expect(child.errors == "1 file: 0 errors, 1 warning\n")
  }

  @Test func `a script without errors says nothing`() throws {
    let child = try CommandChild.call(["validate", folder.write("good.json", Self.script)])
    #expect(child.status == 0)
    #expect(child.output.isEmpty)
    #expect(child.errors == "1 file: 0 errors, 0 warnings\n")
  }

  @Test(arguments: [
    ["--distance", "5000"], ["--distance=5000", "--time", "27m30s"], ["--distance", "5e3", "--time=1650"],
  ])
  func `warnings need a plan, and are no errors`(plan: [String]) throws {
    let path = try folder.write("s.json", Self.script)
    let child = try CommandChild.call(["validate", path] + plan)
    #expect(child.status == 0)
    #expect(child.lines.count == 1, "\(child.output)")
    #expect(child.output.hasPrefix("\(path):3:3: warning: message \"late\": its trigger can never hold"))
  }

  @Test func `lines that crowd each other are warned of at the target pace`() throws {
    let text = Self.script.replacing("9000", with: "1050")
    let path = try folder.write("s.json", text)
    let slow = try CommandChild.call(["validate", path, "--distance", "5000", "--time", "1h"])
    #expect(slow.output.isEmpty)
    let fast = try CommandChild.call(["validate", path, "--distance", "5000", "--time", "25m"])
    #expect(fast.output.contains("warning: message \"late\": comes less than 30 s from message \"km1\""))
    #expect(fast.status == 0)
  }

  @Test func `at one point the priority says which line is spoken, and that is no crowd`() throws {
    let text = """
      { "messages": [
        { "id": "km", "triggerSpec": { "type": "distance", "everyMeters": 1000 }, "text": "One more." },
        { "id": "two", "triggerSpec": { "type": "distance", "atMeters": 2000 }, "text": "Two.", "priority": 60 }
      ] }
      """
    let path = try folder.write("s.json", text)
    let plan = ["--distance", "5000", "--time", "25m"]
    #expect(try CommandChild.call(["validate", path] + plan).output.isEmpty)
    let alike = try folder.write("t.json", text.replacing("\"priority\": 60", with: "\"playOnce\": true"))
    #expect(try CommandChild.call(["validate", alike] + plan).output.contains("comes less than 30 s"))
  }

  @Test func `a scenario accepts warnings that it is about, and no others`() throws {
    func lines(_ accepted: String, every metres: Int) throws -> [String] {
      let path = try folder.write(
        "s.json5",
        """
        { scenario: "s", plan: { distance: 1000, time: "5m" }, \(accepted)
          script: { id: "s", messages: [
            { id: "mark", triggerSpec: { type: "distance", everyMeters: \(metres) }, text: "Another." } ] } }
        """)
      return try CommandChild.call(["validate", path]).lines
    }
    #expect(try lines("", every: 40).count == 1)
    #expect(try lines("accepts: ['crowdedLines'],", every: 40) == [])
    let stale = try lines("accepts: ['crowdedLines'],", every: 400)
    #expect(stale.count == 1 && stale.allSatisfy { $0.hasSuffix("warning: accepts: no crowdedLines in the script") })
    #expect(try lines("accepts: ['crowds'],", every: 40).contains { $0.contains("expected \"crowdedLines\"") })
  }

  @Test func `the shipped scenarios have no warnings`() throws {
    let child = try CommandChild.call(["validate", Tool.scenario("ordinary-10k"), Tool.scenario("trust")])
    #expect(child.output.isEmpty && child.status == 0)
  }

  @Test(arguments: [
    ("phone: { command: './nowhere' }", "2:21", "phone.command: found no file ", 0),
    ("workout: { source: { import: 'none.gpx' } }", "2:32", "workout.source.import: ", 2),
  ])
  func `a missing file has the place that names it, before a run and in it`(
    keys: String, place: String, text: String, status: Int32
  ) throws {
    let path = try folder.write("s.json5", "{ scenario: \"s\", duration: \"1m\",\n  \(keys) }")
    let validated = try CommandChild.call(["validate", path])
    #expect(validated.status == status)
    #expect(validated.output.hasPrefix("\(path):\(place): "), "\(validated.output)")
    #expect(validated.output.contains(text), "\(validated.output)")
    for command in [["run"], ["sweep", "--seeds", "1-2"], ["shrink"]] {
      let run = try CommandChild.call(command + [path])
      #expect(run.status == 2)
      #expect(run.errors.contains("\(path):\(place): error: \(text)"), "\(command): \(run.errors)")
    }
  }

  @Test func `a script is strict JSON`() throws {
    let text = "// mine\n" + Self.script
    #expect(try CommandChild.call(["validate", folder.write("s.json", text)]).status == 2)
    #expect(try CommandChild.call(["validate", folder.write("s.json5", text)]).status == 0)
  }

  @Test func `bad JSON is reported with its place`() throws {
    let path = try folder.write("s.json", "{ \"messages\": [\n  { \"id\": }\n] }")
    let child = try CommandChild.call(["validate", path])
    #expect(child.status == 2)
    #expect(child.output == "\(path):2:11: error: found \"}\", expected a value\n")
  }

  @Test func `a scenario is validated with its script`() throws {
    let script = try folder.write("bad.json", Self.badScript)
    let path = try folder.write(
      "s.json5",
      """
      {
        scenario: "x", script: "bad.json", sed: 4, duration: "1x",
        faults: [{ at: "1m", los: { probability: 2 } }, { loss: { probability: 2 } }],
        expect: [{ nevr: "script.expired" }],
      }
      """)
    let child = try CommandChild.call(["validate", path])
    #expect(child.status == 2)
    let own = child.lines.filter { $0.hasPrefix("\(path):") }
    let places = own.map { $0.dropFirst(path.count + 1).split(separator: " ")[0] }
    #expect(places == ["2:38:", "2:56:", "3:12:", "3:24:", "3:74:", "4:12:"], "\(child.output)")
    #expect(own[0].contains("unknown key \"sed\"; did you mean \"seed\"?"))
    #expect(child.lines.count { $0.hasPrefix("\(script):") } == 7)
  }

  @Test func `a scenario whose workout file is missing gets an error with its place`() throws {
    let path = try folder.write("s.json5", "{ scenario: \"x\",\n  workout: { source: { import: \"no.fit\" } } }")
    let child = try CommandChild.call(["validate", path])
    #expect(child.status == 2)
    #expect(child.output.hasPrefix("\(path):2:32: error: workout.source.import: "), "\(child.output)")
    #expect(child.output.contains("no such file"))
  }

  @Test func `the kind of a file is recognized by its contents`() throws {
    let scenario = try folder.write("scenario.json", "{ \"scenario\": \"x\", \"nope\": 1 }")
    let script = try folder.write("script.json5", "{ messages: [], nope: 1 }")
    let object = try CommandChild.call(["validate", scenario, script, "--json"]).object()
    let files = try #require(object["files"] as? [[String: Any]])
    #expect(files.map { $0["kind"] as? String } == ["scenario", "script"])
  }

  @Test func `the object has every problem of every file`() throws {
    let good = try folder.write("good.json", Self.script)
    let bad = try folder.write("bad.json", Self.badScript)
    let absent = folder.path("absent.json5")
    let child = try CommandChild.call(["validate", good, bad, absent, "--json"])
    #expect(child.status == 2)
    let object = try child.object()
    #expect(object["valid"] as? Bool == false)
    let files = try #require(object["files"] as? [[String: Any]])
    #expect(files.map { $0["file"] as? String } == [good, bad, absent])
    #expect(files.map { $0["errors"] as? Int } == [0, 7, 1])
    let problems = try #require(files[1]["problems"] as? [[String: Any]])
    #expect(problems.first?["line"] as? Int == 2)
    #expect(problems.first?["column"] as? Int == 65)
    #expect(problems.first?["severity"] as? String == "error")
    let missing = try #require((files[2]["problems"] as? [[String: Any]])?.first)
    #expect(missing["line"] is NSNull)
    #expect(missing["text"] as? String == "no such file")
  }

  @Test func `all files are looked at even where the first is wrong`() throws {
    let bad = try folder.write("bad.json", "{")
    let worse = try folder.write("worse.json", "[")
    let child = try CommandChild.call(["validate", bad, folder.url.path(), worse])
    #expect(child.status == 2)
    #expect(child.output.contains("\(bad):1:2: error"))
    #expect(child.output.contains("found a folder, expected a file"))
    #expect(child.output.contains("\(worse):1:2: error"))
  }

  @Test func `more problems than are kept are counted`() throws {
    let keys = (0..<10_050).map { "\"zz\($0)\": 1" }.joined(separator: ", ")
    let child = try CommandChild.call(["validate", folder.write("s.json", "{ \"messages\": [], \(keys) }")])
    #expect(child.status == 2)
    #expect(child.lines.last?.hasSuffix("s.json: error: and 50 more") == true)
    #expect(child.errors == "1 file: 10050 errors, 0 warnings\n")
  }

  @Test func `the scenarios that come with it are right`() throws {
    let root = CommandChild.packageRoot
    let files = try ["scenarios", "traces"].flatMap { name in
      try FileManager.default.contentsOfDirectory(atPath: root.appending(path: name).path())
        .filter { $0.hasSuffix(".json5") }.sorted().map { root.appending(path: "\(name)/\($0)").path() }
    }
    #expect(!files.isEmpty)
    let child = try CommandChild.call(["validate"] + files)
    #expect(child.status == 0, "\(child.output)")
    #expect(!child.output.contains(": error: "))
  }

  @Test func `bad usage ends with 2`() throws {
    let path = try folder.write("s.json", Self.script)
    for words in [
      [], [path, "--distance", "0"], [path, "--distance", "nan"], [path, "--time", "soon"], [path, "--time", "1x"],
      [path, "--time", "-5"], [path, "--time", "0s"],
      [path, "--time"], [path, "--jsn"],
    ] {
      let child = try CommandChild.call(["validate"] + words)
      #expect(child.status == 2, "\(words)")
      #expect(child.output.isEmpty)
      #expect(!child.errors.isEmpty)
    }
  }
}
