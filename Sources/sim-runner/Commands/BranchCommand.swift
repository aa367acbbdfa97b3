import Experiments
import TraceTools
import Console
import Link

/// `sim-runner branch`: the same run with another fault from an instant on.
enum BranchCommand: Command {
  static let name = "branch"
  static let about = "repeats the run of a trace with one more fault, and compares the two futures"
  static let usage = "TRACE --at TIME --fault FAULT [--trace FILE] [--json]"
  static let options: [Option] = [
    .value("--at", "TIME", "when the other future begins: 15:04, 1:02:03.5, 15m4s"),
    .value("--fault", "FAULT", "the fault as in a scenario, without its \"at\": '{ for: \"20s\", disconnect: {} }'"),
    .output("--trace", "FILE", "write the trace of the other future here"),
    .flag("--json", "one JSON object on standard output"),
  ]
  static let details = """
    The run is repeated from the trace's header, in this process. Up to the instant it is the same byte for byte, apart from
    the header, which lists the faults; the digest of that part is printed. Then follows what `sim-runner diff` prints.
    Exit status: 0 the same decisions; 1 different ones; 2 bad input, or a run that cannot be repeated.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the trace")
    guard let at = arguments.value("--at"), let fault = arguments.value("--fault") else {
      throw .input("found no \(arguments.value("--at") == nil ? "--at" : "--fault"), expected both")
    }
    let instant = try ClockText.parse(at, option: "--at")
    let trace = try RecordedTrace(path)
    guard instant <= trace.end else {
      throw .input("--at: found \(instant.text), expected at most \(trace.end.text), the end of the trace")
    }
    let branch = try Branch(of: trace, at: instant, fault: fault)
    try OutputFile(named: arguments.value("--trace"), as: .trace)?.finish(branch.other.bytes)
    let difference = TraceDifference(Decision.all(of: trace), Decision.all(of: branch.other))
    let text = DifferenceText(
      difference: difference, names: (path, "the branch at \(instant.text)"), traces: (trace, branch.other))
    if arguments.has("--json") {
      JSONOutput.print(
        .init(["prefixLines": .count(branch.prefixLines), "prefixDigest": .string(branch.prefixDigest)])
          + text.members())
    } else {
      let lines = StoryText.count(branch.prefixLines, "line")
      Terminal.print("the same up to \(instant.text): \(lines), SHA-256 \(branch.prefixDigest.prefix(16))...")
      if difference.isEmpty {
        Terminal.print("the same decisions at the same times")
      } else {
        for line in text.lines(isColored: Terminal.hasColor) { Terminal.print(line) }
      }
    }
    for note in branch.notes { Terminal.error("\(path): note: \(note)") }
    return difference.isEmpty ? 0 : 1
  }
}
