package import CoachProtocol
package import Link

/// What a fresh snapshot changes, in few bytes: one of these is kept every second.
///
/// Applied to a record, it does what the machines did: the marks move on, the trail grows by a point, a judged snapshot
/// counts as a look. What else may have changed comes in changes of its own behind it.
package struct HeardSnapshot: Sendable, Equatable {
  /// The watch's start that sent it.
  package var epoch: Epoch
  /// Whether it says a new word about the run that is believed in, and the same as the word before.
  package var isBelieved: Bool
  /// Whether it is a point of the run's trail.
  package var isOfRun: Bool
  /// Whether the script was looked at.
  package var isJudged: Bool
  /// Its number within the epoch.
  package var seq: SequenceNumber
  /// When it arrived: silence is counted from there.
  package var arrivedAt: VirtualTime
  /// When it was said.
  package var sentAt: WatchTime
  /// Seconds of the run.
  package var elapsed: Double
  /// Metres of the run.
  package var distance: Double

  /// Creates the change of a snapshot.
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
