import Foundation

/// Processor time as the kernel counts it.
enum ProcessorTime {
  /// Of this process so far, in seconds.
  static var own: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
