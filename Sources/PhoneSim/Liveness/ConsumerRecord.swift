package import Link

/// The state of ``LiveMetricsConsumer`` that survives restarts.
///
/// A consumer restored from the last committed record continues where the crashed one stopped.
package struct ConsumerRecord: Sendable, Equatable {
  package internal(set) var freshness = Freshness()
  package internal(set) var belief = RunBelief()
  package internal(set) var start = PhoneStartHandshake()
  package internal(set) var liveness: LivenessMonitor

  /// The record of a phone's first start.
  package init(startedAt now: VirtualTime) { liveness = LivenessMonitor(startedAt: now) }
}
