import TraceTools
import Console
import Link

/// `sim-runner diff`: compares the decisions of two runs.
enum DiffCommand: Command {
  static let name = "diff"
  static let about = "compares the decisions of two traces"
  static let usage = "A B [--all] [--tolerance TIME] [--html FILE] [--json]"
  static let options: [Option] = [
    .flag("--all", "compare every line with every field: frames, numbers, names"),
    .value("--tolerance", "TIME", "equal decisions at most this far apart are the same (0s)"),
    .value("--metres", "METRES", "and at most this far apart on the way (12 m for each second of --tolerance)"),
    .output("--html", "FILE", "write both runs side by side as a page"),
    .flag("--json", "one JSON object on standard output"),
  ]
  static let details = """
    Compares decisions and their times: belief, liveness, script, audio, results of transfers, answers, violations,
    the verdict. Ids (of frames, transfers, workouts), digests and dates are ignored, so traces of different seeds can
    be compared. Prints the decisions of one side only, only in A (-), only in B (+), then equal decisions at another
    time (~: A's time, and how much later B's is), then what came before the first difference, and a summary by kind.
    Decisions are sentences; with --all lines have their fields.
    Exit status: 0 the same; 1 different; 2 one of the files is no trace.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard arguments.operands.count == 2 else {
      throw .input(
        "sim-runner diff: found \(PlainText.count(arguments.operands.count, "trace")), expected two: diff A B")
    }
    let traces = (try RecordedTrace(arguments.operands[0]), try RecordedTrace(arguments.operands[1]))
    let isComplete = arguments.has("--all")
    let difference = TraceDifference(
      Decision.all(of: traces.0, isComplete: isComplete), Decision.all(of: traces.1, isComplete: isComplete),
      tolerance: try tolerance(arguments))
    let text = DifferenceText(
      difference: difference, names: (traces.0.path, traces.1.path),
      traces: isComplete ? nil : (traces.0, traces.1))
    let cut = [traces.0, traces.1].filter(\.isTruncated).map(\.path)
    if let path = arguments.value("--html") {
      try DifferencePage(difference: difference, traces: (traces.0, traces.1)).write(to: path)
    }
    if arguments.has("--json") {
      JSONOutput.print(text.members() + [JSONMember("truncated", .texts(cut))])
    } else if difference.isEmpty {
      Terminal.print("the same: \(PlainText.count(difference.steps.count, "decision")) at the same times")
    } else {
      for line in text.lines(isColored: Terminal.hasColor) { Terminal.print(line) }
    }
    for path in cut { Terminal.error("\(path): note: the trace is truncated: it has no \"end\" line") }
    return difference.isEmpty ? 0 : 1
  }

  private static func tolerance(_ arguments: Arguments) throws(Failure) -> TraceDifference.Tolerance {
    var time = VirtualTime.Span.zero
    if let text = arguments.value("--tolerance") {
      do throws(DurationText.Failure) { time = try DurationText.parse(text) } catch {
        throw .input("--tolerance: found \"\(TerminalText.escape(text))\", expected \(error.expected)")
      }
      guard time >= .zero else {
        throw .input("--tolerance: found \"\(TerminalText.escape(text))\", expected 0s or more")
      }
    }
    guard let text = arguments.value("--metres") else { return TraceDifference.Tolerance(time: time) }
    guard let metres = Double(text), metres >= 0, metres <= 1e9 else {
      throw .input("--metres: found \"\(TerminalText.escape(text))\", expected a number of metres, 0 to 1000000000")
    }
    return TraceDifference.Tolerance(time: time, distance: metres)
  }
}
