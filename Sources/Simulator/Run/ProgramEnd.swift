import Console
package import Link
package import LinkTransport

/// The end of the user's program in mid-run: a result of the run, like a broken invariant.
package struct ProgramEnd: Sendable, Equatable {
  package var role: NodeRole
  package var end: ChildProcess.End
  /// False for a program that never became part of the run.
  var hasJoined = true
  /// When it was noticed.
  package var time: VirtualTime
  /// Its last lines of output, without control characters.
  var output: [String]

  /// Limit of output lines shown.
  static let linesMax = 12
  /// Limit of backtrace lines shown.
  static let backtraceMax = 40

  /// The end in a sentence.
  package var text: String {
    "the \(role.text)'s program \(end.namedDescription) at \(time.text)\(hasJoined ? "" : ", before it joined the run")"
  }

  /// What a program that ended by itself without joining may lack; nil for any other.
  package var hint: String? {
    guard !hasJoined, case .exited = end else { return nil }
    return "a node joins by activating its session of WatchConnectivity, or the protocol (docs/internals/protocol.md)"
  }

  /// Its own last lines, without blank ones and without a backtrace.
  package var lastLines: [String] {
    let own = output.firstIndex { line in Self.backtraceMarks.contains { line.contains($0) } } ?? output.endIndex
    return Array(output[..<own].filter { $0.contains { $0 != " " } }.suffix(Self.linesMax))
  }

  /// The backtrace of the crashed thread, as Swift's runtime printed it; empty if there was none.
  package var backtrace: [String] {
    guard let first = output.lastIndex(where: { $0.hasPrefix("Thread ") && $0.contains("crashed") }) else { return [] }
    let rest = output[(first + 1)...].prefix { line in !Self.backtraceEnds.contains { line.hasPrefix($0) } }
    return Array(([output[first]] + rest.filter { $0.contains { $0 != " " } }).prefix(Self.backtraceMax))
  }

  /// Whether it trapped in a check of its own that code runs on the right actor.
  var isIsolationTrap: Bool {
    guard case .signalled = end else { return false }
    return output.contains { line in Self.isolationMarks.contains { line.contains($0) } }
  }

  /// What Swift's runtime and libdispatch print, and their functions in a backtrace.
  private static let isolationMarks = [
    "Incorrect actor executor assumption", "_checkExpectedExecutor", "swift_task_checkIsolated",
    "swift_task_isCurrentExecutor", "dispatch_assert_queue",
  ]
  private static let backtraceMarks = ["*** Signal ", "*** Program crashed", "💣 Program crashed"]
  private static let backtraceEnds = ["Registers:", "Images (", "Thread "]

  /// The member of `--json`.
  var object: JSONValue {
    let (key, number) =
      switch end {
      case .exited(let status): ("exitStatus", status)
      case .signalled(let signal): ("signal", signal)
      }
    return .fields([
      "node": .string(role.text), "how": .string(end.namedDescription), "t": .integer(time.nanoseconds),
      key: .count(number), "output": .texts(lastLines), "backtrace": .texts(backtrace),
    ])
  }
}

extension ProgramEnd {
  /// The end of the program behind a failure; nil for any other failure.
  init?(_ failure: NodeFailure, at time: VirtualTime) {
    guard let role = failure.role, case .programEnded(let end, let hasJoined, let output) = failure.cause
    else { return nil }
    self.init(role: role, end: end, hasJoined: hasJoined, time: time, output: output)
  }
}
