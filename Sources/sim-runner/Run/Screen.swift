import Foundation
import Link

/// Where a run is told: lines on one descriptor, and below them, on a terminal, a line of progress that comes and goes.
final class Screen {
  /// Whether lines may hold escape sequences.
  let isColored: Bool
  /// Where a line must end.
  let columns: Int
  private let write: (String) -> Void
  private let showsProgress: Bool
  private var hasProgress = false
  private var progressAt: ContinuousClock.Instant?

  /// A screen that hands its text to a closure, line by line and without progress.
  init(isColored: Bool = false, columns: Int = 100, write: @escaping (String) -> Void) {
    self.isColored = isColored
    self.columns = columns
    self.write = write
    showsProgress = false
  }

  /// Standard output; or standard error, where standard output is kept for a program.
  init(onStandardError: Bool) {
    isColored = onStandardError ? Terminal.errorHasColor : Terminal.hasColor
    columns = min(max(Terminal.columns ?? 100, 40), 100)
    let descriptor: Int32 = onStandardError ? 2 : 1
    write = { Terminal.write($0, to: descriptor) }
    // Where the story goes into a file, the progress alone stands on the terminal.
    showsProgress = Terminal.errorIsTerminal && Terminal.isCapable
  }

  /// Sets text off where colours are wanted.
  func styled(_ text: String, _ style: Terminal.Style) -> String { Terminal.styled(text, [style], when: isColored) }

  /// Writes one line, as ``Terminal/line(_:)`` has it.
  func show(_ text: String) {
    eraseProgress()
    write(Terminal.line(text) + "\n")
  }

  /// Writes lines: what a node or a file says in them was escaped before they were put together.
  func show(lines text: String) {
    eraseProgress()
    write(Terminal.lines(text) + "\n")
  }

  /// Renews the line of progress, ten times a second at most.
  func progress(_ text: () -> String) {
    guard showsProgress else { return }
    let now = ContinuousClock.now
    if let progressAt, progressAt.duration(to: now) < .milliseconds(100) { return }
    // A run that is over in no time needs no progress.
    defer { progressAt = now }
    guard progressAt != nil else { return }
    let line = String(TerminalText.escape(text()).prefix(columns - 1))
    Terminal.write("\r\u{1B}[2K\u{1B}[2m\(line)\u{1B}[0m", to: 2)
    hasProgress = true
  }

  /// Takes the line of progress away.
  func endProgress() { eraseProgress() }

  private func eraseProgress() {
    guard hasProgress else { return }
    Terminal.write("\r\u{1B}[2K", to: 2)
    hasProgress = false
  }
}
