import Link
import LinkTransport

/// How a scenario is run.
struct RunOptions {
  /// Where the nodes live.
  enum Mode: String, CaseIterable {
    case processes
    case inProcess = "in-process"
  }

  var mode = Mode.inProcess
  /// How many times faster than real time; nil for as fast as it goes.
  var pace: Double?
  /// What is kept of the trace.
  var level = TraceSink.Level.written
  /// Whether the trace's SHA-256 is wanted.
  var isDigested = true
  /// Where the trace's text goes; nil for nowhere.
  var output: (([UInt8]) throws -> Void)?
  /// Judges the run; nil to have a judge made.
  ///
  /// It has seen nothing yet. One that was made for another seed of the scenario will do.
  var judge: RunJudge?
  /// Finds out what the run's faults meet; nil where nobody asks.
  var met: FaultsMet?
  /// Sees every event as it happens.
  var onEvent: ((TraceEvent, Int) -> Void)?
  /// Is told the virtual time now and then, for a progress line.
  var onProgress: ((VirtualTime) -> Void)?
  /// Is called at every instant, and while a paced run waits; nil where nothing is to be looked after meanwhile.
  var onIdle: (() -> Void)?
  /// Whether what the user's programs print is shown, and not only kept for when one ends.
  var showsPrograms = true
  /// Whether the user's apps run in real time, whatever sets the run's pace.
  var hasFreeApps = false
  /// A program of ours that plays the watch, by its words; nil for the usual one.
  var watchCommand: [String]?
  /// A program that plays the phone.
  var phoneCommand: [String]?
  /// A program that plays the edge.
  var edgeCommand: [String]?
  /// A real proxy in the edge's place; nil for none.
  var proxy: ProxyAddress?
  /// Where the nodes keep what outlives them; nil for a place that goes away with the run.
  var stateFolder: String?
  /// Who kills the nodes at random; nil for nobody.
  var torturer: Torturer?
  /// What became of the frames of the run that this one repeats; nil to decide anew.
  var recordedFates: RecordedFates?
  /// The last instant of the run; nil for its own end.
  var stopsAfter: VirtualTime?
  /// Whether Ctrl-C and `kill` end the run between two of its steps.
  var isStoppable = false
  /// Whether the processes of a run share one processor.
  var sharesProcessor = true
  /// Who may reach into the run, and sets its pace; nil for nobody.
  var live: (any LiveControls)?
  /// How long a node may keep silent, in seconds of real time.
  var silenceMax = 5.0
  /// The limits of nodes that have others than ``silenceMax``.
  var nodeLimits: [NodeRole: NodeLimits] = [:]
}

/// What a run came to.
struct RunOutcome {
  var scenario: String
  var seed: UInt64
  /// Whether every invariant and expectation held.
  var verdict: Judgement.Verdict
  var violations: [Violation]
  var expectations: [JudgedExpectation]
  /// How many frames were sent.
  var frames: UInt64
  var simulated: VirtualTime.Span
  var wallSeconds: Double
  /// How many lines of events there are.
  var events: Int
  /// How many inputs and deadlines machines and medium handled.
  var steps: Int
  var counters: [(name: TraceEvent.Name, count: Int)]
  /// SHA-256 of the trace's bytes in hexadecimal; nil where no text was made.
  var traceDigest: String?
  /// What a node did that ended the run; nil when none did.
  var nodeFailure: String?
  /// The end of the user's program that ended the run: then that is its result; nil when none did.
  var programEnd: ProgramEnd?
  /// What the user's app did that ended the run in virtual time: then that is its result; nil when it did nothing.
  var appFinding: AppFinding?
  /// Whether ``nodeFailure`` is a finding about the node: the status is then that of a run that does not hold.
  var isNodeFinding = false
  /// Why the trace could not be written; nil when it could.
  var traceError: String?
  /// Whether the user stopped it.
  var wasStopped: Bool
  /// What its faults met; nil where nobody asked.
  var met: FaultsMet?

  /// Why the environment failed; nil when it did not.
  var environmentFailure: String? {
    (programEnd == nil && appFinding == nil ? nodeFailure : nil)
      ?? traceError.map { "the trace cannot be written: \($0)" }
  }

  /// The exit status of a command that made this run; 128 and the signal's number for a run that was stopped.
  var status: Int32 {
    if wasStopped { return 128 + (StopSignal.number ?? 2) }
    if environmentFailure != nil { return isNodeFinding && traceError == nil ? 1 : 3 }
    return verdict == .pass ? 0 : 1
  }
}
