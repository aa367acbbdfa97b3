import CSystem

/// Keeps this thread, and the children it starts, to one processor.
///
/// In a lock-step run one process sleeps while another runs: a switch on one processor costs a tenth of one between
/// two. What the children inherit stays with them; this thread gets its processors back.
struct ProcessorPin {
  private let before: [Int32]

  /// Pins; nil where there is nothing to choose from, or where it cannot be.
  init?() {
    let before = (0..<max(0, cs_cpu_count())).map { cs_cpu_allowed($0) }
    // The one in use now: two runs at a time then need not share the first.
    let current = cs_cpu_current()
    guard before.count > 1, before.allSatisfy({ $0 >= 0 }), current >= 0, cs_cpu_pin(current) == 0 else { return nil }
    self.before = before
  }

  /// Gives the thread back the processors it had.
  func undo() { _ = cs_cpu_allow(before, before.count) }
}
