import Link

/// A message by its sender and number.
struct MessageNumber: Hashable {
  var from: TraceEvent.Place
  var stamp: Stamp

  /// A number among those of one sender.
  struct Stamp: Hashable {
    var epoch: Int64
    var seq: Int64

    init(_ epoch: Int64, _ seq: Int64) { (self.epoch, self.seq) = (epoch, seq) }
    init(_ metrics: SnapshotMetrics) { self.init(metrics.epoch, metrics.seq) }
  }
}
