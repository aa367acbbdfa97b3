import Foundation
import Link
import Testing

@testable import TraceTools
@testable import Console

@Suite struct `Stories of runs in which the phone is wrong` {
  @Test(arguments: [
    (
      "late-pause", "5:40",
      "believes that the workout is paused, by a message 100 s older than what it knew; in truth it has been on since"
    ),
    (
      "resurrection", "5:01",
      "believes again that a workout is on, by a message 2 s older than what it knew; in truth it ended"
    ),
    ("phantom-run", "2:00", "in truth the watch's own workout has been on since 0:03"),
  ])
  func `a wrong belief is shown when it arises, next to the truth and the violation`(
    name: String, at: String, text: String
  ) throws {
    let story = PlantedRun.story(try PlantedRun.trace(name))
    let wrong = try #require(story.first { $0.text.contains("in truth") })
    #expect(StoryText.clock(wrong.time) == at)
    #expect(wrong.text.contains(text), "\(wrong.text)")
    let broken = try #require(story.first { $0.tone == .broken })
    #expect(StoryText.clock(broken.time) == at)
    #expect(story.map(\.time) == story.map(\.time).sorted())
  }

  @Test(arguments: ["late-pause", "resurrection", "phantom-run"])
  func `a phone without the bug is never wrong in its story`(name: String) throws {
    let story = PlantedRun.story(try PlantedRun.trace(name, isPlanted: false))
    #expect(!story.contains { $0.tone == .broken || $0.text.contains("in truth") })
  }

  @Test(arguments: [
    ("half-file", "takes 49,152 bytes for the voice note, which has 166,667", "note, whole"),
    (
      "double-delivery", "passes over \"Another mark is behind you.\" at 200 m, though it said so at 1:04",
      "arrived there"
    ),
    ("script-502", "says that the workout is over, but it is on", "workout: the workout is over"),
    ("peer-restart-ends", "believes that the workout has ended; in truth it has been on", "by a message from"),
    ("session-twice", ", 1 row\n", ", 1 rows"),
  ])
  func `what a phone with a bug says is not taken for the truth`(name: String, right: String, wrong: String) throws {
    let told = PlantedRun.story(try PlantedRun.trace(name)).map(\.text).joined(separator: "\n")
    #expect(told.contains(right), "\(told)")
    #expect(!told.contains(wrong), "\(told)")
  }

  @Test func `repeated violations are counted, and come after what they are about`() throws {
    let story = PlantedRun.story(try PlantedRun.trace("clock-skew"))
    let broken = story.filter(\.isBroken)
    #expect(broken.count == 1 && broken[0].text.hasSuffix("; and 19 more times, the last at 0:20"), "\(broken)")
    let phantom = PlantedRun.story(try PlantedRun.trace("phantom-run"))
    let wrong = try #require(phantom.firstIndex { $0.text.contains("in truth") })
    #expect(phantom[wrong + 1].isBroken)
  }

  @Test func `a story can be filtered`() throws {
    let trace = try PlantedRun.trace("late-pause")
    let all = PlantedRun.story(trace)
    var filter = StoryFilter(node: "phone")
    #expect(PlantedRun.story(trace, filter).allSatisfy { [.phone, .coach].contains($0.voice) })
    filter = StoryFilter(event: "run.")
    let runs = PlantedRun.story(trace, filter)
    #expect(!runs.isEmpty && runs.allSatisfy { $0.voice == .phone })
    filter = StoryFilter()
    filter.window = ExportWindow(from: .start + .seconds(330), to: .start + .seconds(345))
    let part = PlantedRun.story(trace, filter)
    #expect(!part.isEmpty && part.count < all.count)
    #expect(part.allSatisfy { filter.window.contains($0.time) })
  }

  @Test func `the command prints the story, and the exporter the same with the numbers`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let trace = try PlantedRun.trace("late-pause")
    try Data(trace.bytes).write(to: folder.appending(path: "t.jsonl"))
    let told = try Tool(["story", "t.jsonl", "--from", "5:30", "--to", "345s"], in: folder).finish()
    #expect(told.status == 0)
    #expect(told.output.contains("5:40  run    belief-is-newest is broken: the phone believed"))
    #expect(!told.output.contains("\\u000A"))
    let text = try Tool(["export", "t.jsonl", "--format", "text"], in: folder).finish()
    #expect(text.output.contains("belief-is-newest is broken") && text.output.contains("radio "))
    let wrong = try Tool(["story", "t.jsonl", "--node", "phnoe"], in: folder).finish()
    #expect(wrong.status == 2 && wrong.errors.contains("did you mean \"phone\"?"))
  }

  @Test func `what could not be sent is in the story once a minute, and counted`() throws {
    typealias S = StoryEvents
    let refused = { (seconds: Double, kind: String) in
      S.event("message.refused", seconds, .phone, ["kind": .string(kind), "error": .string("notReachable")])
    }
    let events = [
      refused(10, "hapticCue"), refused(20, "hapticCue"), refused(30, "liveMetrics"), refused(71, "hapticCue"),
      S.event("session.deactivated", 80, .phone),
    ]
    #expect(
      try S.tell(events) == [
        "    0:10  phone  cannot send \"hapticCue\": notReachable",
        "    1:11  phone  cannot send \"hapticCue\": notReachable",
        "    1:20  phone  its session is deactivated: the runner switches watches",
      ])
    #expect(try S.summary(events)["sends"] == "3 refused or failed: 3 notReachable")
  }
}
