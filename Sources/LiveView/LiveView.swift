package import Console
import Foundation
import Link
package import Simulator

/// The live view of a run: draws it, and turns keys into commands.
package final class LiveView: ControlSource {
  private let terminal: LiveTerminal
  private let isColored: Bool
  private weak var control: RunControl?
  private var drawnAt: ContinuousClock.Instant?
  private var showsHelp = false
  /// How many sentences the timeline is scrolled back; 0 follows the run.
  private var scrolled = 0
  /// The instant that is shown instead of the run's; nil follows the run.
  private var viewed: VirtualTime?
  /// The instant at which a step beyond the present ends; nil for no such step.
  private var target: VirtualTime?
  /// Whether the next key chooses the fault of a branch.
  private var isChoosing = false
  private var branch: LiveBranch?
  /// The run as a scenario, with what keys did to it so far.
  private let scenario: (RunControl) -> Scenario
  /// An answer to a key, and until when it is shown.
  private var notice: (text: String, until: ContinuousClock.Instant)?
  private static let noticeSeconds = 3

  /// Takes over the terminal until ``end()``.
  ///
  /// - Parameter scenario: The run as a scenario, with what keys did to it so far.
  package init(_ control: RunControl, scenario: @escaping (RunControl) -> Scenario) throws(Failure) {
    terminal = try LiveTerminal()
    self.scenario = scenario
    isColored = Terminal.hasColor
    self.control = control
    control.keepsHistory = true
    control.sources.append(self)
    control.onRefresh = { [weak self] in self?.refresh() }
  }

  /// Restores the terminal.
  package func end() { terminal.restore() }

  /// Redraws, at most twenty times a second.
  private func refresh() {
    if let control, let target, control.position >= target {
      self.target = nil
      order(["pause"], control)
    }
    let now = ContinuousClock.now
    if let drawnAt, drawnAt.duration(to: now) < .milliseconds(50) { return }
    drawnAt = now
    draw()
  }

  private func draw() {
    guard let control else { return }
    // Read every time, so that the next picture fits a resized window.
    let (columns, rows) = terminal.dimensions
    var screen = LiveScreen(columns: columns, rows: rows, isColored: isColored)
    screen.showsHelp = showsHelp
    screen.scrolled = scrolled
    if let notice, notice.until > .now { screen.notice = notice.text }
    let instant = viewed.map { min($0, control.position) } ?? control.position
    screen.isPast = instant < control.position
    screen.panel = panel(columns: columns, rows: rows)
    let state = screen.isPast ? control.history.state(at: instant) ?? control.state : control.state
    let lines = screen.text(state, position: instant, clock: control.clock)
    terminal.show(lines, columns: columns, rows: rows)
  }

  /// The choice of a fault, or the two futures; nil for neither.
  private func panel(columns: Int, rows: Int) -> [String]? {
    if isChoosing {
      return ["branch from here with:"] + LiveBranch.choices.map { "  \($0.key)  \($0.name)" } + ["any other key: back"]
    }
    return branch?.lines(columns: columns, rows: rows, isColored: isColored)
  }

  // MARK: Keys

  package var descriptors: [Int32] { [0] }

  package func readCommands(for control: RunControl) {
    let bytes = terminal.keys()
    // A closed terminal is readable without input: its user is gone.
    if bytes.isEmpty { return }
    for key in LiveKey.read(bytes) {
      switch key {
      case .byte(let byte): press(byte, control)
      case .suspend: suspend(control)
      default: scroll(key, control.state.story.count)
      }
    }
    drawnAt = nil
  }

  private func press(_ byte: UInt8, _ control: RunControl) {
    do {
      if byte == UInt8(ascii: "?") { showsHelp.toggle() }
      if navigate(Character(Unicode.Scalar(byte)), control) { return }
      if byte == UInt8(ascii: "u"), control.state.isUplinkUp == nil { say("this run has no uplink") }
      guard let words = Self.command(for: byte, control.state, control.clock) else { return }
      guard viewed == nil || words == ["stop"] else {
        say("this is the past: b branches from here, space goes on")
        return
      }
      _ = try control.handle(words, by: .key, from: self, asker: nil)
    } catch {
      say(error.text)
    }
  }

  /// Handles keys that look at other instants and futures; false for all others.
  private func navigate(_ key: Character, _ control: RunControl) -> Bool {
    if isChoosing {
      isChoosing = false
      if let choice = LiveBranch.choices.first(where: { $0.key == key }) { makeBranch(choice, control) }
      return true
    }
    let now = viewed ?? control.position
    switch key {
    case ",": show(at: now + .seconds(-1), control)
    case ".": if viewed == nil { stepForward(control) } else { show(at: now + .seconds(1), control) }
    case "<": show(at: control.history.sentence(before: now) ?? now, control)
    case ">": show(at: control.history.sentence(after: now) ?? control.position, control)
    case "b":
      guard branch == nil else {
        branch = nil
        return true
      }
      pause(control)
      isChoosing = true
    case " " where viewed != nil || branch != nil:
      (viewed, branch) = (nil, nil)
      if control.clock.isPaused { order(["resume"], control) }
    default: return false
    }
    return true
  }

  /// Shows an earlier instant of the run, which pauses; a future instant shows the present.
  private func show(at instant: VirtualTime, _ control: RunControl) {
    pause(control)
    branch = nil
    let first = control.history.begin ?? .start
    viewed = instant >= control.position ? nil : max(instant, first)
  }

  /// Lets the run continue for a second.
  private func stepForward(_ control: RunControl) {
    branch = nil
    target = control.position + .seconds(1)
    if control.clock.isPaused { order(["resume"], control) }
  }

  private func pause(_ control: RunControl) {
    target = nil
    if !control.clock.isPaused { order(["pause"], control) }
  }

  private func order(_ words: [String], _ control: RunControl) {
    do { _ = try control.handle(words, by: .key, from: self, asker: nil) } catch { say(error.text) }
  }

  private func makeBranch(_ choice: LiveBranch.Choice, _ control: RunControl) {
    let run = scenario(control)
    guard run.programs.isEmpty else {
      say("a run with programs of its own has no branches")
      return
    }
    do { branch = try LiveBranch(run, at: viewed ?? control.position, choice) } catch { say(error.text) }
  }

  private func say(_ text: String) {
    notice = (TerminalText.escape(text), .now + .seconds(Self.noticeSeconds))
  }

  /// Gives the terminal to the shell; the run's clock does not count the time until it returns.
  private func suspend(_ control: RunControl) {
    let begin = ContinuousClock.now
    terminal.suspend()
    control.skip(begin.duration(to: .now))
  }

  private func scroll(_ key: LiveKey, _ count: Int) {
    let page = max(1, terminal.dimensions.rows / 2)
    switch key {
    case .up: scrolled += 1
    case .down: scrolled -= 1
    case .pageUp: scrolled += page
    case .pageDown: scrolled -= page
    case .home: scrolled = count
    default: scrolled = 0
    }
    scrolled = min(max(scrolled, 0), max(0, count - 1))
  }

  package func answer(_ asker: Int?, _ outcome: LiveOutcome) { drawnAt = nil }

  /// The command of a key in the current state; nil for a key without one.
  static func command(for byte: UInt8, _ state: LiveState, _ clock: LiveClock) -> [String]? {
    switch Character(Unicode.Scalar(byte)) {
    case "c": return ["link", state.isLinkUp ? "down" : "up"]
    case "u": return state.isUplinkUp.map { ["uplink", $0 ? "down" : "up"] }
    case "l": return toggle("loss", ["--probability", "0.3"], state)
    case "d": return toggle("delay", ["--mean", "2s"], state)
    case "p": return state.phone.isUp ? ["kill", "phone"] : ["restart", "phone"]
    case "w": return state.watch.isUp ? ["kill", "watch"] : ["restart", "watch"]
    case " ": return [clock.isPaused ? "resume" : "pause"]
    case "+", "=": return ["speed", speed(clock, times: 2)]
    case "-": return ["speed", speed(clock, times: 0.5)]
    case "m": return ["mark", String(state.marks + 1)]
    case "q": return ["stop"]
    case let key:
      guard let number = key.wholeNumberValue, state.acts.indices.contains(number - 1) else { return nil }
      return state.acts[number - 1].words
    }
  }

  /// Begins a fault of a kind, or ends the one that a key or `ctl` has begun.
  private static func toggle(_ kind: String, _ options: [String], _ state: LiveState) -> [String] {
    if let on = state.faults.first(where: { $0.kind == kind && $0.id.hasPrefix("live-") }) {
      return ["fault", "remove", on.id]
    }
    return ["fault", "add", kind] + options
  }

  private static func speed(_ clock: LiveClock, times: Double) -> String {
    let factor = min(max((clock.factor ?? 1) * times, 0.125), 4_096)
    return TraceValue.number(factor, places: 3).jsonText + "x"
  }
}

