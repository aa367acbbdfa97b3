import Dispatch
import Foundation

/// The clocks.
enum Clocks {
  private struct Reading {
    var date = Date()
    var continuous = ContinuousClock.now
    var suspending = SuspendingClock.now
    var dispatch = DispatchTime.now()
    var wall = DispatchWallTime.now()
    var uptime = ProcessInfo.processInfo.systemUptime
  }

  /// All clocks move by the same.
  static func compare() {
    Task.detached {
      let first = Reading()
      try? await Task.sleep(for: .milliseconds(1234), tolerance: .zero)
      let second = Reading()
      let dispatch = Double(second.dispatch.uptimeNanoseconds - first.dispatch.uptimeNanoseconds) / 1e9
      let passed = [
        second.date.timeIntervalSince(first.date),
        (second.continuous - first.continuous) / .seconds(1),
        (second.suspending - first.suspending) / .seconds(1),
        dispatch, second.uptime - first.uptime,
      ]
      Report.say("clocks " + passed.map { String(format: "%.3f", $0) }.joined(separator: " "))
      Report.check(passed.allSatisfy { abs($0 - passed[0]) < 0.000_001 }, "the clocks agree")
      Report.check(passed[0] > 1.233_999, "a sleep lasts as long as was asked for")
      Report.check(first.wall < second.wall, "the wall clock moves")
      Report.finish("clocks")
    }
  }

  /// A loop that only looks at the clock ends.
  static func spin() {
    Thread.detachNewThread {
      let until = Date(timeIntervalSinceNow: 0.5)
      while Date() < until {}
      let other = Date(timeIntervalSinceNow: 0.1)
      while Date() < other { sched_yield() }
      Report.finish("spin")
    }
  }
}
