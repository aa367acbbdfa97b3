import Link

/// `sim-runner diff`: compares the decisions of two runs.
enum DiffCommand: Command {
  static let name = "diff"
  static let about = "compares the decisions of two traces"
  static let usage = "A B [--all] [--json]"
  static let options: [Option] = [
    .flag("--all", "compare every line with every field: frames, numbers, names"),
    .flag("--json", "one JSON object on standard output"),
  ]
  static let details = """
    Compares decisions and their times: belief, liveness, script, audio, results of transfers, answers, violations,
    the verdict. Ids (of frames, transfers, workouts), digests and dates are ignored, so traces of different seeds can
    be compared. Prints the first difference with the lines before it, and a summary by kind: the same, moved to another
    time, only in A (-), only in B (+).
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
      Decision.all(of: traces.0, isComplete: isComplete), Decision.all(of: traces.1, isComplete: isComplete))
    let text = DifferenceText(difference: difference, names: (traces.0.path, traces.1.path))
    let cut = [traces.0, traces.1].filter(\.isTruncated).map(\.path)
    if arguments.has("--json") {
      JSONOutput.print(text.members() + [JSONMember("truncated", JSONOutput.texts(cut))])
    } else if difference.isEmpty {
      Terminal.print("the same: \(PlainText.count(difference.steps.count, "decision")) at the same times")
    } else {
      for line in text.lines(isColored: Terminal.hasColor) { Terminal.print(line) }
    }
    for path in cut { Terminal.error("\(path): note: the trace is truncated: it has no \"end\" line") }
    return difference.isEmpty ? 0 : 1
  }
}

extension Decision {
  /// The decisions of a trace, in its order.
  static func all(of trace: RecordedTrace, isComplete: Bool = false) -> [Decision] {
    trace.events.enumerated().compactMap { index, event in
      Decision(event, line: trace.line(of: index), isComplete: isComplete)
    }
  }
}
