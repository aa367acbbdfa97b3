/// What ``ResendsBackOffChecker`` knows of the two sides of a link.
enum ResendState {
  /// Something that is sent until it is confirmed.
  struct Item {
    var kind: Frame.Kind
    var channel: Channel
    var seq: Int64
    var transfer: Identifier?
    var sentAt: VirtualTime
    /// The number of transmissions since the waits last began anew, from 1.
    var count = 1
    var line: Int
    var confirmedLine: Int?
    /// Whether its sender may have stopped, so that it is not overdue.
    var isPaused = false
    /// Whether its sender may send it again at any instant: the radio has changed, which the sender learns later.
    var isFree = false
    /// Whether the waits may have begun anew with the last transmission.
    var isUncertain = false
  }

  /// A queue of user infos of a side.
  struct Queue {
    /// The numbers that were confirmed, as far as the sender can know.
    var confirmed = SettledNumbers()
    /// Those whose transfers have finished.
    var finished = SettledNumbers()
    /// The highest number sent in this epoch.
    var sent: Int64 = 0
  }

  /// What one node sends.
  struct Side {
    var items: [Item] = []
    /// Its epoch, and the highest one of the peer that it knows.
    var epoch: Int64 = 0
    var peerEpoch: Int64 = 0
    var queues = [Queue(), Queue()]
    /// Whether it knows the peer to be reachable; nil if the trace does not show it.
    var isReachable: Bool?
    /// Whether messages launch its peer's app, so that the lines about reachability say less.
    var launches = false
    /// The last instant at which everything but the hello may be sent again.
    var occasion: VirtualTime?
    /// The last instant at which the hello may be sent again.
    var helloOccasion: VirtualTime?
    /// The instant at which it became reachable, if everything owed must be sent then; nil for none.
    var reachedAt: VirtualTime?
    /// The line of the context that it set at the current instant; 0 for none.
    var contextLine = 0
    /// The last instant at which it sent a user info that is no complication transfer.
    var plainAt: VirtualTime?
    /// An item that was sent at an unexpected instant, and is judged at the end of that instant.
    var doubtful: [(item: Item, line: Int)] = []
    /// No item is overdue before this instant.
    var overdueAt = VirtualTime.distantFuture
  }
}
