package import Link

/// Tells fresh snapshots from duplicates and late ones.
///
/// A snapshot is fresh if its (epoch, seq) is greater than that of the last fresh one. Clocks do not matter: a watch
/// whose clock is minutes off is as fresh as any other.
package struct Freshness: Sendable, Equatable {
  /// The last fresh snapshot; nil before the first.
  package private(set) var last: Mark?

  package init() {}

  /// Judges a snapshot by its sequence number, and remembers a fresh one.
  ///
  /// Recognizes a duplicate of the last fresh snapshot only; an older duplicate counts as late here.
  @inline(__always)
  package mutating func judge(epoch: Epoch, seq: SequenceNumber, at now: VirtualTime) -> Rating {
    if let last {
      if epoch == last.epoch {
        if seq == last.seq { return .duplicate }
        if seq < last.seq { return .late }
      } else if epoch < last.epoch {
        return .late
      }
    }
    last = Mark(epoch: epoch, seq: seq, arrivedAt: now)
    return .fresh
  }

  /// Restores the mark of a snapshot that was judged before.
  mutating func restore(_ mark: Mark) { last = mark }

  package enum Rating: Sendable, Equatable {
    /// New, and a sign of life.
    case fresh
    /// The last fresh one again.
    case duplicate
    /// Overtaken by a fresh one.
    case late
  }

  /// The epoch, number and arrival of a fresh snapshot.
  package struct Mark: Sendable, Equatable {
    package var epoch: Epoch
    package var seq: SequenceNumber
    package var arrivedAt: VirtualTime

    /// The value of `lastFresh` in the trace.
    package var jsonText: JSONText {
      JSONText("{\"epoch\":\(epoch.rawValue),\"seq\":\(seq.rawValue),\"t\":\(arrivedAt.nanoseconds)}")
    }
  }
}
