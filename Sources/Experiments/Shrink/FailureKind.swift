import Simulator
import TraceTools
import Console
import Link

/// What failures of the same kind have in common: the invariant, the pattern of its detail and the phase.
struct FailureKind: Equatable {
  var invariant: String
  /// The detail without numbers, identifiers and quoted text.
  var pattern: String
  /// The phase of the run at the failure, as in ``Circumstances/phaseText``.
  var phase: String

  init(_ finding: SweepLine.Finding, phase: String) {
    invariant = finding.invariant
    // For a process that died, the signal or status is the kind.
    pattern = finding.invariant == SeedRun.crash ? finding.detail : FailurePattern.of(finding.detail)
    self.phase = phase
  }
}

/// One finding of a run and its kind.
struct ObservedFinding {
  var finding: SweepLine.Finding
  var kind: FailureKind

  /// Runs a scenario in this process and returns what went wrong, in the order of ``SeedRun/findings(_:)``.
  ///
  /// - Parameter starters: Starts the scenario's apps; nil to execute each start.
  static func run(_ scenario: Scenario, _ starters: AppStarters? = nil) throws(Failure) -> [ObservedFinding] {
    let phases = PhaseLog(ofApps: !scenario.appRoles.isEmpty)
    var options = RunOptions()
    options.showsPrograms = false
    options.level = .judged
    options.starters = starters
    options.onEvent = { event, line in phases.observe(event, line: line) }
    return SeedRun.findings(try ScenarioRun.run(scenario, options)).map {
      ObservedFinding(finding: $0.finding, kind: FailureKind($0.finding, phase: phases.phase(at: $0.line)))
    }
  }

  /// The phases of one run, by the number of the line that began each.
  private final class PhaseLog {
    private var circumstances: Circumstances
    private var phases: [(line: Int, text: String)] = []

    init(ofApps isOfApps: Bool) {
      circumstances = Circumstances(ofApps: isOfApps)
      phases = [(0, circumstances.phaseText)]
    }

    func observe(_ event: TraceEvent, line: Int) {
      guard event.name == WorkoutStateChanged.name || event.name == FaultsHealed.name else { return }
      circumstances.observe(event)
      phases.append((line, circumstances.phaseText))
    }

    /// The phase at a line; the last one if no line shows the failure.
    func phase(at line: Int?) -> String {
      (phases.last { $0.line <= line ?? .max } ?? phases[0]).text
    }
  }
}
