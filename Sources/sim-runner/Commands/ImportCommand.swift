import Simulator
import Console
import Link
import WatchSim

/// `sim-runner import`: describes a recorded workout and its repairs.
enum ImportCommand: Command {
  static let name = CommandName.importWorkout
  static let about = "reads a recorded workout, and can run it as a trace"
  static let usage = "WORKOUT [--list | --workout N] [-o TRACE | --into STATE_DIR] [--json]"
  static let options: [Option] = [
    .value("--into", "STATE_DIR", "ingest the daily data of a Health export into the phone's store in this folder"),
    .output("--output", "TRACE", "(also -o) run the workout on the watch and write the trace here"),
    .flag("--json", "one JSON object on standard output"),
    .flag("--list", "list the workouts in the file"),
    .value("--workout", "N", "read the file's workout N (--list numbers them)"),
  ]
  static var details: String {
    """
    Damaged files are repaired if possible; every repair and every doubt is listed. Formats:
    \(ImporterCatalog.all.map { "\($0.name): \($0.help)" }.joined(separator: "\n"))
    With -o the simulated watch records the workout again, second by second, beside a phone over the link
    profile `ideal`; the trace is judged, and shows what watch and phone would have done.
    With --into, WORKOUT is a Health export. Its sleep, active energy, exercise and mindfulness are staged,
    parsed and stored by day, as `phone.ingestion` does in a run. Repeating it changes nothing, and an import
    that was killed continues. `sim-runner inspect STATE_DIR` shows the result.
    Exit status: 0 it was read; 1 an invariant failed in the run; 2 the file is no workout, or has no times to
    replay (without -o such a file is still described); 3 the trace cannot be written.
    """
  }

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the workout")
    let number = try number(arguments)
    if let folder = arguments.value("--into") {
      for option in ["--list", "--workout", "--output"] where arguments.has(option) || arguments.value(option) != nil {
        throw .input("\(option): cannot be used with --into, which reads no workouts")
      }
      let outcome = try HealthIngest(path: path).ingest(into: folder)
      if arguments.has("--json") {
        JSONOutput.print(outcome.members)
      } else {
        for line in outcome.lines { Terminal.print(line) }
      }
      return 0
    }
    if arguments.has("--list") { return try list(path, isJSON: arguments.has("--json")) }
    let workout: RecordedWorkout
    do throws(ImportError) { workout = try ImporterCatalog.read(path: path, number: number) } catch {
      throw .input(error.description)
    }
    // Refuses before anything is printed or written.
    var run: WorkoutRun?
    if let output = arguments.value("--output") {
      run = try WorkoutRun(workout, path: path, number: number, output: output)
    }
    let outcome = try run?.write()
    if arguments.has("--json") {
      JSONOutput.print(members(workout))
    } else {
      for line in report(workout, path: path) { Terminal.print(line) }
    }
    guard let run, let outcome else { return 0 }
    Terminal.error("\(run.output): \(outcome.verdict.rawValue): \(PlainText.count(outcome.events, "event"))")
    for violation in outcome.violations {
      Terminal.error("\(run.output): violation: \(violation.invariant): \(violation.detail)")
    }
    return outcome.status
  }

  private static func number(_ arguments: Arguments) throws(Failure) -> Int? {
    guard let number = try arguments.unsigned("--workout") else { return nil }
    guard let small = Int(exactly: number), small > 0 else {
      throw .input("--workout: found \(number), expected a number from 1 on")
    }
    return small
  }

  private static func list(_ path: String, isJSON: Bool) throws(Failure) -> Int32 {
    let outlines: [WorkoutOutline]
    do throws(ImportError) { outlines = try ImporterCatalog.outlines(path: path) } catch {
      throw .input(error.description)
    }
    guard !isJSON else {
      JSONOutput.print(["workouts": .objects(outlines, members)])
      return 0
    }
    var rows = [["no.", "start", "sport", "elapsed", "distance", "name"]]
    for outline in outlines {
      rows.append([
        String(outline.number), outline.start.flatMap(DateText.utc) ?? "unknown", outline.sport ?? "not said",
        outline.elapsed.map(clock) ?? "-", outline.distance.map { "\(decimal($0, places: 1)) m" } ?? "-",
        outline.name ?? "",
      ])
    }
    for line in PlainText.columns(rows.map { $0.map(TerminalText.escape) }) { Terminal.print(line) }
    return 0
  }

  private static func members(_ outline: WorkoutOutline) -> JSONFields {
    [
      "number": .count(outline.number), "sport": .text(outline.sport),
      "start": .text(outline.start.flatMap(DateText.utc)), "elapsedSeconds": .decimal(outline.elapsed),
      "distanceMeters": .decimal(outline.distance), "name": .text(outline.name),
    ]
  }

  private static func members(_ workout: RecordedWorkout) -> JSONFields {
    [
      "format": .string(workout.format), "sport": .text(workout.sport),
      "start": .text(workout.start.flatMap(DateText.utc)), "elapsedSeconds": .decimal(workout.elapsedSeconds),
      "timerSeconds": .decimal(workout.timerSeconds), "distanceMeters": .decimal(workout.distanceMeters),
      "energyKcal": .decimal(workout.summary.energyKcal), "samples": .count(workout.sampleCount),
      "averageHeartRate": .decimal(workout.averageHeartRate), "maximumHeartRate": .count(workout.maximumHeartRate),
      "laps": .count(workout.lapCount), "pauses": .count(workout.pauseCount), "lengths": .count(workout.lengthCount),
      "strokes": .count(workout.strokeCount), "poolLengthMeters": .decimal(workout.poolLength),
      "findings": .texts(workout.findings), "replay": replay(of: workout),
    ]
  }

  /// The figures of a replay, and why they differ; null if there is no replay.
  private static func replay(of workout: RecordedWorkout) -> JSONValue {
    guard let replay = workout.makeTimeline().map(ReplayFigures.init) else { return .null }
    return .fields([
      "elapsedSeconds": .decimal(replay.elapsedSeconds), "timerSeconds": .decimal(replay.timerSeconds),
      "distanceMeters": .decimal(replay.distanceMeters), "averageHeartRate": .decimal(replay.averageHeartRate),
      "maximumHeartRate": .count(replay.maximumHeartRate),
      "differences": .texts(workout.differences(from: replay)),
    ])
  }

  private static func report(_ workout: RecordedWorkout, path: String) -> [String] {
    var rows: [[String]] = [["format", workout.format], ["sport", workout.sport ?? "not said"]]
    if let device = workout.summary.device { rows.append(["device", device]) }
    rows.append(["start", workout.start.flatMap(DateText.utc) ?? "unknown"])
    rows.append(["elapsed", clock(workout.elapsedSeconds)])
    rows.append(["timer", clock(workout.timerSeconds)])
    rows.append(["distance", "\(decimal(workout.distanceMeters, places: 1)) m\(origin(workout.distanceSource))"])
    if let energy = workout.summary.energyKcal {
      rows.append(["energy", "\(decimal(energy, places: 0)) kcal, as the device states it"])
    }
    rows.append(["samples", "\(workout.sampleCount)"])
    if let mean = workout.averageHeartRate, let highest = workout.maximumHeartRate {
      rows.append(["heart rate", "mean \(decimal(mean, places: 1)), highest \(highest) beats per minute"])
    } else {
      rows.append(["heart rate", "none"])
    }
    rows.append(["laps", "\(workout.lapCount)"])
    rows.append(["pauses", "\(workout.pauseCount)\(kinds(of: workout.pauses))"])
    if !workout.lengths.isEmpty {
      let pool = workout.poolLength.map { " of \(decimal($0, places: 2)) m" } ?? ""
      rows.append(["lengths", "\(workout.lengthCount) swum\(pool), \(PlainText.count(workout.strokeCount, "stroke"))"])
    }
    rows.append(["replayable", workout.replayObstacle == nil ? "yes" : "no"])
    var lines = [Terminal.styled(TerminalText.escape(path), .bold)]
    lines += PlainText.columns(rows.map { $0.map(TerminalText.escape) }, indent: 2)
    lines.append("")
    if workout.findings.isEmpty {
      lines.append("Nothing had to be repaired.")
    } else {
      lines.append("Repaired, or in doubt:")
      lines += workout.findings.map { "  - \(TerminalText.escape($0))" }
    }
    let differences = workout.makeTimeline().map { workout.differences(from: ReplayFigures($0)) } ?? []
    if !differences.isEmpty {
      lines += ["", "A replay differs:"]
      lines += differences.map { "  - \(TerminalText.escape($0))" }
    }
    return lines
  }

  private static func origin(_ source: RecordedWorkout.DistanceSource) -> String {
    switch source {
    case .device: ", as the device recorded it"
    case .greatCircle: ", summed from positions"
    case .speed: ", integrated from recorded speeds"
    case .laps: ", laid over the laps"
    case .total: ", laid evenly over the workout"
    case .none: ", as the file has none"
    }
  }

  private static func kinds(of pauses: [RecordedWorkout.Pause]) -> String {
    var parts: [String] = []
    for kind in [RecordedWorkout.Pause.Kind.manual, .auto, .motion, .inferred] {
      let count = pauses.count { $0.kind == kind }
      if count > 0 { parts.append("\(count) \(kind.rawValue)") }
    }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  /// `1:02:03.5`.
  private static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "\(seconds) s" }
    let tenths = Int64((abs(seconds) * 10).rounded())
    let whole = tenths / 10
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(whole / 3_600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    return (seconds < 0 ? "-" : "") + text + (tenths % 10 == 0 ? "" : ".\(tenths % 10)")
  }

  private static func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite, abs(value) < 1e11 else { return "\(value)" }
    return TraceValue.number(value, places: places).jsonText
  }
}
