import Simulator
package import Console
import Foundation
import Link
import LinkTransport

/// Runs one seed in a separate process, so that a crash of the simulation is a result.
package enum IsolatedRun {
  /// How a simulation died, and what it had reported by then.
  package struct Death: Equatable {
    /// The process's end: `ended by signal 4`.
    var how: String
    /// The virtual time of its last report, at most a second before its end.
    var time = VirtualTime.start
    /// Its circumstances, as in ``Circumstances/text``.
    var circumstances = Circumstances().text

    var finding: SweepLine.Finding {
      SweepLine.Finding(
        invariant: SeedRun.crash, time: time.nanoseconds, detail: "the process that simulated it \(how)")
    }

    /// The phase of the run, as in ``Circumstances/phaseText``.
    var phase: String { Circumstances.phase(in: circumstances) }
  }

  /// Runs a seed of a scenario.
  ///
  /// - Parameters:
  ///   - text: The scenario, as ``SweepSource/text`` writes it.
  ///   - silenceMax: How many seconds of real time it may take without a report.
  /// - Returns: How it died; nil if it finished, was stopped by the user or took too long.
  /// - Throws: If the process cannot be started, or cannot read the scenario.
  package static func death(
    of seed: UInt64, in text: String, silenceMax: Double = SweepPool.silenceMaxStandard
  ) throws(Failure) -> Death? {
    let worker = try WorkerProcess(scenario: text, isQuiet: true)
    defer { worker.kill() }
    worker.order(.reports(seed: seed))
    var death = Death(how: "")
    while !StopSignal.isRaised, worker.heardAt.secondsSince <= silenceMax {
      WorkerProcess.wait(for: [worker])
      let (answers, isGone) = worker.readAnswers()
      for answer in answers {
        switch answer {
        case .reached(let time, let circumstances):
          death.time = VirtualTime(nanoseconds: time)
          death.circumstances = String(circumstances)
        case .done: return nil
        case .gaveUp(let status, let text):
          throw status == 2 ? .input(String(text)) : .environment(String(text))
        case .passed, .failed, .census, .warnings, .shrinking, .shrunk, .branch: break
        }
      }
      if isGone {
        guard let end = worker.end() else { return nil }
        death.how = "\(end)"
        return death
      }
    }
    return nil
  }

  /// Runs a scenario with its own seed; the one finding is that it died.
  static func findings(_ scenario: Scenario) throws(Failure) -> [ObservedFinding] {
    guard let death = try death(of: scenario.seed, in: SweepSource.text(of: scenario)) else { return [] }
    return [ObservedFinding(finding: death.finding, kind: FailureKind(death.finding, phase: death.phase))]
  }
}
