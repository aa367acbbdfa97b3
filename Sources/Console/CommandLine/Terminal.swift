import Foundation
import Link
import LinkTransport
import Synchronization

/// Standard output and error: plain in a pipe, in colour on a terminal that supports it.
package enum Terminal {
  /// A text style.
  package enum Style: String, CaseIterable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case magenta = "35"
    case cyan = "36"
  }

  /// This program as the user called it.
  package static let program = CommandLine.arguments.first ?? "sim-runner"
  /// Whether standard output is a terminal.
  package static let isTerminal = isatty(1) == 1
  /// Whether standard error is one.
  package static let errorIsTerminal = isatty(2) == 1
  /// Whether colours are wanted on standard output.
  package static var hasColor: Bool { capture == nil && outputHasColor }
  /// Whether colours are wanted on standard error.
  static var errorHasColor: Bool { capture == nil && errorIsColored }
  private static let outputHasColor = ColorChoice.hasColor(
    isTerminal: isTerminal, ProcessInfo.processInfo.environment)
  private static let errorIsColored = ColorChoice.hasColor(
    isTerminal: errorIsTerminal, ProcessInfo.processInfo.environment)
  /// The environment that decides about what is written for build servers.
  package static var environment: [String: String] {
    capture == nil ? ProcessInfo.processInfo.environment : [:]
  }
  /// Whether the terminal can move its cursor.
  package static let isCapable =
    ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" && !$0.isEmpty } ?? false
  /// The width of the terminal in characters; nil if there is none.
  static var columns: Int? {
    var size = winsize()
    for descriptor: Int32 in [1, 2] where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return nil
  }

  /// The `errno` of the first failed write to standard output; nil if there was none.
  ///
  /// A reader that closed its end, as in `| head`, does not count.
  package static var lostOutput: Int32? { lost.withLock { $0 } }
  private static let lost = Mutex<Int32?>(nil)

  /// What is written while a test calls a command in its own process.
  private final class Capture: Sendable {
    let texts = Mutex(["", ""])
  }

  @TaskLocal private static var capture: Capture?

  /// Runs `body` and returns what it wrote to standard output and error, plain and without colours.
  package static func capturing(_ body: () -> Int32) -> (status: Int32, output: String, errors: String) {
    let capture = Capture()
    let status = $capture.withValue(capture, operation: body)
    let texts = capture.texts.withLock { $0 }
    return (status, texts[0], texts[1])
  }

  /// Prints one line on standard output, as ``line(_:)`` has it.
  package static func print(_ text: String) { write(line(text) + "\n", to: 1) }

  /// Prints one line on standard error, escaped by ``line(_:)``.
  package static func error(_ text: String) { write(line(text) + "\n", to: 2) }

  /// Prints lines on standard output; text from nodes and files in them must already be escaped.
  package static func print(lines text: String) { write(lines(text) + "\n", to: 1) }

  /// Escapes everything that could steer a terminal, except the sequences of ``styled(_:_:when:)``.
  package static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: TerminalText.mustBeEscaped) else { return text }
    var safe = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "\u{1B}") {
      safe += TerminalText.escape(String(rest[..<start]))
      rest = rest[start...]
      if let sequence = sequences.first(where: { rest.hasPrefix($0) }) {
        safe += sequence
        rest = rest.dropFirst(sequence.count)
      } else {
        safe += TerminalText.escape(String(rest.removeFirst()))
      }
    }
    return safe + TerminalText.escape(String(rest))
  }

  /// Escapes several lines.
  static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\n")
  }

  /// The escape sequences that begin and end a style, or two.
  private static let sequences: [String] = {
    let codes = Style.allCases.map(\.rawValue)
    let pairs = codes.flatMap { first in codes.map { "\(first);\($0)" } }
    return (["0"] + codes + pairs).map { "\u{1B}[\($0)m" }
  }()

  /// Writes a whole text to a descriptor; a reader that closed its end is not a failure.
  ///
  /// - Returns: The `errno` of a failed write; 0 for none.
  @discardableResult
  package static func write(_ text: String, to descriptor: Int32) -> Int32 {
    write(Array(text.utf8), to: descriptor)
  }

  /// Writes bytes as ``write(_:to:)-(String,_)`` writes a text.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    if let capture, descriptor == 1 || descriptor == 2 {
      capture.texts.withLock { $0[Int(descriptor) - 1] += String(decoding: bytes, as: UTF8.self) }
      return 0
    }
    let code = DescriptorOutput.writeAll(bytes, to: descriptor)
    if descriptor == 1, code != 0, code != EPIPE { lost.withLock { $0 = $0 ?? code } }
    return code
  }

  /// Applies styles if colours are wanted.
  package static func styled(_ text: String, _ styles: Style..., when isOn: Bool = hasColor) -> String {
    styled(text, styles, when: isOn)
  }

  /// Applies styles if colours are wanted.
  package static func styled(_ text: String, _ styles: [Style], when isOn: Bool = hasColor) -> String {
    guard isOn, !styles.isEmpty, !text.isEmpty else { return text }
    return "\u{1B}[\(styles.map(\.rawValue).joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}

/// Whether output is coloured, depending on the terminal and on environment variables.
package enum ColorChoice {
  /// Decides for one descriptor.
  ///
  /// `NO_COLOR` forbids colours everywhere (no-color.org). Otherwise `FORCE_COLOR` and `CLICOLOR_FORCE` ask for them also
  /// where the output goes to a pipe, as a CI system's log does. An empty variable counts as not set; of the latter two,
  /// so does 0, and `FORCE_COLOR=0` or `CLICOLOR=0` forbids colours.
  ///
  /// - Parameter isTerminal: Whether the descriptor is a terminal.
  static func hasColor(isTerminal: Bool, _ environment: [String: String]) -> Bool {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if value("NO_COLOR") != nil { return false }
    if let force = value("FORCE_COLOR") { return force != "0" && force != "false" }
    if let force = value("CLICOLOR_FORCE"), force != "0" { return true }
    return isTerminal && value("CLICOLOR") != "0" && value("TERM") != "dumb"
  }
}
