import Foundation
import Link

/// The output of a run: lines on one descriptor, and on a terminal a progress line below them.
package final class Screen {
  /// Whether lines may contain escape sequences.
  package let isColored: Bool
  /// The width at which lines wrap.
  package let columns: Int
  private let write: (String) -> Void
  private let showsProgress: Bool
  /// Whether only what failed is shown.
  package let isQuiet: Bool
  /// Without a terminal: the interval of progress lines, if any.
  package var lineInterval: Duration?
  private var lineAt: ContinuousClock.Instant?
  private var hasProgress = false
  private var progressAt: ContinuousClock.Instant?

  /// A screen that passes its text to a closure, line by line and without progress.
  package init(isColored: Bool = false, columns: Int = 100, write: @escaping (String) -> Void) {
    self.isColored = isColored
    self.columns = columns
    self.write = write
    showsProgress = false
    isQuiet = false
  }

  /// Standard output; or standard error, where standard output is kept for a program.
  package init(onStandardError: Bool, isQuiet: Bool = false) {
    self.isQuiet = isQuiet
    isColored = onStandardError ? Terminal.errorHasColor : Terminal.hasColor
    columns = min(max(Terminal.columns ?? 100, 40), 100)
    let descriptor: Int32 = onStandardError ? 2 : 1
    write = { Terminal.write($0, to: descriptor) }
    // Where the story goes into a file, only the progress is on the terminal.
    showsProgress = !isQuiet && Terminal.errorIsTerminal && Terminal.isCapable
  }

  /// Applies a style if colours are wanted.
  package func styled(_ text: String, _ style: Terminal.Style) -> String {
    Terminal.styled(text, [style], when: isColored)
  }

  /// Writes one line, escaped by ``Terminal/line(_:)``.
  package func show(_ text: String) {
    endProgress()
    write(Terminal.line(text) + "\n")
  }

  /// Writes lines; text from nodes and files in them must already be escaped.
  package func show(lines text: String) {
    endProgress()
    write(Terminal.lines(text) + "\n")
  }

  /// Updates the progress line, at most ten times a second.
  package func progress(_ text: () -> String) {
    guard showsProgress else {
      lineOfProgress(text)
      return
    }
    let now = ContinuousClock.now
    if let progressAt, progressAt.duration(to: now) < .milliseconds(100) { return }
    // A run that ends at once needs no progress.
    defer { progressAt = now }
    guard progressAt != nil else { return }
    let line = String(TerminalText.escape(text()).prefix(columns - 1))
    Terminal.write("\r\u{1B}[2K\u{1B}[2m\(line)\u{1B}[0m", to: 2)
    hasProgress = true
  }

  /// Writes a permanent line, so that a CI log shows progress.
  private func lineOfProgress(_ text: () -> String) {
    guard let lineInterval, !isQuiet else { return }
    let now = ContinuousClock.now
    guard let last = lineAt else {
      lineAt = now
      return
    }
    guard last.duration(to: now) >= lineInterval else { return }
    lineAt = now
    Terminal.error(TerminalText.escape(text()))
  }

  /// Removes the progress line.
  package func endProgress() {
    guard hasProgress else { return }
    Terminal.write("\r\u{1B}[2K", to: 2)
    hasProgress = false
  }
}

extension ContinuousClock.Instant {
  /// Seconds from this instant to now.
  package var secondsSince: Double {
    let (seconds, attoseconds) = duration(to: .now).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
