import Console
import CSystem
import Foundation
import Link
import LinkTransport

/// The terminal in raw mode with an alternate screen; restored at the end.
package final class LiveTerminal {
  private var before = termios()
  private var raw = termios()
  private var isOn = false
  private var shown: [String] = []
  private var size = (columns: 0, rows: 0)

  /// Restores wrapping, the cursor, and the previous screen.
  private static let farewell = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Whether standard input and output are a capable terminal.
  package static var isPossible: Bool { isatty(0) == 1 && isatty(1) == 1 && Terminal.isCapable }

  /// Takes over the terminal.
  ///
  /// - Throws: If there is none.
  init() throws(Failure) {
    guard Self.isPossible, tcgetattr(0, &before) == 0 else {
      throw .input("--live: standard input and output are not a terminal, expected one")
    }
    raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ctrl-Z comes as a key: the shell gets its terminal back first.
    cs_terminal_poll_keys(&raw)
    guard enter() else { throw .environment("the terminal cannot be set: \(SystemText.of(errno))") }
  }

  private func enter() -> Bool {
    // After a failed precondition none of our code runs.
    _ = cs_terminal_guard(Self.farewell, Self.farewell.utf8.count)
    guard tcsetattr(0, TCSANOW, &raw) == 0 else {
      cs_terminal_unguard()
      return false
    }
    isOn = true
    size = (0, 0)
    // The other screen, no cursor, no wrapping at the end of a line.
    Terminal.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J", to: 1)
    return true
  }

  /// Stops this process, as Ctrl-Z does, with the terminal as the shell knows it; returns when it is continued.
  func suspend() {
    restore()
    _ = cs_stop_job()
    // Settings that were changed meanwhile are those to restore at the end.
    var current = termios()
    if tcgetattr(0, &current) == 0 { before = current }
    _ = enter()
  }

  deinit { restore() }

  /// Restores the terminal.
  func restore() {
    guard isOn else { return }
    isOn = false
    Terminal.write(Self.farewell, to: 1)
    tcsetattr(0, TCSANOW, &before)
    cs_terminal_unguard()
  }

  /// The current size; at least one character.
  var dimensions: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Shows lines from the top; writes only what has changed since the last time.
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
