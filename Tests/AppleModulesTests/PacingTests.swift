import Testing

/// Combine's schedulers in an app under virtual time.
@Suite(.serialized) struct `Combine in a run` {
  @Test func `debounce, throttle, delay, collect, timeout and timers are at exact instants`() throws {
    let run = try AppleRun(phone: ["pace"])
    #expect(run.status == 0, "\(run.text)")
    let start = try #require(run.milliseconds("app.throttled").first)
    func after(_ name: String) -> [Int] { run.milliseconds(name).map { $0 - start } }
    #expect(after("app.debounced") == [700], "\(run.text)")
    #expect(run.events("app.debounced").first?.contains("\"value\":4") == true)
    #expect(after("app.throttled") == [0, 250, 500])
    #expect(after("app.delayed") == [1000, 1100, 1200, 1300, 1400])
    #expect(after("app.collected") == [2000])
    #expect(run.events("app.collected").first?.contains("[0,1,2,3,4]") == true)
    #expect(after("app.timedOut") == [3400])
    #expect(after("app.tick") == [1000, 2000, 3000])
  }

  @Test func `a run is repeated byte for byte`() throws {
    let first = try AppleRun(phone: ["pace", "log"], watch: ["pace"]).trace
    #expect(first.count > 20)
    #expect(try AppleRun(phone: ["pace", "log"], watch: ["pace"]).trace == first)
  }
}
