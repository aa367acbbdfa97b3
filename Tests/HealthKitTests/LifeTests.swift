import Testing
import WristwireTesting

/// The life of an app: tasks in the background, wakes for content, and memory.
@Suite(.serialized) struct `Life of an app` {
  private static let asleep = "{ at: \"20s\", for: \"90s\", suspend: \"watch\", wake: true }"

  /// The seconds at which the system ended an app because of a task.
  private func deaths(in run: Simulation.Run) -> [Int64] {
    String(decoding: run.trace, as: UTF8.self).split(separator: "\n").filter { $0.contains("\"backgroundTask\"") }
      .map { (Int64($0.dropFirst(5).prefix(while: \.isNumber)) ?? 0) / 1_000_000_000 }
  }

  private func findings(in run: Simulation.Run) -> Int {
    String(decoding: run.trace, as: UTF8.self).split(separator: "\n").count {
      $0.contains("\"app.finding\"") && $0.contains("a task in the background was not completed")
    }
  }

  private func content(_ way: String, _ more: [String] = [], duration: String = "150s") async throws -> Simulation.Run {
    try await ProbeRuns.run(
      ["1s link", "2s way {\"is\":\"\(way)\"}"], ["1s link", "40s info {\"n\":1}", "40s info {\"n\":2}"] + more,
      faults: Self.asleep, duration: duration)
  }

  @Test func `content wakes a watch's app behind the foreground, with one task before it`() async throws {
    let run = try await content("ends")
    let task = try #require(run.facts("task", on: .watch).first)
    #expect(run.facts("task", on: .watch).count == 1)
    #expect(task.flag("content") == true && task.flag("pending") == true && task.integer("state") == 2)
    // Within 2 to 10 s, and what came in between with it.
    #expect(task.time > .seconds(42) && task.time < .seconds(52))
    let names = ProbeRuns.order(of: run) { name, _ in ["task", "info", "tasksEnded"].contains(name) }
    #expect(names == ["task", "info", "info", "tasksEnded"])
    // The user comes at the end of the sleep.
    let fronts = run.facts("life", on: .watch).filter { $0.string("call") == "didBecomeActive" }
    #expect(fronts.count == 2 && fronts.last.map { $0.time >= .seconds(110) } == true)
    #expect(deaths(in: run).isEmpty && findings(in: run) == 0)
  }

  @Test func `a second wake for content comes an hour later, and in front there is no task`() async throws {
    let run = try await content("ends", ["80s info {\"n\":3}", "130s info {\"n\":4}"])
    #expect(run.facts("task", on: .watch).count == 1)
    let third = try #require(run.facts("info", on: .watch).first { $0.integer("n") == 3 })
    #expect(third.time >= .seconds(110))
    #expect(run.facts("info", on: .watch).count == 4)
  }

  @Test func `a watch's task that is kept ends the app after 15 s, and one that its handler completes does not`()
    async throws
  {
    let kept = try await content("keeps")
    let begun = try #require(kept.facts("task", on: .watch).first)
    try #require(deaths(in: kept).count == 1)
    #expect(findings(in: kept) == 1)
    let seconds = begun.time.components.seconds
    #expect((seconds + 15...seconds + 16).contains(deaths(in: kept)[0]))
    let expires = try await content("expires")
    #expect(expires.facts("expires", on: .watch).count == 1)
    #expect(deaths(in: expires).isEmpty && findings(in: expires) == 0)
  }

  private func phone(_ way: String) async throws -> Simulation.Run {
    try await ProbeRuns.run(
      [], ["2s way {\"is\":\"\(way)\"}"], faults: "{ at: \"20s\", for: \"90s\", suspend: \"phone\" }")
  }

  @Test func `a phone's task keeps it awake for 30 s, after which the system ends an app that has not ended it`()
    async throws
  {
    let kept = try await phone("keeps")
    #expect(kept.facts("expires", on: .phone).map(\.time.components.seconds) == [49])
    #expect(deaths(in: kept) == [50] && findings(in: kept) == 1)
    let expires = try await phone("expires")
    #expect(expires.facts("expires", on: .phone).count == 1 && deaths(in: expires).isEmpty)
    let soon = try await phone("soon")
    let ended = try #require(soon.facts("phoneTaskEnded").first)
    #expect(ended.time.components.seconds == 25)
    #expect((24...26).contains(ended.number("left") ?? 0))
    #expect(deaths(in: soon).isEmpty && soon.facts("expires").isEmpty)
  }

  @Test func `a message wakes the phone's app behind the foreground, and the user brings it to the front`()
    async throws
  {
    let run = try await ProbeRuns.run(
      ["1s link", "40s message"], ["1s link", "45s appear"],
      faults: "{ at: \"20s\", for: \"90s\", suspend: \"phone\" }")
    #expect(run.facts("message", on: .phone).compactMap { $0.integer("state") } == [2])
    let fronts = run.facts("life", on: .phone).filter { $0.string("call") == "didBecomeActive" }
    #expect(fronts.map(\.time.components.seconds) == [0, 45, 110])
  }

  @Test func `a running phone app gets a memory warning`() async throws {
    let low = { (node: String) in "{ at: \"40s\", for: \"10s\", systemFlaw: \"\(node)\", flaw: \"memoryLow\" }" }
    let run = try await ProbeRuns.run([], [], faults: low("phone") + ", " + low("watch"))
    #expect(run.facts("memory", on: .phone).compactMap { $0.string("by") } == ["delegate", "notification"])
    #expect(run.facts("memory", on: .watch).isEmpty)
    let asleep = try await ProbeRuns.run(
      [], [], faults: low("phone") + ", { at: \"20s\", for: \"60s\", suspend: \"phone\" }")
    #expect(asleep.facts("memory").isEmpty)
  }
}
