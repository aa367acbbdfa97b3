import CSystem
import Foundation
import Link
import LinkTransport

/// The terminal while a run is looked at: no echo, keys one by one, a screen of its own; as it was at the end.
final class LiveTerminal {
  private var before = termios()
  private var isOn = false
  private var shown: [String] = []
  private var size = (columns: 0, rows: 0)

  /// Wrapping, the cursor, and the screen that was there before.
  private static let farewell = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Whether standard input and output are a terminal that can show it.
  static var isPossible: Bool { isatty(0) == 1 && isatty(1) == 1 && Terminal.isCapable }

  /// Takes the terminal over.
  ///
  /// - Throws: Where it is none.
  init() throws(Failure) {
    guard Self.isPossible, tcgetattr(0, &before) == 0 else {
      throw .input("--live: standard input and output are no terminal, expected one")
    }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ctrl-Z would leave the shell with a terminal that is set for us.
    withUnsafeMutableBytes(of: &raw.c_cc) { controls in
      controls[Int(VSUSP)] = 0
      controls[Int(VMIN)] = 0
      controls[Int(VTIME)] = 0
    }
    // A failed precondition runs none of our own code any more.
    _ = cs_terminal_guard(Self.farewell, Self.farewell.utf8.count)
    guard tcsetattr(0, TCSANOW, &raw) == 0 else {
      cs_terminal_unguard()
      throw .environment("the terminal cannot be set: \(SystemText.of(errno))")
    }
    isOn = true
    // The other screen, no cursor, no wrapping at the end of a line.
    Terminal.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J", to: 1)
  }

  deinit { restore() }

  /// Gives the terminal back as it was.
  func restore() {
    guard isOn else { return }
    isOn = false
    Terminal.write(Self.farewell, to: 1)
    tcsetattr(0, TCSANOW, &before)
    cs_terminal_unguard()
  }

  /// How large it is now; at least one character.
  var dimensions: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Shows lines from the top; only what has changed since the last time is written.
  func show(_ lines: [String], columns: Int, rows: Int) {
    guard isOn else { return }
    var text = ""
    if size != (columns, rows) {
      size = (columns, rows)
      shown = []
      text += "\u{1B}[2J"
    }
    for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
      text += "\u{1B}[\(row + 1);1H\u{1B}[2K\(Terminal.line(line))"
    }
    shown = lines
    if !text.isEmpty { Terminal.write(text, to: 1) }
  }

  /// The bytes of the keys that were pressed since the last call.
  func keys() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(0, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : []
  }
}
