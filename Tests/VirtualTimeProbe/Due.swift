import CVirtualTimeProbe
import Foundation
import Synchronization

/// Loops of waits that are due when they begin.
enum Due {
  private static func wait(_ kind: String, _ semaphore: DispatchSemaphore) {
    switch kind {
    case "dispatch": _ = semaphore.wait(timeout: .now())
    case "dispatchPast": _ = semaphore.wait(timeout: .now() - 1)
    case "thread": Thread.sleep(forTimeInterval: 0)
    default: if probe_wait_due(kind) == 0 { exit(2) }
    }
  }

  /// Waits until another thread has set a flag.
  ///
  /// - Parameter seconds: When that is; nil for never, 0 for this instant.
  static func loop(_ kind: String, until seconds: Double?) -> Never {
    probe_prepare_due()
    let semaphore = DispatchSemaphore(value: 0)
    let isSet = Mutex(false)
    let began = ProcessInfo.processInfo.systemUptime
    if let seconds {
      Thread.detachNewThread {
        if seconds > 0 { Thread.sleep(forTimeInterval: seconds) }
        isSet.withLock { $0 = true }
      }
    }
    while !isSet.withLock({ $0 }) { wait(kind, semaphore) }
    let passed = ProcessInfo.processInfo.systemUptime - began
    print(String(format: seconds == 0 ? "set after %.6f s" : "set after %.1f s", passed))
    exit(0)
  }
}
