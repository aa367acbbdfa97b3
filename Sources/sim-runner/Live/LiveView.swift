import Foundation
import Link

/// A run that is looked at while it goes on: draws it, and turns keys into commands.
final class LiveView: ControlSource {
  private let terminal: LiveTerminal
  private let isColored: Bool
  private weak var control: RunControl?
  private var drawnAt: ContinuousClock.Instant?
  private var showsHelp = false

  /// Takes the terminal over until ``end()``.
  init(_ control: RunControl) throws(Failure) {
    terminal = try LiveTerminal()
    isColored = Terminal.hasColor
    self.control = control
    control.sources.append(self)
    control.onRefresh = { [weak self] in self?.refresh() }
  }

  /// Gives the terminal back.
  func end() { terminal.restore() }

  /// Draws anew, twenty times a second at most.
  private func refresh() {
    let now = ContinuousClock.now
    if let drawnAt, drawnAt.duration(to: now) < .milliseconds(50) { return }
    drawnAt = now
    draw()
  }

  private func draw() {
    guard let control else { return }
    // Asked every time: a window that changes its size is seen with the next picture.
    let (columns, rows) = terminal.dimensions
    var screen = LiveScreen(columns: columns, rows: rows, isColored: isColored)
    screen.showsHelp = showsHelp
    let lines = screen.text(control.state, position: control.position, clock: control.clock)
    terminal.show(lines, columns: columns, rows: rows)
  }

  // MARK: Keys

  var descriptors: [Int32] { [0] }

  func take(_ control: RunControl) {
    let bytes = terminal.keys()
    // A terminal that has gone reads as ready and gives nothing: whoever watched it is gone too.
    if bytes.isEmpty { return }
    // An arrow key is three bytes that mean nothing here.
    guard bytes.first != 0x1B else { return }
    for byte in bytes {
      if byte == UInt8(ascii: "?") { showsHelp.toggle() }
      guard let words = Self.command(for: byte, control.state, control.clock) else { continue }
      // A key is refused only where nothing could be done about it either.
      _ = try? control.take(words, by: .key, from: self, asker: nil)
    }
    drawnAt = nil
  }

  func answer(_ asker: Int?, _ outcome: LiveOutcome) { drawnAt = nil }

  /// The command that a key stands for as things are; nil for a key without one.
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
    default: return nil
    }
  }

  /// Begins a fault of a kind, or ends the one of that kind that a key or `ctl` has begun.
  private static func toggle(_ kind: String, _ options: [String], _ state: LiveState) -> [String] {
    if let on = state.faults.first(where: { $0.kind == kind && $0.id.hasPrefix("live-") }) {
      return ["fault", "remove", on.id]
    }
    return ["fault", "add", kind] + options
  }

  private static func speed(_ clock: LiveClock, times: Double) -> String {
    let factor = min(max((clock.factor ?? 1) * times, 0.125), 4_096)
    var text = ""
    TraceValue.number(factor, places: 3).append(to: &text)
    return text + "x"
  }
}
