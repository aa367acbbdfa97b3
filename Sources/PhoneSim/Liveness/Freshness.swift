package import Link

/// Tells a fresh snapshot from a duplicate and a latecomer.
///
/// A snapshot is fresh when its (epoch, seq) is greater than that of the last fresh one. Nobody's
/// clock is asked: a watch whose clock is wrong by minutes is as fresh as any other.
package struct Freshness: Sendable, Equatable, Codable {
  /// The last fresh snapshot; nil before the first.
  package private(set) var last: Mark?

  /// Begins with nothing heard.
  package init() {}

  /// Judges a snapshot by what the link stamped on it, and remembers a fresh one.
  ///
  /// A duplicate of the last fresh snapshot is told from a latecomer; a duplicate of an older one
  /// looks like a latecomer here, and only the session can tell.
  @inline(__always)
  package mutating func judge(epoch: Epoch, seq: SequenceNumber, at now: VirtualTime) -> Judgement {
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

  /// Goes on from a fresh snapshot that was judged before.
  mutating func note(_ mark: Mark) { last = mark }

  /// What a snapshot is worth.
  package enum Judgement: Sendable, Equatable {
    /// News, and a sign of life.
    case fresh
    /// The last fresh one again.
    case duplicate
    /// Overtaken by a fresh one.
    case late
  }

  /// Which snapshot was the last fresh one, and when it came.
  package struct Mark: Sendable, Equatable, Codable {
    /// The watch's start that sent it.
    package var epoch: Epoch
    /// Its number within that epoch.
    package var seq: SequenceNumber
    /// When it arrived.
    package var arrivedAt: VirtualTime

    /// Creates a mark.
    package init(epoch: Epoch, seq: SequenceNumber, arrivedAt: VirtualTime) {
      self.epoch = epoch
      self.seq = seq
      self.arrivedAt = arrivedAt
    }

    /// The value of the trace's `lastFresh`.
    package var traceValue: TraceValue {
      .json("{\"epoch\":\(epoch.rawValue),\"seq\":\(seq.rawValue),\"t\":\(arrivedAt.nanoseconds)}")
    }
  }
}
