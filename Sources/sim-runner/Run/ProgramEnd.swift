import Link
import LinkTransport

/// The end of the user's program in the middle of a run: a result of the run, as a broken invariant is.
struct ProgramEnd: Sendable, Equatable {
  /// What it played.
  var role: NodeRole
  var end: ChildProcess.End
  /// When it was noticed.
  var time: VirtualTime
  /// The last lines that it printed, without control characters.
  var output: [String]

  /// Lines shown of what it printed before it ended.
  static let linesMax = 12
  /// Lines shown of a backtrace.
  static let backtraceMax = 40

  /// What happened, in a sentence.
  var text: String { "the \(role.text)'s program \(end.namedDescription) at \(StoryText.clock(time))" }

  /// The last lines that it printed itself, without blank ones and without a backtrace.
  var lastLines: [String] {
    let own = output.firstIndex { line in Self.backtraceMarks.contains { line.contains($0) } } ?? output.endIndex
    return Array(output[..<own].filter { $0.contains { $0 != " " } }.suffix(Self.linesMax))
  }

  /// The backtrace of the thread that crashed, as Swift's runtime printed it; empty where none was.
  var backtrace: [String] {
    guard let first = output.lastIndex(where: { $0.hasPrefix("Thread ") && $0.contains("crashed") }) else { return [] }
    let rest = output[(first + 1)...].prefix { line in !Self.backtraceEnds.contains { line.hasPrefix($0) } }
    return Array(([output[first]] + rest.filter { $0.contains { $0 != " " } }).prefix(Self.backtraceMax))
  }

  private static let backtraceMarks = ["*** Signal ", "*** Program crashed", "💣 Program crashed"]
  private static let backtraceEnds = ["Registers:", "Images (", "Thread "]

  /// The member of `--json`.
  var object: JSONValue {
    var members = [
      JSONMember("node", .string(role.text)), JSONMember("how", .string(end.namedDescription)),
      JSONMember("t", .integer(time.nanoseconds)),
    ]
    switch end {
    case .exited(let status): members.append(JSONMember("exitStatus", .integer(Int64(status))))
    case .signalled(let signal): members.append(JSONMember("signal", .integer(Int64(signal))))
    }
    members.append(JSONMember("output", .array(lastLines.map { JSONNode(.string($0)) })))
    members.append(JSONMember("backtrace", .array(backtrace.map { JSONNode(.string($0)) })))
    return .object(members)
  }
}

extension ProgramEnd {
  /// The end of the program behind a failure; nil for any other failure.
  init?(_ failure: NodeFailure, at time: VirtualTime) {
    guard let role = failure.role, case .programEnded(let end, _, let output) = failure.cause else { return nil }
    self.init(role: role, end: end, time: time, output: output)
  }
}
