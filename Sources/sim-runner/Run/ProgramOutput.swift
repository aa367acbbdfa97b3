import Foundation
import Link
import LinkTransport
import Synchronization

/// What the user's program prints: passed on to standard error line by line, and the last lines kept.
///
/// A line goes to the terminal under the name of its device and without control characters, so that no program can forge
/// a line of ours.
final class ProgramOutput: Sendable {
  /// How many lines are kept: the trace of a crash has a few hundred.
  static let linesMax = 1_000
  /// How many bytes of a line are kept; a longer one goes on as another line.
  static let lineBytesMax = 2_000

  private struct State {
    var lines: [String] = []
    var isOver = false
  }

  private let state = Mutex(State())
  /// Signalled once everything has been read.
  private let over = DispatchSemaphore(value: 0)
  private let isShown: Bool
  /// Where the program writes to; the owner closes it once the program has it.
  let writeEnd: Int32

  /// Begins to read.
  ///
  /// - Parameter isShown: Whether the lines go to standard error.
  init(of role: NodeRole, isShown: Bool = true) throws(SystemCallError) {
    self.isShown = isShown
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemCallError("pipe", errno, on: "a program's output") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    writeEnd = ends[1]
    let (readEnd, name) = (ends[0], role.text)
    let thread = Thread { [self] in read(readEnd, name) }
    thread.name = "output of the \(name)"
    thread.start()
  }

  /// Ends our own hold on the pipe, so that it ends with the program.
  func closeWriteEnd() { close(writeEnd) }

  /// The last lines, the oldest first.
  var lines: [String] { state.withLock { $0.lines } }

  /// Whether the program has begun to report a crash of its own.
  var hasCrashMark: Bool {
    state.withLock { state in state.lines.contains { line in Self.crashMarks.contains { line.contains($0) } } }
  }

  /// What Swift's runtime prints before or while it writes a backtrace.
  static let crashMarks = ["Fatal error: ", "*** Signal ", "*** Program crashed", "💣 Program crashed"]

  /// Waits until everything that the program printed has been read, so many seconds at most.
  func waitForEnd(seconds: Double) {
    if state.withLock({ $0.isOver }) { return }
    if over.wait(timeout: .now() + seconds) == .success { over.signal() }
  }

  private func read(_ descriptor: Int32, _ name: String) {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      for byte in buffer[..<count] {
        if byte == UInt8(ascii: "\n") || rest.count == Self.lineBytesMax {
          take(rest, name)
          rest.removeAll(keepingCapacity: true)
        }
        if byte != UInt8(ascii: "\n") { rest.append(byte) }
      }
    }
    if !rest.isEmpty { take(rest, name) }
    close(descriptor)
    state.withLock { $0.isOver = true }
    over.signal()
  }

  private func take(_ bytes: [UInt8], _ name: String) {
    let line = TerminalText.escape(String(decoding: bytes, as: UTF8.self))
    if isShown { Terminal.error("\(name): \(line)") }
    state.withLock { state in
      if state.lines.count == Self.linesMax { state.lines.removeFirst() }
      state.lines.append(line)
    }
  }
}
