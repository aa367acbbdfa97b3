import Console
import Foundation

/// A workload of the standard library alone: the processor's speed at this moment.
///
/// Two virtual processors may share a core with an unknown load. Arithmetic hardly notices; programs of many small
/// functions, such as a simulation, then take up to two thirds longer, changing from minute to minute. This loop of
/// texts, hashes and allocations slows down equally, so the ratio to it is stable.
enum ReferenceLoop {
  /// Number of different texts.
  private static let texts = 1_024

  /// Counts short texts in a dictionary; returns millions a second.
  static func rate(_ count: Int) -> Double {
    let begin = ContinuousClock.now
    var counts: [String: Int] = [:]
    for index in 0..<count { counts["key \(index & (texts - 1))", default: 0] += 1 }
    precondition(counts.values.reduce(0, +) == count, "a text was not counted")
    return Double(count) / 1e6 / begin.secondsSince
  }
}

/// Processor time as the kernel counts it.
enum ProcessorTime {
  /// Of this process so far, in seconds.
  static var own: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
