import Foundation
import Link
import Testing

/// The live view on a real terminal, as tmux gives one.
@Suite(.serialized) struct LiveTerminalTests {
  private static let scenario = """
    { scenario: "seen", seed: 3, duration: "20m", workout: { source: { model: { distance: 2000, pace: "5:00/km" } } } }
    """

  @Test func `keys break the link and are recorded, a window changes its size, and the terminal is restored`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let window = try TerminalWindow(folder) else { return }
    try Data(Self.scenario.utf8).write(to: folder.appending(path: "s.json5"))
    // Slow enough that the run waits for the test.
    let run = "\(Tool.path) run s.json5 --mode in-process --time 0.05x --trace t.jsonl --save saved.json5"
    try window.enter("stty -a > before; \(run); stty -a > after; echo FINISHED-$?")
    #expect(try window.wait(for: "seen, seed 3"))
    #expect(try window.wait(for: "link up"))
    try window.type("c")
    #expect(try window.wait(for: "link CUT"))
    try window.type("l")
    #expect(try window.wait(for: "loss (live-2)"))
    try window.type("p")
    #expect(try window.wait(for: "PHONE  app down"))
    try window.type(" ")
    #expect(try window.wait(for: "paused"))
    try window.type("m")
    #expect(try window.wait(for: "marked by hand: 1"))
    try window.run("resize-window", "-x", "20", "-y", "20")
    #expect(try window.wait(for: "seen, seed 3  paused"))
    try window.run("resize-window", "-x", "90", "-y", "30")
    #expect(try window.wait(for: "c cut  l loss"))
    try window.type("?")
    #expect(try window.wait(for: "cut or restore the link"))
    try window.type("q")
    #expect(try window.wait(for: "FINISHED-0"))
    #expect(try window.screen().contains("STOPPED"))
    let (before, after) = (
      try String(contentsOf: folder.appending(path: "before"), encoding: .utf8),
      try String(contentsOf: folder.appending(path: "after"), encoding: .utf8)
    )
    #expect(before == after)
    let trace = try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8)
    let commands = trace.split(separator: "\n").filter { $0.contains(#""event":"control","by":"key""#) }
    #expect(commands.count == 5)
    let saved = try String(contentsOf: folder.appending(path: "saved.json5"), encoding: .utf8)
    for word in ["live-1", "live-2", "kill: \"phone\""] { #expect(saved.contains(word)) }
  }

  @Test func `Ctrl-Z gives the shell its terminal, fg continues, and keys answer in 80 columns`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let window = try TerminalWindow(folder, columns: 80, shell: "bash --norc --noprofile -i") else { return }
    try Data(Self.scenario.utf8).write(to: folder.appending(path: "s.json5"))
    try window.enter("stty -a > before")
    try window.enter("\(Tool.path) run s.json5 --mode in-process --time 0.05x")
    #expect(try window.wait(for: "+- speed"))
    try window.type("u")
    #expect(try window.wait(for: "this run has no uplink"))
    try window.run("send-keys", "C-z")
    #expect(try window.wait(for: "Stopped"))
    try window.enter("stty -a > stopped; echo SHELL-$((40+2))")
    #expect(try window.wait(for: "SHELL-42"))
    try window.enter("fg")
    #expect(try window.wait(for: "+- speed"))
    try window.type("c")
    #expect(try window.wait(for: "link CUT"))
    try window.run("send-keys", "Up")
    #expect(try window.wait(for: "1 later sentence; End follows the run"))
    try window.type("q")
    #expect(try window.wait(for: "STOPPED"))
    let (before, stopped) = (
      try String(contentsOf: folder.appending(path: "before"), encoding: .utf8),
      try String(contentsOf: folder.appending(path: "stopped"), encoding: .utf8)
    )
    #expect(before == stopped)
  }

  @Test(arguments: ["INT", "TERM"])
  func `a signal ends the view in good order`(signal: String) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let window = try TerminalWindow(folder) else { return }
    try Data(Self.scenario.utf8).write(to: folder.appending(path: "s.json5"))
    let run = "\(Tool.path) run s.json5 --mode in-process --time 0.05x"
    // The shell's own number of the child, so that a signal can be sent to it alone.
    try window.enter("stty -a > before; sh -c 'echo $$ > pid; exec \(run)'; echo ENDED-$?; stty -a > after; echo DONE")
    #expect(try window.wait(for: "c cut  l loss"))
    if signal == "INT" {
      try window.run("send-keys", "C-c")
    } else {
      let text = try String(contentsOf: folder.appending(path: "pid"), encoding: .utf8)
      let number = try #require(Int32(text.filter(\.isNumber)))
      kill(number, SIGTERM)
    }
    #expect(try window.wait(for: "\nDONE"))
    #expect(try window.screen().contains(signal == "INT" ? "ENDED-130" : "ENDED-143"))
    #expect(
      try Data(contentsOf: folder.appending(path: "before")) == Data(contentsOf: folder.appending(path: "after")))
  }

  @Test func `a trap restores the terminal`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let window = try TerminalWindow(folder) else { return }
    try Data(Self.scenario.utf8).write(to: folder.appending(path: "s.json5"))
    let run = "ulimit -c 0; SWIFT_BACKTRACE=enable=no exec \(Tool.path) run s.json5 --mode in-process --time 0.05x"
    try window.enter(
      "echo SCREEN-OF-BEFORE; stty -a > before; sh -c 'echo $$ > pid; \(run)'; stty -a > after; echo DONE")
    #expect(try window.wait(for: "q quit  c cut"))
    #expect(try !window.screen().contains("SCREEN-OF-BEFORE"))
    let text = try String(contentsOf: folder.appending(path: "pid"), encoding: .utf8)
    // What a failed precondition is, too.
    kill(try #require(Int32(text.filter(\.isNumber))), SIGILL)
    #expect(try window.wait(for: "\nDONE"))
    #expect(try window.screen().contains("SCREEN-OF-BEFORE"))
    #expect(try window.run("display-message", "-p", "#{cursor_flag}#{wrap_flag}").hasPrefix("11"))
    #expect(
      try Data(contentsOf: folder.appending(path: "before")) == Data(contentsOf: folder.appending(path: "after")))
  }

  @Test func `without a terminal it is refused`() throws {
    let result = try Tool.run(["run", "s.json5", "--live"], files: ["s.json5": Self.scenario])
    #expect(result.status == 2)
    #expect(result.errors.contains("not a terminal"))
    let both = try Tool.run(["run", "s.json5", "--live", "--no-live"], files: ["s.json5": Self.scenario])
    #expect(both.status == 2)
  }
}
