package import Link

/// Everything of the live metrics consumer that outlives the phone's process.
///
/// Whoever commits it with each input can crash at any moment: a consumer made from the last
/// committed record goes on where the old one stopped.
package struct ConsumerRecord: Sendable, Equatable {
  /// Which snapshot was the last fresh one.
  package internal(set) var freshness = Freshness()
  /// What is believed of the run.
  package internal(set) var belief = RunBelief()
  /// What the watch was asked to begin, and to end.
  package internal(set) var start = StartHandshake()
  /// Whether the indicator is up, and since when silence is counted.
  package internal(set) var liveness: LivenessMonitor

  /// The record of a phone that starts for the first time, at `now`.
  package init(startedAt now: VirtualTime) { liveness = LivenessMonitor(startedAt: now) }
}
