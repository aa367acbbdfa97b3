import Console
import Link
import LinkTransport
import Simulator

/// Shrinks a failing run in a process of its own, so that a crash of the shrinker, or of a run that only it makes, does not end
/// the sweep.
enum IsolatedShrinker {
  /// How it ended.
  enum End {
    case shrunk(ShrunkRun, FailureCause)
    /// The run does not fail in that way.
    case holds
    /// It died, hung or refused, with the reason.
    case failed(String)
    /// The user wants to stop.
    case stopped
  }

  /// Shrinks a run.
  ///
  /// - Parameters:
  ///   - scenario: A run that fails, with its seed and its complete plan.
  ///   - target: The failure to preserve.
  ///   - silenceMax: How many seconds of real time one of its runs may take.
  static func shrink(
    _ scenario: Scenario, target: String, silenceMax: Double = SweepPool.silenceMaxStandard, _ screen: Screen
  ) -> End {
    let worker: WorkerProcess
    do throws(Failure) { worker = try WorkerProcess(scenario: SweepSource.text(of: scenario)) } catch {
      return .failed(error.text)
    }
    defer {
      worker.kill()
      screen.endProgress()
    }
    worker.order(.shrink(target: target[...]))
    while !StopSignal.isRaised {
      guard worker.heardAt.secondsSince <= silenceMax else { return .failed("one of its runs did not end") }
      WorkerProcess.wait(for: [worker])
      let (answers, isGone) = worker.readAnswers()
      for answer in answers {
        switch answer {
        case .shrinking(let text): screen.progress { String(text) }
        case .shrunk(let text):
          guard !text.isEmpty else { return .holds }
          guard let (run, broken) = ShrunkRun.read(text) else { return .failed("its result cannot be read back") }
          return .shrunk(run, FailureCause(run, breaking: broken))
        case .gaveUp(_, let text): return .failed(String(text))
        case .passed, .failed, .reached, .census, .warnings, .done, .branch: break
        }
      }
      if isGone, !StopSignal.isRaised { return .failed("its process \(worker.end().map { "\($0)" } ?? "is gone")") }
    }
    return .stopped
  }
}
