import Console
package import Link
import LinkTransport

/// How a scenario is run.
package struct RunOptions {
  /// Where the nodes run.
  package enum Mode: String, CaseIterable {
    case processes
    case inProcess = "in-process"
  }

  package var mode = Mode.inProcess
  /// How many times faster than real time; nil for as fast as possible.
  package var pace: Double?
  /// What happens with events.
  package var level = TraceSink.Level.written
  /// Whether the trace's SHA-256 is wanted.
  package var isDigested = true
  /// Receives the trace's text, if any.
  package var output: (([UInt8]) throws -> Void)?
  /// Judges the run; nil to create a judge.
  ///
  /// It must be unused. One that was made for another seed of the scenario is fine.
  package var judge: RunJudge?
  /// The checks of apps, with what they compare.
  var checks: [AppCheckJudge] = []
  /// Collects fault coverage; nil to skip it.
  package var met: FaultsMet?
  /// Observes every event.
  package var onEvent: ((TraceEvent, Int) -> Void)?
  /// Receives the virtual time now and then, for a progress line.
  package var onProgress: ((VirtualTime) -> Void)?
  /// Called at every instant, and while a paced run waits, if any.
  var onIdle: (() -> Void)?
  /// Whether user programs' output is shown, and not only kept for when one ends.
  package var showsPrograms = true
  /// Whether user apps run in real time, whatever the run's pace.
  package var hasFreeApps = false
  /// The command of a program of ours that plays the watch; nil for the usual one.
  package var watchCommand: [String]?
  /// A program that plays the phone.
  package var phoneCommand: [String]?
  /// A program that plays the edge.
  package var edgeCommand: [String]?
  /// A real proxy instead of the edge, if any.
  package var proxy: ProxyAddress?
  /// The folder for the nodes' state; nil for a temporary one.
  package var stateFolder: String?
  /// Starts apps again and again; nil to execute each start.
  package var starters: AppStarters?
  /// Kills the nodes at random, if any.
  package var torturer: Torturer?
  /// The frames' fates in the run that this one repeats; nil to draw them.
  package var recordedFates: RecordedFates?
  /// Takes a hash of the state before an instant, if any.
  package var probe: StateProbe?
  /// The last instant of the run; nil for its own end.
  package var stopsAfter: VirtualTime?
  /// Whether Ctrl-C and `kill` end the run between two of its steps.
  package var isStoppable = false
  /// Asked between two of its steps whether the run is no longer wanted; nil for a run that goes to its end.
  package var isUnwanted: (() -> Bool)?
  /// Whether the processes of a run share one processor.
  package var sharesProcessor = true
  /// Live controls, which also set the pace, if any.
  package var live: (any LiveControls)?
  /// Timeout for a node's answer, in seconds of real time.
  package var silenceMax = 5.0
  /// The limits of nodes that have others than ``silenceMax``.
  var nodeLimits: [NodeRole: NodeLimits] = [:]

  package init() {}
}

/// The outcome of a run.
package struct RunOutcome {
  var scenario: String
  var seed: UInt64
  /// Whether every invariant and expectation held.
  package var verdict: Judgement.Verdict
  package var violations: [Violation]
  package var expectations: [JudgedExpectation]
  /// Number of frames sent.
  package var frames: UInt64
  package var simulated: VirtualTime.Span
  package var wallSeconds: Double
  /// Number of events.
  package var events: Int
  /// How many inputs and deadlines machines and medium handled.
  package var steps: Int
  var counters: [(name: TraceEvent.Name, count: Int)]
  /// SHA-256 of the trace's bytes in hexadecimal; nil if no text was made.
  package var traceDigest: String?
  /// The node's failure that ended the run, if any.
  package var nodeFailure: String?
  /// The end of the user's program that ended the run, if any.
  package var programEnd: ProgramEnd?
  /// The finding about the user's app that ended the run in virtual time, if any.
  package var appFinding: AppFinding?
  /// Whether ``nodeFailure`` is a finding about the node, which gives the exit status of a failed run.
  var isNodeFinding = false
  /// Why the trace could not be written; nil if it could.
  package var traceError: String?
  /// Whether the user stopped it.
  package var wasStopped: Bool
  /// The fault coverage; nil if not collected.
  package var met: FaultsMet?
  /// How many invariants judged it.
  package var invariantCount = RunJudge.invariantCount

  /// Why the environment failed; nil if it did not.
  package var environmentFailure: String? {
    (programEnd == nil && appFinding == nil ? nodeFailure : nil)
      ?? traceError.map { "the trace cannot be written: \($0)" }
  }

  /// The exit status of a command that made this run; 128 plus the signal's number for a run that was stopped.
  package var status: Int32 {
    if wasStopped { return 128 + (StopSignal.number ?? 2) }
    if environmentFailure != nil { return isNodeFinding && traceError == nil ? 1 : 3 }
    return verdict == .pass ? 0 : 1
  }
}

extension RunOutcome {
  /// The outcome in a sentence without its verdict.
  package var verdictText: String {
    if wasStopped { return "stopped before its end, so not judged" }
    if let environmentFailure { return TerminalText.escape(environmentFailure) }
    if let appFinding { return appFinding.title }
    if let programEnd { return programEnd.text }
    let broken = Set(violations.map(\.invariant)).count
    let judged = expectations.filter(\.result.isJudged)
    let met = judged.filter(\.result.hasPassed).count
    var text =
      broken == 0
      ? "all \(invariantCount) invariants held"
      : "\(StoryText.count(broken, "invariant")) of \(invariantCount) broken"
    if !judged.isEmpty { text += ", \(met) of \(StoryText.count(judged.count, "expectation")) met" }
    if let open = expectations.first(where: { !$0.result.isJudged }) {
      text += ", \(expectations.count - judged.count) \(open.result.why ?? "not judged")"
    }
    return text
  }
}
