import Foundation
import Testing
import WatchSim

@testable import Simulator
@testable import Console

@Suite struct ImportCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A run of 3 m a second to the north, a point a second, with a gap of a minute in the middle.
  private static func gpx(points: Int = 240, hasTimes: Bool = true) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="a test" xmlns="http://www.topografix.com/GPX/1/1"
        xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><trk><type>running</type><trkseg>

      """
    for second in 0..<points {
      let clock = second < points / 2 ? second : second + 60
      let latitude = "52.5" + String("\(100_000 + 27 * second)".dropFirst())
      let minute = clock / 60
      let time = "2026-04-12T06:\(minute < 10 ? "0" : "")\(minute):\(clock % 60 < 10 ? "0" : "")\(clock % 60)Z"
      text += "<trkpt lat=\"\(latitude)\" lon=\"13.4\">\(hasTimes ? "<time>\(time)</time>" : "")<extensions>"
      text += "<tpx:TrackPointExtension><tpx:hr>\(120 + second % 10)</tpx:hr></tpx:TrackPointExtension>"
      text += "</extensions></trkpt>\n"
    }
    return text + "</trkseg></trk></gpx>\n"
  }

  @Test func `the object has exactly the fields of the format`() throws {
    let child = try CommandChild.call(["import", folder.write("run.gpx", Self.gpx()), "--json"])
    #expect(child.status == 0, "\(child.errors)")
    let object = try child.object()
    #expect(
      Set(object.keys) == [
        "format", "sport", "start", "elapsedSeconds", "timerSeconds", "distanceMeters", "energyKcal", "samples",
        "averageHeartRate", "maximumHeartRate", "laps", "pauses", "lengths", "strokes",
        "poolLengthMeters", "findings", "replay",
      ])
    #expect(object["format"] as? String == "GPX")
    #expect(object["sport"] as? String == "running")
    #expect(object["start"] as? String == "2026-04-12T06:00:00Z")
    #expect(object["elapsedSeconds"] as? Double == 299)
    #expect(object["samples"] as? Int == 240)
    #expect(object["averageHeartRate"] as? Double == 124.5)
    #expect(object["maximumHeartRate"] as? Int == 129)
    #expect(object["pauses"] as? Int == 1)
    #expect(object["laps"] as? Int == 0)
    let distance = try #require(object["distanceMeters"] as? Double)
    #expect(abs(distance - 717) < 8)
    #expect((object["findings"] as? [String])?.isEmpty == false)
  }

  @Test func `the table tells what was found and what was repaired`() throws {
    let child = try CommandChild.call(["import", folder.write("run.gpx", Self.gpx())])
    #expect(child.status == 0)
    for text in [
      "format      GPX", "sport       running", "elapsed     0:04:59", "pauses      1 (1 inferred)", "Repaired",
    ] {
      #expect(child.output.contains(text), "\(text) in \(child.output)")
    }
    #expect(!child.output.contains("\u{1B}"))
  }

  @Test(arguments: ["-o", "--output"])
  func `a workout becomes a trace that holds`(option: String) throws {
    let workout = try folder.write("run.gpx", Self.gpx())
    let trace = folder.path("run.jsonl")
    let child = try CommandChild.call(["import", workout, option, trace, "--json"])
    #expect(child.status == 0, "\(child.errors)")
    #expect(try child.object()["format"] as? String == "GPX")
    #expect(child.errors.contains("run.jsonl: pass: "))
    #expect(folder.names == ["run.gpx", "run.jsonl"])
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    #expect(text.hasPrefix("{\"trace\":\"wristwire\",\"version\":1,\"scenario\":\"import\","))
    #expect(text.contains("\"startedAt\":\"2026-04-12T06:00:00Z\""))
    #expect(text.contains("\"event\":\"health.saved\""))
    let checked = try CommandChild.call(["check", trace, "--json"]).object()
    #expect(checked["verdict"] as? String == "pass")
    let counters = try #require(checked["counters"] as? [String: Int])
    #expect((counters["snapshot"] ?? 0) > 295)
    // The gap is a pause and a resumption on the watch.
    #expect(text.contains("\"from\":\"running\",\"to\":\"paused\""))
  }

  @Test func `a recorded route is read back unchanged, with its sport and its cadence`() throws {
    let text = Self.gpx(points: 90).replacing("<type>running</type>", with: "<type>road_cycling</type>")
      .replacing("</tpx:hr>", with: "</tpx:hr><tpx:cad>91</tpx:cad>")
    let workout = try folder.write("ride.gpx", text)
    let trace = folder.path("ride.jsonl")
    #expect(try CommandChild.call(["import", workout, "-o", trace]).status == 0)
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    let places = lines.filter { $0.contains("\"event\":\"workout.position\"") }
    let snapshots = lines.filter { $0.contains("\"event\":\"snapshot\"") && $0.contains("\"node\":\"watch\"") }
    #expect(places.count == snapshots.count, "one a second, as the snapshots")
    #expect(places.first?.hasSuffix("\"latitude\":52.5,\"longitude\":13.4}") == true, "\(places.first ?? "")")
    #expect(lines.contains { $0.contains("workout.state") && $0.hasSuffix("\"sport\":\"road_cycling\"}") })
    let export = try CommandChild.call(["export", trace, "-o", folder.path("again.gpx")])
    #expect(export.status == 0 && !export.errors.contains("positions"))
    let again = try String(contentsOfFile: folder.path("again.gpx"), encoding: .utf8)
    #expect(again.contains("<type>road_cycling</type>") && !again.contains("made up"))
    #expect(again.contains("<gpxtpx:cad>91</gpxtpx:cad>"), "revolutions are written as they are")
    for point in 0..<45 {
      let latitude = "52.5" + String("\(100_000 + 27 * point)".dropFirst())
      #expect(again.contains("lat=\"\(latitude)"), "\(latitude)")
    }
    let second = try CommandChild.call(["import", folder.path("again.gpx"), "--json"]).object()
    let first = try CommandChild.call(["import", workout, "--json"]).object()
    let metres = try #require(first["distanceMeters"] as? Double)
    // The first second after a pause begins a segment: its three metres are no leg.
    #expect(abs((second["distanceMeters"] as? Double ?? 0) - metres) < 4)
  }

  @Test func `the watch of a trace keeps its route and its sport`() throws {
    let workout = try folder.write("run.gpx", Self.gpx(points: 90).replacing("running", with: "hiking"))
    let path = folder.path("run.jsonl")
    #expect(try CommandChild.call(["import", workout, "-o", path]).status == 0)
    let trace = try RecordedTrace(path)
    let motion = try TracedMotion(trace).motion
    #expect(motion.sport == "hiking")
    let recorded = try RecordedRun.motion(workout)
    #expect(motion.positions?.count == motion.distanceMillimetres.count)
    #expect(motion.positions?.first == recorded.positions?.first)
    #expect(motion.positions?.last == recorded.positions?.last)
    let replayed = try CommandChild.call(["replay", path, "--workout", workout])
    #expect(replayed.status == 0, "\(replayed.errors)")
  }

  @Test func `a recorded workout gives the same trace in one process and in several`() throws {
    _ = try folder.write("run.gpx", Self.gpx(points: 40))
    let scenario = try folder.write(
      "s.json5", "{ scenario: \"s\", seed: 3, duration: \"2m\", workout: { source: { import: \"run.gpx\" } } }")
    var digests: [String] = []
    for mode in ["in-process", "processes"] {
      let child = try CommandChild.run(["run", scenario, "--mode", mode, "--json"])
      #expect(child.status == 0, "\(child.errors)")
      digests.append(try #require(try child.object()["traceDigest"] as? String))
    }
    #expect(digests[0] == digests[1])
  }

  @Test func `the same workout gives the same trace`() throws {
    let workout = try folder.write("run.gpx", Self.gpx(points: 90))
    for name in ["a.jsonl", "b.jsonl"] {
      #expect(try CommandChild.call(["import", workout, "-o", folder.path(name)]).status == 0)
    }
    #expect(FileManager.default.contentsEqual(atPath: folder.path("a.jsonl"), andPath: folder.path("b.jsonl")))
  }

  @Test func `a workout without times is described, and not run`() throws {
    let workout = try folder.write("run.gpx", Self.gpx(points: 20, hasTimes: false))
    let described = try CommandChild.call(["import", workout, "--json"])
    #expect(described.status == 0)
    let object = try described.object()
    #expect(object["start"] is NSNull)
    #expect((object["findings"] as? [String])?.contains { $0.hasPrefix("not replayable: ") } == true)
    let refused = try CommandChild.call(["import", workout, "-o", folder.path("run.jsonl")])
    #expect(refused.status == 2)
    #expect(refused.output.isEmpty)
    #expect(refused.errors.contains("not replayable: "))
    #expect(folder.names == ["run.gpx"])
  }

  @Test func `a trace that cannot be written leaves nothing behind`() throws {
    let workout = try folder.write("run.gpx", Self.gpx(points: 30))
    #expect(try CommandChild.call(["import", workout, "-o", folder.path("none/run.jsonl")]).status == 3)
    #expect(try CommandChild.call(["import", workout, "-o", folder.url.path()]).status == 2)
    // A full disk; the device is written to as it is, and stays.
    if FileManager.default.fileExists(atPath: "/dev/full") {
      #expect(try CommandChild.call(["import", workout, "-o", "/dev/full"]).status == 3)
      #expect(FileManager.default.fileExists(atPath: "/dev/full"))
    }
    #expect(folder.names == ["run.gpx"])
  }

  @Test func `an older trace is replaced as a whole`() throws {
    let workout = try folder.write("run.gpx", Self.gpx(points: 30))
    let trace = try folder.write("run.jsonl", String(repeating: "old\n", count: 100_000))
    #expect(try CommandChild.call(["import", workout, "-o", trace]).status == 0)
    #expect(try CommandChild.call(["check", trace]).status == 0)
  }

  @Test func `several workouts are listed and one is chosen`() throws {
    let track =
      "<trk><name>N</name><trkseg>"
      + (0..<5).map { second in
        "<trkpt lat=\"1\" lon=\"\(second)\"><time>2026-04-12T06:30:0\(second)Z</time></trkpt>"
      }.joined() + "</trkseg></trk>"
    let path = try folder.write("two.gpx", "<gpx>\(track)\(track)</gpx>")
    let list = try CommandChild.call(["import", path, "--list", "--json"])
    let workouts = try #require(try list.object()["workouts"] as? [[String: Any]])
    #expect(workouts.count == 2 && workouts[1]["number"] as? Int == 2)
    #expect(try CommandChild.call(["import", path, "--list"]).lines.count == 3)
    // The second track repeats the first.
    #expect(try CommandChild.call(["import", path, "--json"]).object()["samples"] as? Int == 5)
    #expect(try CommandChild.call(["import", path, "--workout", "2", "--json"]).object()["samples"] as? Int == 5)
    for number in ["3", "0", "-1", "x"] {
      #expect(try CommandChild.call(["import", path, "--workout", number]).status == 2)
    }
    let scenario = try folder.write(
      "s.json5", "{ scenario: \"s\", workout: { source: { import: \"two.gpx\", workout: 3 } } }")
    let refused = try CommandChild.run(["run", scenario])
    #expect(refused.status == 2 && refused.errors.contains("found 2 workouts"), "\(refused.errors)")
  }

  @Test func `of several activities one is chosen, by the command and by a scenario`() throws {
    let text = ["Biking", "Running"].enumerated().map { index, sport in
      let points = (0..<20).map { second in
        "<Trackpoint><Time>2026-04-12T0\(6 + index):30:\(10 + second)Z</Time>"
          + "<DistanceMeters>\(3 * second)</DistanceMeters></Trackpoint>"
      }
      return "<Activity Sport=\"\(sport)\"><Lap StartTime=\"2026-04-12T0\(6 + index):30:10Z\">"
        + "<TotalTimeSeconds>19</TotalTimeSeconds><Track>\(points.joined())</Track></Lap></Activity>"
    }.joined()
    let path = try folder.write(
      "two.tcx", "<TrainingCenterDatabase><Activities>\(text)</Activities></TrainingCenterDatabase>")
    let refused = try CommandChild.call(["import", path, "-o", folder.path("two.jsonl")])
    #expect(refused.status == 2 && refused.output.isEmpty)
    #expect(refused.errors.contains("found 2 workouts, expected a choice: import --workout N"), "\(refused.errors)")
    #expect(try CommandChild.call(["import", path, "--list"]).lines.count == 3)
    let chosen = try CommandChild.call(["import", path, "--workout", "2", "--json", "-o", folder.path("two.jsonl")])
    #expect(chosen.status == 0, "\(chosen.errors)")
    #expect(try chosen.object()["sport"] as? String == "running")
    // The trace says which one it was.
    #expect(try CommandChild.call(["replay", folder.path("two.jsonl")]).status == 0)
    // One that does not can be given it.
    let trace = try String(contentsOf: folder.url.appending(path: "two.jsonl"), encoding: .utf8)
    let place = "\"import\":\"two.tcx\",\"workout\":2"
    #expect(trace.contains(place))
    let old = try folder.write("old.jsonl", trace.replacing(place, with: "\"import\":\"two.tcx\""))
    let unchosen = try CommandChild.call(["replay", old])
    #expect(unchosen.status == 2 && unchosen.errors.contains("or in the header of a trace"), "\(unchosen.errors)")
    for (choice, status) in [("", 2), (", workout: 1", 0)] {
      let scenario = try folder.write(
        "s.json5", "{ scenario: \"s\", duration: \"30s\", workout: { source: { import: \"two.tcx\"\(choice) } } }")
      let child = try CommandChild.run(["run", scenario])
      #expect(child.status == status, "\(child.errors)")
      let isTold = child.errors.contains("\"workout\": N beside \"import\" in a scenario")
      #expect(isTold == (status == 2), "\(child.errors)")
    }
  }

  @Test func `what is no workout is refused with its place`() throws {
    for (name, text) in [("a.gpx", ""), ("b.gpx", "<gpx><trk></gpx>"), ("c.fit", ".FIT"), ("d.txt", "hello")] {
      let path = try folder.write(name, text)
      let child = try CommandChild.call(["import", path, "--json"])
      #expect(child.status == 2, "\(name): \(child.output)")
      #expect(child.output.isEmpty)
      #expect(child.errors.hasPrefix("\(path):"))
      #expect(child.errors.contains("expected"))
    }
    #expect(try CommandChild.call(["import", folder.path("absent.fit")]).status == 2)
    #expect(try CommandChild.call(["import"]).status == 2)
  }
}
