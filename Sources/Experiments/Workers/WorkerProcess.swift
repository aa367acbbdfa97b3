import CSystem
import Console
import Foundation
import Link
import LinkTransport
import Simulator

/// The orderer's end of a process that runs seeds, branches of a search or a shrinker: `sim-runner worker`.
final class WorkerProcess {
  private let child: ChildProcess
  private let channel: LineChannel
  /// The job in progress, by its number in the pool; nil while it is idle.
  fileprivate(set) var job: Int?
  /// When it last answered, or was given an order.
  private(set) var heardAt = ContinuousClock.now

  /// Starts a process and gives it orders.
  ///
  /// - Parameters:
  ///   - orders: The first of them, which have no answer.
  ///   - isQuiet: Whether to drop its output and disable Swift's backtracer: for seeds that are known to die.
  init(_ orders: [WorkerMessage.Order], isQuiet: Bool = false) throws(Failure) {
    do throws(SystemCallError) {
      let (ours, theirs) = try LineChannel.pair()
      channel = ours
      child = try ChildProcess(
        [ProcessRun.ownPath, CommandName.worker], environment: isQuiet ? [("SWIFT_BACKTRACE", "enable=no")] : [],
        descriptors: [theirs.descriptor], output: isQuiet ? .nowhere : .standardError)
      // The descriptor stays open until the child has it, and is closed then, so that the child's end is noticed.
      withExtendedLifetime(theirs) {}
      for order in orders { try channel.send(order.line) }
    } catch {
      throw .environment("a worker cannot be started: \(error)")
    }
  }

  /// Starts a process with one scenario.
  ///
  /// - Parameter text: The scenario, as ``SweepSource/text`` writes it.
  convenience init(scenario text: String, isQuiet: Bool = false) throws(Failure) {
    try self.init([.scenario(text: text[...])], isQuiet: isQuiet)
  }

  func order(_ order: WorkerMessage.Order) {
    heardAt = .now
    // The end of a dead worker is noticed at its channel.
    try? channel.send(order.line)
  }

  /// Its answers since the last call, and whether it is gone.
  func readAnswers() -> (answers: [WorkerMessage.Answer], isGone: Bool) {
    guard let (lines, isAtEnd) = try? channel.receiveAvailable() else { return ([], true) }
    if !lines.isEmpty { heardAt = .now }
    return (lines.compactMap { WorkerMessage.Answer($0) }, isAtEnd)
  }

  /// Waits until one of several answers, the user wants to stop, or a tenth of a second has passed.
  static func wait(for workers: [WorkerProcess]) {
    let descriptors = workers.map(\.channel.descriptor) + [StopSignal.descriptor].compactMap { $0 }
    var entries = descriptors.map { cs_poll_entry(descriptor: $0, wanted: Int16(CS_POLL_READ), ready: 0) }
    _ = cs_poll(&entries, entries.count, 100_000_000)
  }

  /// How it ended; waits a moment, then kills it.
  func end() -> ChildProcess.End? { child.finish(graceSeconds: 5) }

  func kill() { child.kill() }
}

/// What a pool of workers runs: numbered jobs, whose results are passed on in the order of the numbers.
protocol PooledWork: AnyObject {
  /// The order of the next job, by its number; nil if there is none left.
  func order(ofJob number: Int) -> WorkerMessage.Order?

  /// Receives an answer.
  ///
  /// - Returns: Whether the job is done.
  func receive(_ answer: WorkerMessage.Answer, ofJob number: Int) throws(Failure) -> Bool

  /// Handles the end of a worker in the middle of a job.
  ///
  /// - Parameter end: How it died; nil for one that exceeded the time limit.
  /// - Returns: The order of what is left of the job; nil if nothing is.
  func continueJob(_ number: Int, after end: ChildProcess.End?) throws(Failure) -> WorkerMessage.Order?

  /// Passes on what there is of the results of a job, all earlier ones being done.
  ///
  /// - Returns: `next` if it is done, `stop` if no more results are wanted, else `wait`.
  func passOn(_ number: Int) throws(Failure) -> PassedOn

  /// Called now and then.
  func progress() throws(Failure)
}

/// What follows when a result has been passed on.
enum PassedOn { case wait, next, stop }

/// Runs jobs in processes of their own.
///
/// Processes and not threads: a run updates reference counts all the time, which threads would contend for; and a job that
/// crashes the simulation takes only one worker with it. The results do not depend on the number of processes.
final class WorkerPool {
  /// How it ended.
  enum End { case complete, enough, stopped }

  private let beginning: [WorkerMessage.Order]
  private let jobs: Int
  /// The time limit for an answer, in seconds of real time.
  private let silenceMax: Double
  private var workers: [WorkerProcess] = []

  /// - Parameters:
  ///   - beginning: The orders that each worker gets first.
  ///   - jobs: Number of processes.
  init(_ beginning: [WorkerMessage.Order], jobs: Int, silenceMax: Double = .infinity) {
    precondition(jobs > 0)
    self.beginning = beginning
    self.jobs = jobs
    self.silenceMax = silenceMax
  }

  deinit { for worker in workers { worker.kill() } }

  /// Runs work to its end, or until no more of its results are wanted.
  ///
  /// - Throws: If a worker cannot be started, or gives up.
  func run(_ work: some PooledWork) throws(Failure) -> End {
    // The job whose results are passed on next, and the next one to be ordered, which is nil once there is none.
    var head = 0
    var next: Int? = 0
    var issued = 0
    while true {
      if StopSignal.isRaised { return .stopped }
      passing: while head < issued {
        switch try work.passOn(head) {
        case .next: head += 1
        case .stop: return .enough
        case .wait: break passing
        }
      }
      // Results out of order wait in memory: bounded, however slow one job is.
      while let number = next, number - head < jobs * 16,
        workers.count < jobs || workers.contains(where: { $0.job == nil })
      {
        guard let order = work.order(ofJob: number) else {
          next = nil
          break
        }
        let worker = try idleWorker()
        worker.job = number
        worker.order(order)
        (next, issued) = (number + 1, number + 1)
      }
      if next == nil, head == issued { return .complete }
      WorkerProcess.wait(for: workers)
      for index in workers.indices { try listen(to: index, work) }
      try work.progress()
    }
  }

  private func idleWorker() throws(Failure) -> WorkerProcess {
    if let idle = workers.first(where: { $0.job == nil }) { return idle }
    let worker = try WorkerProcess(beginning)
    workers.append(worker)
    return worker
  }

  private func listen(to index: Int, _ work: some PooledWork) throws(Failure) {
    let worker = workers[index]
    let (answers, isGone) = worker.readAnswers()
    for answer in answers {
      if case .gaveUp(let status, let text) = answer {
        throw status == 2 ? .input(String(text)) : .environment(String(text))
      }
      if let job = worker.job, try work.receive(answer, ofJob: job) { worker.job = nil }
    }
    if isGone {
      try replace(index, died: worker.end(), work)
    } else if worker.job != nil, worker.heardAt.secondsSince > silenceMax {
      worker.kill()
      try replace(index, died: nil, work)
    }
  }

  /// Lets another worker continue the job of one that is gone.
  private func replace(_ index: Int, died end: ChildProcess.End?, _ work: some PooledWork) throws(Failure) {
    guard let job = workers[index].job else {
      throw .environment("a worker ended before it had anything to do\(end.map { ": it \($0)" } ?? "")")
    }
    let rest = try work.continueJob(job, after: end)
    workers[index] = try WorkerProcess(beginning)
    guard let rest else { return }
    workers[index].job = job
    workers[index].order(rest)
  }
}
