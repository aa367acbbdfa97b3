import TraceTools
import Console
import Link

/// `sim-runner why`: the causes of an event, or the reasons why an expected event did not happen.
enum WhyCommand: Command {
  static let name = "why"
  static let about = "why something in a trace happened, or did not"
  static let usage = "TRACE --at TIME | --line N | --message ID | --violation N | --expectation N | --never EVENT"
  static let options: [Option] = WhyQuestion.options + [.flag("--json", "one JSON object on standard output")]
  static let details = """
    --at, --line, --violation and --expectation print the chain of causes back from a line, each as a sentence with its
    line number. Causes come from ids in the trace (frames, transfers, snapshots, faults) and from the order within one
    instant. Where several things reach an app at one instant, each is listed as one of them: the trace does not say which
    made it act.

    --message prints what kept a line of the script back at every snapshot: its point or condition with the nearest miss,
    window, grace, cooldown, priority, branch, and the cuts in which the phone received nothing. It is computed from the
    trace alone, with the checkers' own reading of the script.

    --never names the last step towards an event that did happen; for a line of the script it lists all lines.
    Exit status: 0 answered; 2 the file is no trace, or it has nothing of the kind.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the trace")
    let question = try WhyQuestion(arguments)
    let trace = try RecordedTrace(path)
    var answer = WhyAnswer(trace)
    try answer.ask(question)
    if arguments.has("--json") {
      JSONOutput.print(answer.members)
    } else {
      for line in answer.lines(isColored: Terminal.hasColor) { Terminal.print(line) }
    }
    if trace.isTruncated { Terminal.error("\(path): note: the trace is truncated: it has no \"end\" line") }
    return 0
  }
}
