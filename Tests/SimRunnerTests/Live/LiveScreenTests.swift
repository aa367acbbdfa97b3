import Foundation
import Link
import Testing

@testable import sim_runner

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
    #expect(lines[1].hasPrefix("1:32 of 10:00 ━"))
    #expect(text.contains("WATCH  running"))
    #expect(text.contains("watch silent, heard 13 s ago") || text.contains("watch silent, heard 12 s ago"))
    #expect(text.contains("link CUT"))
    #expect(text.contains("disconnect (disconnect-"))
    #expect(text.contains("link: the link is cut"))
    #expect(text.contains("said \"Another one.\"") || text.contains("says \"Another one.\""))
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
    var screen = LiveScreen(columns: 44, rows: 12, isColored: false)
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
    // Every key that is shown is a command or the page of keys itself.
    for (key, _) in LiveScreen.keys where key != "?" {
      let first = try #require(key.first)
      let byte = key == "space" ? UInt8(ascii: " ") : try #require(first.asciiValue)
      guard let words = LiveView.command(for: byte, before, clock) else {
        #expect(key == "u")
        continue
      }
      #expect(throws: Never.self) { try ControlCommand(words, hasEdge: false) }
    }
  }
}
