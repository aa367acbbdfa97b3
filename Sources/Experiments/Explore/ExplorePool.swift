import Simulator
import Console
import CSystem
import Link
import LinkTransport

/// Runs the branches of a search in processes of their own and passes on the results in the order of the branches.
///
/// The findings of a branch depend only on the branch, so the results are the same for any number of processes.
final class ExplorePool {
  private final class Worker {
    let child: ChildProcess
    let channel: LineChannel
    /// The branch in progress, by its index in the list; nil while it is idle.
    var item: Int?

    init(_ lines: [String]) throws(Failure) {
      do throws(SystemCallError) {
        let (ours, theirs) = try LineChannel.pair()
        channel = ours
        child = try ChildProcess(
          [ProcessRun.ownPath, CommandName.exploreWorker], descriptors: [theirs.descriptor], output: .standardError)
        // The descriptor stays open until the child has it, and is closed then, so that the child's end is noticed.
        withExtendedLifetime(theirs) {}
        for line in lines { try channel.send(line) }
      } catch {
        throw .environment("explore: a worker cannot be started: \(error)")
      }
    }
  }

  private let exploration: Exploration
  private let lines: [String]
  private let jobs: Int
  private var workers: [Worker] = []

  /// - Parameters:
  ///   - scenario: The scenario, as ``SweepSource/text`` writes it, for the workers.
  ///   - jobs: Number of processes; 1 runs everything in this one.
  init(_ exploration: Exploration, _ scenario: String, jobs: Int) {
    self.exploration = exploration
    self.jobs = jobs
    lines = [
      ExploreMessage.Order.scenario(scenario[...]).line, ExploreMessage.Order.scope(exploration.scope).line,
    ]
  }

  deinit { for worker in workers { worker.child.kill() } }

  /// Runs branches.
  ///
  /// - Parameters:
  ///   - places: The singles that they begin with.
  ///   - size: How many faults a placement has; at least 2.
  ///   - onBranch: Receives each result, in the order of `places`.
  /// - Returns: Whether all of them ran: not if the user stopped it, or one broke something and `stopsAtFailure`.
  func run(
    _ places: [Int], size: Int, stopsAtFailure: Bool, onBranch: (Int, Exploration.Branch) -> Void
  ) throws(Failure) -> Bool {
    guard jobs > 1 else {
      for place in places {
        let branch = try exploration.branch(place, size: size, stopsAtFailure: stopsAtFailure)
        if StopSignal.isRaised { return false }
        onBranch(place, branch)
        if branch.broken != nil, stopsAtFailure { return false }
      }
      return true
    }
    while workers.count < min(jobs, places.count) { workers.append(try Worker(lines)) }
    // Results that wait for an earlier one, by index in the list.
    var waiting: [Int: Exploration.Branch] = [:]
    var (next, head) = (0, 0)
    while head < places.count {
      if StopSignal.isRaised { return false }
      // Results out of order wait in memory: bounded, however slow one branch is.
      for worker in workers where worker.item == nil && next < places.count && next - head < jobs * 16 {
        worker.item = next
        // The end of a dead worker is noticed at its channel.
        try? worker.channel.send(
          ExploreMessage.Order.branch(place: places[next], size: size, stopsAtFailure: stopsAtFailure).line)
        next += 1
      }
      try listen { waiting[$0] = $1 }
      while let branch = waiting.removeValue(forKey: head) {
        onBranch(places[head], branch)
        head += 1
        if branch.broken != nil, stopsAtFailure { return false }
      }
    }
    return true
  }

  private func listen(_ take: (Int, Exploration.Branch) -> Void) throws(Failure) {
    var entries = workers.map {
      cs_poll_entry(descriptor: $0.channel.descriptor, wanted: Int16(CS_POLL_READ), ready: 0)
    }
    if let stop = StopSignal.descriptor {
      entries.append(cs_poll_entry(descriptor: stop, wanted: Int16(CS_POLL_READ), ready: 0))
    }
    _ = cs_poll(&entries, entries.count, 100_000_000)
    for worker in workers {
      guard let (lines, isAtEnd) = try? worker.channel.receiveAvailable() else { throw death(of: worker) }
      for line in lines {
        switch ExploreMessage.Answer(line) {
        case .branch(let branch)?:
          if let item = worker.item { take(item, branch) }
          worker.item = nil
        case .gaveUp(let status, let text)?:
          throw status == 2 ? .input(String(text)) : .environment(String(text))
        case nil: break
        }
      }
      if isAtEnd { throw death(of: worker) }
    }
  }

  private func death(of worker: Worker) -> Failure {
    let how = worker.child.finish(graceSeconds: 5).map { ": it \($0)" } ?? ""
    let place = worker.item.map { " in the branch of place \($0 + 1)" } ?? ""
    return .environment("explore: a worker ended\(place)\(how)")
  }
}
