@testable import LiveView
import Foundation
import Link
import Testing

@testable import Simulator
@testable import TraceTools
@testable import Commands

@Suite struct LiveScreenTests {
  /// A state from a run of the fixture, up to a time.
  private func state(upTo seconds: Double) throws -> (LiveState, VirtualTime) {
    let (scenario, _) = Scenario.read(Array(TraceFixture.scenario(expect: "[]").utf8), file: "s", folder: "/")
    var state = LiveState(scenario)
    var teller = Storyteller(header: scenario.header)
    let end = VirtualTime(nanoseconds: Int64(seconds * 1e9))
    var options = RunOptions()
    options.onEvent = { event, line in
      guard event.time <= end else { return }
      state.observe(event, story: teller.observe(event, line: line))
    }
    _ = try ScenarioRun.run(scenario, options)
    return (state, end)
  }

  @Test func `a screen says what both sides know, and what is wrong`() throws {
    let (state, now) = try state(upTo: 92)
    let screen = LiveScreen(columns: 100, rows: 30, isColored: false)
    let lines = screen.text(state, position: now, clock: LiveClock(factor: 20, at: .now))
    let text = lines.joined(separator: "\n")
    #expect(lines.count == 30)
    #expect(lines[0].hasPrefix("check-me, seed 7") && lines[0].hasSuffix("20x"))
    #expect(lines[1].hasPrefix("1:32 of ") && lines[1].contains(" ━"))
    #expect(text.contains("WATCH  running"))
    #expect(text.contains("watch silent, heard 13 s ago") || text.contains("watch silent, heard 12 s ago"))
    #expect(text.contains("link CUT"))
    #expect(text.contains("disconnect (disconnect-"))
    #expect(text.contains("link: the link is cut"))
    #expect(text.contains("said \"Another one.\"") || text.contains("says \"Another one.\""))
  }

  @Test func `the bar ends where the runner is about to end, and at the limit where that is unknown`() throws {
    let (early, start) = try state(upTo: 0)
    #expect(early.end(at: start) == .start + early.duration)
    // The end that the run really has.
    let (last, _) = try state(upTo: 1e6)
    #expect(last.hasHealed)
    let end = VirtualTime(nanoseconds: Int64(last.watch.elapsed * 1e9))
    for seconds in [40.0, 92] {
      let (state, now) = try state(upTo: seconds)
      let off = abs((state.end(at: now) - end).seconds)
      #expect(off < 15, "at \(seconds) s: \(off) s off")
    }
  }

  @Test func `the line of keys fits 80 columns and a notice takes its place`() throws {
    let (state, now) = try state(upTo: 30)
    var screen = LiveScreen(columns: 200, rows: 24, isColored: false)
    let foot = try #require(screen.text(state, position: now, clock: LiveClock(factor: 1, at: .now)).last)
    #expect(foot.count <= 80 && foot.contains("+- speed"), "\(foot)")
    screen.notice = "this run has no uplink"
    #expect(screen.text(state, position: now, clock: LiveClock(factor: 1, at: .now)).last == screen.notice)
  }

  @Test func `scrolling back shows earlier sentences, and says how many come later`() throws {
    let (state, now) = try state(upTo: 130)
    var screen = LiveScreen(columns: 100, rows: 16, isColored: false)
    func text() -> String {
      screen.text(state, position: now, clock: LiveClock(factor: 1, at: .now)).joined(separator: "\n")
    }
    let first = try #require(state.story.first?.text)
    #expect(state.story.count > 8 && !text().contains(first))
    screen.scrolled = state.story.count - 1
    #expect(text().contains(first) && text().contains("... \(state.story.count - 1) later sentences"), "\(text())")
    screen.scrolled = 100_000
    #expect(text().contains(first))
  }

  @Test(arguments: [
    ([0x63], [LiveKey.byte(0x63)]), ([0x1B, 0x5B, 0x41], [.up]), ([0x1B, 0x4F, 0x42, 0x71], [.down, .byte(0x71)]),
    ([0x1B, 0x5B, 0x35, 0x7E, 0x1B, 0x5B, 0x36, 0x7E], [.pageUp, .pageDown]),
    ([0x1B, 0x5B, 0x31, 0x3B, 0x35, 0x43], []), ([0x1B], []), ([0x1B, 0x5B], []), ([0x1B, 0x71], [.byte(0x71)]),
    ([0x1A], [.suspend]), ([0x1B, 0x5B, 0x48, 0x1B, 0x5B, 0x34, 0x7E], [.home, .end]),
  ])
  func `keys are read from what a terminal sends`(bytes: [UInt8], expected: [LiveKey]) {
    #expect(LiveKey.read(bytes) == expected)
  }

  @Test func `time in which the process was stopped is none of the run's`() {
    let begin = ContinuousClock.now
    var clock = LiveClock(factor: 10, at: begin)
    clock.skip(.seconds(60))
    #expect(clock.time(at: begin + .seconds(61)) == VirtualTime(nanoseconds: 10_000_000_000))
  }

