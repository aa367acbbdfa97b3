package import CoachProtocol
package import Link

/// The change of a fresh snapshot, in few bytes because there is one every second.
///
/// Applied to a record it does what the machines did: updates the marks, appends to the trail, counts an evaluation.
/// Other changes follow as changes of their own.
package struct HeardSnapshot: Sendable, Equatable {
  package var epoch: Epoch
  /// Whether it only moves the newest time of the believed run.
  package var isBelieved: Bool
  /// Whether it is a point of the run's trail.
  package var isOfRun: Bool
  /// Whether the script was evaluated.
  package var isJudged: Bool
  package var seq: SequenceNumber
  /// When it arrived; silence counts from here.
  package var arrivedAt: VirtualTime
  package var sentAt: WatchTime
  /// Seconds of the run.
  package var elapsed: Double
  /// Metres of the run.
  package var distance: Double

  package init(
    epoch: Epoch, seq: SequenceNumber, arrivedAt: VirtualTime, sentAt: WatchTime, elapsed: Double, distance: Double,
    isBelieved: Bool, isOfRun: Bool, isJudged: Bool
  ) {
    self.epoch = epoch
    self.seq = seq
    self.arrivedAt = arrivedAt
    self.sentAt = sentAt
    self.elapsed = elapsed
    self.distance = distance
    self.isBelieved = isBelieved
    self.isOfRun = isOfRun
    self.isJudged = isJudged
  }
}
