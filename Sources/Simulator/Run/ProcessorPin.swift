import CSystem

/// Pins this thread, and the children it starts, to one processor.
///
/// In a lock-step run one process sleeps while another runs: a switch on one processor costs a tenth of one between
/// two. Children keep what they inherit; this thread gets its affinity back.
package struct ProcessorPin {
  private let before: [Int32]

  /// Pins; nil if there is only one processor, or if it is impossible.
  package init?() {
    let before = (0..<max(0, cs_cpu_count())).map { cs_cpu_allowed($0) }
    // The current one: two simultaneous runs then rarely share one.
    let current = cs_cpu_current()
    guard before.count > 1, before.allSatisfy({ $0 >= 0 }), current >= 0, cs_cpu_pin(current) == 0 else { return nil }
    self.before = before
  }

  /// Restores the thread's affinity.
  package func undo() { _ = cs_cpu_allow(before, before.count) }
}
