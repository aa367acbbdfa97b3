import Experiments
import Simulator
import TraceTools
import Console
import Link

/// `sim-runner replay`: replays a trace.
enum ReplayCommand: Command {
  static let name = CommandName.replay
  static let about = "replays a trace, and compares the decisions"
  static let usage = "TRACE [--phone-only | --watch-only] [--faults SCENARIO] [--json]"
  static let options: [Option] = [
    .flag("--phone-only", "feed the recorded deliveries to today's phone, and compare its decisions"),
    .flag(
      "--watch-only",
      "run the recorded watch with a new phone and the header's faults, or with those of --faults"),
    .value("--faults", "SCENARIO", "with --watch-only: use the faults and expectations of this scenario"),
    .value("--workout", "FILE", "the run's recorded workout, if it is not beside the trace"),
    AppOptions.watch, AppOptions.phone, AppOptions.runPrograms,
    .output("--trace", "FILE", "with --watch-only, or for an app's recording: write the new trace here"),
    .flag("--json", "one JSON object on standard output, the rest on standard error"),
  ]
  static let details = """
    Without a flag the whole run is repeated from the trace's header and compared. With --phone-only nothing is drawn
    again: the watch repeats what it did, every frame arrives at its recorded time, and the phone's decisions are
    compared. With --watch-only the run that the watch recorded is replayed, second by second, in a new run, with the
    phone of --phone-cmd if there is one.
    Apps are run again by the commands in the header with --run-programs, if the programs are the same to the byte;
    --phone-cmd and --watch-cmd name others. They are never compared with the built-in nodes.
    The first difference is printed with the lines before it. A truncated trace is replayed up to its end.
    Exit status: 0 the same, or all held; 1 a difference, or something did not hold; 2 the file is no trace, or its
    header is incomplete.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the trace")
    let isPhoneOnly = arguments.has("--phone-only")
    let isWatchOnly = arguments.has("--watch-only")
    if isPhoneOnly, isWatchOnly {
      throw .input("sim-runner replay: --phone-only and --watch-only exclude one another")
    }
    if arguments.has("--faults"), !isWatchOnly { throw .input("sim-runner replay: --faults needs --watch-only") }
    let trace = try RecordedTrace(path)
    try trace.refuseFreeRunning(isPhoneOnly ? [.phone] : isWatchOnly ? [.watch] : [.watch, .phone])
    let recorded = try RecordedPrograms(trace)
    if isPhoneOnly { try recorded.refuse(.phone, option: "--phone-only") }
    if isWatchOnly { try recorded.refuse(.watch, option: "--watch-only") }
    let programs = try AppOptions.programs(arguments)
    if !programs.isEmpty, isPhoneOnly {
      throw .input("sim-runner replay: --phone-only has the built-in phone; --watch-only takes --phone-cmd")
    }
    if programs.watch != nil, isWatchOnly {
      throw .input("sim-runner replay: --watch-only has the recorded watch; expected --phone-cmd alone")
    }
    if isWatchOnly { return try watchOnly(trace, recorded, arguments) }
    if trace.isCapture { return try replayCapture(trace, arguments, isPhoneOnly: isPhoneOnly) }
    if arguments.has("--trace") {
      throw .input("sim-runner replay: --trace needs --watch-only, or --phone-only with a recording of an app")
    }
    if !isPhoneOnly { try AppOptions.permit(recorded.running(programs), of: "the trace \(path)", arguments) }
    let workout = arguments.value("--workout")
    let outcome =
      try isPhoneOnly
      ? PhoneReplay.run(trace, workout: workout) : WholeReplay.run(trace, workout: workout, programs: programs)
    let what = isPhoneOnly ? "phone-only" : "whole"
    if arguments.has("--json") {
      JSONOutput.print(outcome.members(trace, what: what))
    } else {
      report(outcome, trace, isPhoneOnly: isPhoneOnly)
    }
    for note in outcome.notes { Terminal.error("\(path): note: \(note)") }
    return outcome.difference.isEmpty ? 0 : 1
  }

  private static func report(_ outcome: ReplayOutcome, _ trace: RecordedTrace, isPhoneOnly: Bool) {
    let count = outcome.difference.steps.count { $0.before != nil }
    let run = "\(trace.path): scenario \(TerminalText.escape(trace.header.scenario)), seed \(trace.header.seed)"
    guard !outcome.difference.isEmpty else {
      var text = "\(Terminal.styled("same", .bold, .green)): \(run): "
      if isPhoneOnly {
        text += "the phone wrote the same \(PlainText.count(count, "line"))"
        if let frames = outcome.frames { text += " on \(PlainText.count(frames.all, "frame")) of the watch" }
      } else {
        text += "\(PlainText.count(count, "decision")) at the same times"
        if outcome.isIdentical == true { text += ", and the same bytes" }
      }
      return Terminal.print(text)
    }
    Terminal.print("\(Terminal.styled("different", .bold, .red)): \(run)")
    let names = (before: trace.path, after: isPhoneOnly ? "the phone of today" : "the run of today")
    let text = DifferenceText(difference: outcome.difference, names: names)
    for line in text.lines(isColored: Terminal.hasColor) { Terminal.print(line) }
  }

  /// What today's phone does with an app's recording.
  private static func replayCapture(
    _ trace: RecordedTrace, _ arguments: Arguments, isPhoneOnly: Bool
  ) throws(Failure) -> Int32 {
    guard isPhoneOnly else {
      throw .input("\(trace.path):1:1: error: found a recording of one device, expected --phone-only with it")
    }
    let file = try OutputFile(named: arguments.value("--trace"), as: .trace)
    let isJSON = arguments.has("--json")
    let (frames, notes) = try PhoneReplay.replayCapture(
      trace, screen: Screen(onStandardError: isJSON), output: file.map { file in { try file.write($0) } })
    try file?.commit()
    for note in notes { Terminal.error("\(trace.path): note: \(note)") }
    if isJSON {
      JSONOutput.print([
        "scenario": .string(trace.header.scenario), "replay": .string("phone-only"), "verdict": .null,
        "frames": .count(frames.all), "unknown": .count(frames.unknown),
      ])
    }
    return 0
  }

  private static func watchOnly(
    _ trace: RecordedTrace, _ recorded: RecordedPrograms, _ arguments: Arguments
  ) throws(Failure) -> Int32 {
    let faults: Scenario?
    if let path = arguments.value("--faults") { faults = try Scenario.load(path) } else { faults = nil }
    var (scenario, notes) = try WatchReplay.scenario(trace, faults: faults)
    // Without an option the phone is what it was: an app is run again.
    let isNamed = arguments.value(AppOptions.phone.name) != nil
    scenario.programs = try isNamed ? AppOptions.programs(arguments) : recorded.running(UserPrograms())
    if !isNamed { try AppOptions.permit(scenario.programs, of: "the trace \(trace.path)", arguments) }
    if !scenario.programs.isEmpty { scenario.appTime = recorded.time }
    var options = RunOptions()
    if !scenario.programs.isEmpty { options.mode = .processes }
    for note in notes { Terminal.error("\(trace.path): note: \(note)") }
    let isJSON = arguments.has("--json")
    let again =
      [Terminal.program, name, trace.path, "--watch-only"]
      + (arguments.value("--faults").map { ["--faults", $0] } ?? [])
      + (arguments.value(AppOptions.phone.name).map { [AppOptions.phone.name, $0] } ?? [])
      + (arguments.has(AppOptions.runPrograms.name) ? [AppOptions.runPrograms.name] : [])
    let show = RunShow(
      scenario: scenario, options: options, tracePath: arguments.value("--trace"),
      repeatCommand: CommandWords.join(again), screen: Screen(onStandardError: isJSON))
    let outcome = try show.run()
    if isJSON { Terminal.print(RunJSON.text(outcome, mode: options.mode, tracePath: show.tracePath)) }
    return outcome.status
  }
}