  @Test func `nothing is wider or higher than the window, however small`() throws {
    let (state, now) = try state(upTo: 130)
    for columns in Array(1...70) + [100, 250] {
      for rows in [1, 2, 5, 10, 24, 60] {
        for help in [false, true] {
          var screen = LiveScreen(columns: columns, rows: rows, isColored: false)
          screen.showsHelp = help
          let lines = screen.text(state, position: now, clock: LiveClock(factor: 1, at: .now))
          #expect(lines.count == rows)
          #expect(
            lines.allSatisfy { $0.count <= columns }, "\(columns) x \(rows): \(lines.max { $0.count < $1.count } ?? "")"
          )
        }
      }
    }
  }

  @Test func `the keys can be read in a small window, and the way out everywhere`() throws {
    let (state, now) = try state(upTo: 30)
    for columns in 14...120 {
      let screen = LiveScreen(columns: columns, rows: 24, isColored: false)
      let foot = try #require(screen.text(state, position: now, clock: LiveClock(factor: 1, at: .now)).last)
      #expect(foot.hasPrefix("? keys  q quit") && !foot.contains("…"), "\(columns): \(foot)")
    }
    var screen = LiveScreen(columns: 44, rows: LiveScreen.keys.count + 1, isColored: false)
    screen.showsHelp = true
    let lines = screen.text(state, position: now, clock: LiveClock(factor: 1, at: .now))
    for (key, does) in LiveScreen.keys {
      #expect(lines.contains { $0.hasPrefix(key) && $0.hasSuffix(does) }, "\(key)")
    }
  }

  @Test func `a narrow window still has time, distance, pace and heart rate`() throws {
    let (state, now) = try state(upTo: 130)
    let screen = LiveScreen(columns: 20, rows: 24, isColored: false)
    let text = screen.text(state, position: now, clock: LiveClock(factor: 1, at: .now)).joined(separator: "\n")
    for word in ["WATCH", "PHONE", "km", "bpm", "link up"] { #expect(text.contains(word), "\(word)") }
  }

  @Test func `keys are commands, by how things are`() throws {
    let (before, _) = try state(upTo: 70)
    let (during, _) = try state(upTo: 92)
    var clock = LiveClock(factor: 20, at: .now)
    func words(_ key: Character, _ state: LiveState) -> String? {
      LiveView.command(for: key.asciiValue ?? 0, state, clock)?.joined(separator: " ")
    }
    #expect(words("c", before) == "link down")
    #expect(words("c", during) == "link up")
    #expect(words("u", before) == nil)
    #expect(words("p", before) == "kill phone")
    #expect(words("l", before) == "fault add loss --probability 0.3")
    #expect(words(" ", before) == "pause")
    #expect(words("+", before) == "speed 40x" && words("-", before) == "speed 10x")
    #expect(words("x", before) == nil)
    clock.setPaused(true, at: .start, now: .now)
    #expect(words(" ", before) == "resume")
    // Every key that is shown is a command, or changes only what is shown.
    for (key, _) in LiveScreen.keys where !["?", "↑ ↓", "^Z", ",", ".", "<", ">", "b"].contains(key) {
      let first = try #require(key.first)
      let byte = key == "space" ? UInt8(ascii: " ") : try #require(first.asciiValue)
      guard let words = LiveView.command(for: byte, before, clock) else {
        #expect(key == "u" || key == "1 - 9")
        continue
      }
      #expect(throws: Never.self) { try ControlCommand(words, hasEdge: false) }
    }
  }

  @Test func `digits do the scenario's different acts, and the page of keys lists them`() throws {
    let text = """
      { scenario: "s", duration: "60s", phone: { acts: [
        { at: "1s", do: "start", with: { run: "A\\u001B[2K b" } }, { at: "2s", do: "stop" }, { at: "3s", do: "stop" } ] },
        watch: { acts: [{ at: "1s", do: "stop" }] } }
      """
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors })
    let state = LiveState(scenario)
    let clock = LiveClock(factor: 1, at: .now)
    func words(_ key: Character) -> [String]? { LiveView.command(for: key.asciiValue ?? 0, state, clock) }
    let all = ["1", "2", "3"].compactMap { words($0) }
    #expect(
      Set(all.map { $0.prefix(3).joined(separator: " ") }) == ["act phone start", "act phone stop", "act watch stop"])
    #expect(words("4") == nil && words("0") == nil)
    for words in all {
      guard case .order(.act(let act))? = try? ControlCommand(words, hasEdge: false) else {
        Issue.record("no act: \(words)")
        continue
      }
      #expect(scenario.acts.contains { $0.isSame(as: act) })
    }
    var screen = LiveScreen(columns: 80, rows: 40, isColored: false)
    screen.showsHelp = true
    let lines = screen.text(state, position: .start, clock: clock)
    #expect(lines.contains { $0.contains("phone start {\"run\":\"A") } && !lines.contains { $0.contains("\u{1B}") })
    #expect(lines.contains { $0.contains("watch stop") })
  }
}
