import Console
import CSystem
import Foundation
import Link
import LinkTransport
import Synchronization

/// What the user's program prints: passed on to standard error line by line, and the last lines kept.
///
/// A line goes to the terminal under the name of its device and without control characters, so that no program can forge
/// a line of ours. Lines of the form `wristwire: NAME {json}` are facts: they go into the trace, and nowhere else.
final class ProgramOutput: Sendable {
  /// Limit of kept lines: a crash's backtrace has a few hundred.
  static let linesMax = 1_000
  /// Limit of a line in bytes; a longer one is split.
  static let lineBytesMax = 2_000

  private struct State {
    var lines: [String] = []
    var facts: [Fact] = []
    var hasDroppedFacts = false
    var isOver = false
  }

  /// What a fact line holds, or why it is refused.
  enum Fact {
    case recorded(AppFact)
    case refused(String)
  }

  /// The bytes read of an unfinished line.
  private struct Rest {
    var bytes: [UInt8] = []
    /// Whether the rest of an endless fact is skipped.
    var isSkipping = false
    /// Whether everything was read.
    var isOver = false
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
  }

  /// The limit of a fact's line, in bytes.
  private static let factBytesMax = AppFact.textBytesMax + AppFact.nameBytesMax + AppFact.linePrefix.utf8.count + 1
  private let rest = Mutex(Rest())
  private let readEnd: Int32
  private let name: String

  private let state = Mutex(State())
  /// Signalled once everything has been read.
  private let over = DispatchSemaphore(value: 0)
  private let isShown: Bool
  /// The program's end of the pipe; the owner closes it once the program has it.
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
    readEnd = ends[0]
    name = role.text
    // There are two readers: the thread below, so that no program waits for room in the pipe, and callers that need the
    // facts.
    _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    let thread = Thread { [self] in read() }
    thread.name = "output of the \(name)"
    thread.start()
  }

  /// Closes our copy of the write end, so that the pipe ends with the program.
  func closeWriteEnd() { close(writeEnd) }

  /// The last lines, oldest first.
  var lines: [String] { state.withLock { $0.lines } }

  /// Whether the program has begun to report its own crash.
  var hasCrashMark: Bool {
    state.withLock { state in state.lines.contains { line in Self.crashMarks.contains { line.contains($0) } } }
  }

  /// What Swift's runtime prints before or while it writes a backtrace.
  static let crashMarks = ["Fatal error: ", "*** Signal ", "*** Program crashed", "💣 Program crashed"]

  /// Waits until all output has been read, at most this many seconds.
  func waitForEnd(seconds: Double) {
    if state.withLock({ $0.isOver }) { return }
    if over.wait(timeout: .now() + seconds) == .success { over.signal() }
  }

  /// Takes the facts that the program has printed so far.
  func takeFacts() -> [Fact] {
    _ = readAll()
    return state.withLock { state in
      defer { state.facts = [] }
      return state.facts
    }
  }

  private func read() {
    while true {
      var entry = cs_poll_entry(descriptor: readEnd, wanted: Int16(CS_POLL_READ), ready: 0)
      _ = cs_poll(&entry, 1, -1)
      if readAll() { break }
    }
    close(readEnd)
    state.withLock { $0.isOver = true }
    over.signal()
  }

  /// Reads what there is, without waiting; true at the end of the output.
  private func readAll() -> Bool {
    rest.withLock { rest in
      while !rest.isOver {
        let count = Foundation.read(readEnd, &rest.buffer, rest.buffer.count)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN { return false }
        guard count > 0 else {
          if !rest.bytes.isEmpty { finishLine(&rest) }
          rest.isOver = true
          break
        }
        for index in 0..<count { append(rest.buffer[index], to: &rest) }
      }
      return true
    }
  }

  private func append(_ byte: UInt8, to rest: inout Rest) {
    if byte == UInt8(ascii: "\n") { return finishLine(&rest) }
    guard !rest.isSkipping else { return }
    if rest.bytes.count >= Self.lineBytesMax {
      let isFact = rest.bytes.starts(with: AppFact.linePrefix.utf8)
      if isFact, rest.bytes.count >= Self.factBytesMax {
        rest.isSkipping = true
        let found = "found a fact of more than \(Self.factBytesMax) bytes"
        add(.refused("\(found), expected at most \(AppFact.textBytesMax) of JSON"))
        return rest.bytes.removeAll(keepingCapacity: true)
      }
      if !isFact { finishLine(&rest) }
    }
    rest.bytes.append(byte)
  }

  /// Takes a line that has ended.
  private func finishLine(_ rest: inout Rest) {
    defer {
      rest.bytes.removeAll(keepingCapacity: true)
      rest.isSkipping = false
    }
    guard !rest.isSkipping else { return }
    do throws(AppFact.Refusal) {
      if let fact = try AppFact(line: rest.bytes) { return add(.recorded(fact)) }
    } catch {
      return add(.refused(error.text))
    }
    let line = TerminalText.escape(String(decoding: rest.bytes, as: UTF8.self))
    if isShown { Terminal.error("\(name): \(line)") }
    state.withLock { state in
      if state.lines.count == Self.linesMax { state.lines.removeFirst() }
      state.lines.append(line)
    }
  }

  private func add(_ fact: Fact) {
    state.withLock { state in
      if state.facts.count < AppFact.instantMax { return state.facts.append(fact) }
      guard !state.hasDroppedFacts else { return }
      state.hasDroppedFacts = true
      let limit = "at most \(AppFact.instantMax) at one instant"
      state.facts.append(.refused("found more facts than are read, expected \(limit): further ones are dropped"))
    }
  }
}