/// Keys as a terminal sends them: bytes, or sequences that begin with ESC.
enum LiveKey: Equatable {
  case byte(UInt8)
  case up, down, pageUp, pageDown, home, end
  /// Ctrl-Z.
  case suspend

  /// Reads all that came at once; sequences without a meaning here are skipped.
  static func read(_ bytes: [UInt8]) -> [LiveKey] {
    var keys: [LiveKey] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1A: keys.append(.suspend)
      case 0x1B:
        guard let second = rest.first, second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { continue }
        rest.removeFirst()
        // Parameters, then the letter or tilde that ends the sequence (ECMA-48).
        let parameters = rest.prefix { (0x20...0x3F).contains($0) }
        rest.removeFirst(parameters.count)
        guard let final = rest.popFirst() else { continue }
        if let key = named(final, parameters) { keys.append(key) }
      default: keys.append(.byte(byte))
      }
    }
    return keys
  }

  private static func named(_ final: UInt8, _ parameters: ArraySlice<UInt8>) -> LiveKey? {
    switch (final, parameters.first) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), UInt8(ascii: "1")), (UInt8(ascii: "~"), UInt8(ascii: "7")): .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), UInt8(ascii: "4")), (UInt8(ascii: "~"), UInt8(ascii: "8")): .end
    case (UInt8(ascii: "~"), UInt8(ascii: "5")): .pageUp
    case (UInt8(ascii: "~"), UInt8(ascii: "6")): .pageDown
    default: nil
    }
  }
}
