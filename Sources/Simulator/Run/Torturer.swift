import Foundation
package import Link
import LinkTransport
import Synchronization

/// Kills the nodes of a run at random real moments, from a thread of its own.
///
/// Node and delay are drawn from a seed; where that hits a run depends on the machine.
package final class Torturer: Sendable {
  /// The processes that can be killed, and those that were.
  private struct Targets {
    /// By role, 0 for none.
    var processes: [Int32] = [0, 0, 0]
    /// Which of them were killed.
    var areShot = [false, false, false]
    var kills = 0
    var killsMax: Int
    var hasStarted = false
    var isOver = false
  }

  private let targets: Mutex<Targets>
  private let random: RandomStream
  private let ended = DispatchSemaphore(value: 0)
  /// Whether anything else may kill the processes, too.
  let toleratesKills: Bool

  /// The mean time between two kills, in seconds.
  static let meanSeconds = 0.03

  /// Idle before ``start()``.
  ///
  /// - Parameters:
  ///   - random: The random stream.
  ///   - killsMax: Limit of killed processes; 0 to kill none.
  ///   - toleratesKills: Whether a process that something else kills is one of those that were killed, also when it
  ///     starts for the first time.
  package init(_ random: RandomStream, killsMax: Int, toleratesKills: Bool = false) {
    self.random = random
    self.toleratesKills = toleratesKills
    targets = Mutex(Targets(killsMax: killsMax))
  }

  /// Begins to kill; called once.
  func start() {
    let killsAny = targets.withLock { targets in
      targets.hasStarted = targets.killsMax > 0
      return targets.hasStarted
    }
    guard killsAny else { return }
    Thread.detachNewThread { [self] in
      shoot()
      ended.signal()
    }
  }

  /// Number of killed processes.
  package var kills: Int { targets.withLock(\.kills) }

  /// Adds a process that may be killed from now on; one that was killed already remains so.
  ///
  /// A role's next process follows ``forget(_:)``.
  func aim(at role: NodeRole, process: Int32) {
    targets.withLock {
      guard !$0.areShot[Int(role.rawValue)] else { return }
      $0.processes[Int(role.rawValue)] = process
    }
  }

  /// Removes a role's process, which is about to be reaped.
  func forget(_ role: NodeRole) {
    targets.withLock {
      $0.processes[Int(role.rawValue)] = 0
      $0.areShot[Int(role.rawValue)] = false
    }
  }

  /// Polls a process; one that has ended is reaped, and not killed any more.
  func poll(_ role: NodeRole, _ poll: () -> ChildProcess.End?) -> ChildProcess.End? {
    targets.withLock { targets in
      let end = poll()
      if end != nil { targets.processes[Int(role.rawValue)] = 0 }
      return end
    }
  }

  /// Whether the last process of a role was killed.
  func hasShot(_ role: NodeRole) -> Bool { targets.withLock { $0.areShot[Int(role.rawValue)] } }

  /// Whether a process ended by SIGKILL, which its own program does not send.
  func isKill(_ end: ChildProcess.End?) -> Bool { end == .signalled(SIGKILL) }

  /// Stops killing; returns when that is certain.
  package func stop() {
    let hasStarted = targets.withLock { targets in
      targets.isOver = true
      return targets.hasStarted
    }
    guard hasStarted else { return }
    ended.wait()
    ended.signal()
  }

  private func shoot() {
    var number: UInt64 = 0
    while true {
      number += 1
      // Exponential, so that kills do not follow a run's rhythm; bounded, so that the thread ends soon.
      let draw = (Double(random.number(below: 1 << 30, for: number)) + 1) / Double(1 << 30)
      Thread.sleep(forTimeInterval: min(-log(draw) * Self.meanSeconds, 0.5))
      let role = Int(random.number(below: 2, for: number, draw: 1))
      let isOver = targets.withLock { targets in
        guard !targets.isOver, targets.kills < targets.killsMax else { return true }
        let process = targets.processes[role]
        guard process > 0 else { return false }
        // Registered, so not yet reaped: the id belongs to that process only.
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
        targets.processes[role] = 0
        targets.areShot[role] = true
        targets.kills += 1
        return false
      }
      if isOver { return }
    }
  }
}
