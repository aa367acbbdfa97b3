package import Link

/// Another future for a run: up to an instant it is the run of its seed, and afterwards random draws differ.
///
/// Redrawn are the links' delays, losses and reconnect times, the faults that a nemesis draws, and how long those last that
/// are active. The scenario's own faults stay, and so do the nodes' draws: the runner's pace, the coach's latencies.
/// Draws are keyed, so a redraw needs no snapshot: everything before ``from`` is the same to the byte.
package struct Redraw {
  /// The first instant that is redrawn.
  package var from: VirtualTime
  /// Each salt gives another future.
  package var salt: UInt64

  /// The beginning of the ids of faults that were redrawn.
  static let idPrefix = "redrawn-"

  package init(from: VirtualTime, salt: UInt64) { (self.from, self.salt) = (from, salt) }

  /// The seed that replaces a run's seed after the redraw.
  func seed(_ seed: UInt64) -> UInt64 { RandomStream(seed: seed, name: "redraw").bits(for: salt) }
}
