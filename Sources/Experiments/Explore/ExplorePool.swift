import Console
import Link
import LinkTransport
import Simulator

/// Runs the branches of a search and passes on the results in the order of the branches.
///
/// The findings of a branch depend only on the branch, so the results are the same for any number of processes.
final class ExplorePool {
  private let exploration: Exploration
  /// Nil to run everything in this process.
  private let pool: WorkerPool?

  /// - Parameters:
  ///   - scenario: The scenario, as ``SweepSource/text`` writes it, for the workers.
  ///   - jobs: Number of processes; 1 runs everything in this one.
  init(_ exploration: Exploration, _ scenario: String, jobs: Int) {
    self.exploration = exploration
    pool = jobs > 1 ? WorkerPool([.scenario(text: scenario[...]), .scope(exploration.scope)], jobs: jobs) : nil
  }

  /// Runs branches.
  ///
  /// - Parameters:
  ///   - places: The singles that they begin with.
  ///   - size: How many faults a placement has; at least 2.
  ///   - onBranch: Receives each result, in the order of `places`.
  /// - Returns: Whether all of them ran: not if the user stopped it, or one broke something and `stopsAtFailure`.
  func run(
    _ places: [Int], size: Int, stopsAtFailure: Bool, onBranch: @escaping (Int, Exploration.Branch) -> Void
  ) throws(Failure) -> Bool {
    if let pool {
      let work = Branches(places, size: size, stopsAtFailure: stopsAtFailure, onBranch)
      return try pool.run(work) == .complete
    }
    for place in places {
      let branch = try exploration.branch(place, size: size, stopsAtFailure: stopsAtFailure)
      if StopSignal.isRaised { return false }
      onBranch(place, branch)
      if branch.broken != nil, stopsAtFailure { return false }
    }
    return true
  }

  /// Branches of one size: a job each.
  private final class Branches: PooledWork {
    private let places: [Int]
    private let size: Int
    private let stopsAtFailure: Bool
    private let onBranch: (Int, Exploration.Branch) -> Void
    /// Results that are not passed on yet, by job.
    private var waiting: [Int: Exploration.Branch] = [:]

    init(
      _ places: [Int], size: Int, stopsAtFailure: Bool, _ onBranch: @escaping (Int, Exploration.Branch) -> Void
    ) {
      self.places = places
      self.size = size
      self.stopsAtFailure = stopsAtFailure
      self.onBranch = onBranch
    }

    func order(ofJob number: Int) -> WorkerMessage.Order? {
      guard number < places.count else { return nil }
      return .branch(.init(place: places[number], size: size, stopsAtFailure: stopsAtFailure))
    }

    func receive(_ answer: WorkerMessage.Answer, ofJob number: Int) -> Bool {
      guard case .branch(let branch) = answer else { return false }
      waiting[number] = branch
      return true
    }

    func continueJob(_ number: Int, after end: ChildProcess.End?) throws(Failure) -> WorkerMessage.Order? {
      let how = end.map { ": it \($0)" } ?? ""
      throw .environment("explore: a worker ended in the branch of place \(places[number] + 1)\(how)")
    }

    func passOn(_ number: Int) -> PassedOn {
      guard let branch = waiting.removeValue(forKey: number) else { return .wait }
      onBranch(places[number], branch)
      return branch.broken != nil && stopsAtFailure ? .stop : .next
    }

    func progress() {}
  }
}
