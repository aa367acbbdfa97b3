/// Frames in the byte-limited queues when a limit begins or ends.
extension Medium {
  /// The arrival of the last frame that later ones cannot overtake; in the past, or the run's start, if none is in
  /// flight.
  public var heldUpUntil: VirtualTime { max(lanes[0].lastArrival, lanes[1].lastArrival) }

  /// A frame that waits in a byte-limited queue.
  struct Waiting {
    var at: VirtualTime
    var entry: FrameQueue.Entry
    /// How fast it leaves; nil for immediately.
    var bytesPerSecond: Int64?

    /// Its bytes that have not left at an instant, if its turn comes at or after that instant.
    func bytesLeft(from instant: VirtualTime) -> Int64 {
      let all = Int64(entry.frame.wireBytes)
      guard let bytesPerSecond else { return all }
      // A fraction of a byte counts as a byte. The product of a long wait and a fast link exceeds 64 bits.
      let span = UInt128(max(0, (at - instant).nanoseconds))
      return Int64(min(UInt128(all), (span * UInt128(bytesPerSecond) + 999_999_999) / 1_000_000_000))
    }
  }

  /// Whether any frame waits.
  var hasWaiting: Bool { lanes[0].waiting + lanes[1].waiting > 0 }

  /// The frames in the byte-limited queues, in order.
  func waiting() -> [Waiting] {
    let frames = queue.waiting(since: outages)
    return zip(frames, rates(of: frames.map(\.entry))).map { Waiting(at: $0.at, entry: $0.entry, bytesPerSecond: $1) }
  }

  /// The smallest limit for each frame; computed once for each direction and channel.
  private func rates(of entries: [FrameQueue.Entry]) -> [Int64?] {
    var known: [(direction: Direction, channel: Channel, rate: Int64?)] = []
    return entries.map { entry in
      if let one = known.first(where: { $0.direction == entry.direction && $0.channel == entry.frame.channel }) {
        return one.rate
      }
      let rate = rate(of: entry)
      known.append((entry.direction, entry.frame.channel, rate))
      return rate
    }
  }

  /// The smallest limit for a frame.
  private func rate(of entry: FrameQueue.Entry) -> Int64? {
    let passage = passage(of: entry.frame, direction: entry.direction, at: .start)
    var limit = ways[entry.direction.lane].bandwidth
    for fault in active where fault.affects(passage) { fault.fault.narrow(&limit) }
    return limit.bytesPerSecond
  }

  /// Reschedules queued frames at the rates that apply from `now` on; a limit that has ended delays nothing.
  mutating func retime(_ before: [Waiting], at now: VirtualTime) {
    let rates = rates(of: before.map(\.entry))
    guard rates != before.map(\.bytesPerSecond) else { return }
    queue.removeWaiting(since: outages)
    // When the frame ahead leaves, at the old rates and at the new ones.
    var (left, leaves) = ([now, now], [now, now])
    for (frame, rate) in zip(before, rates) {
      let lane = frame.entry.direction.lane
      let bytes = frame.bytesLeft(from: left[lane])
      left[lane] = max(left[lane], frame.at)
      if let rate { leaves[lane] = leaves[lane] + Self.span(bytes: bytes, bytesPerSecond: rate) }
      queue.insert(frame.entry, at: leaves[lane])
      lanes[lane].busyUntil = leaves[lane]
    }
  }

  /// How long the bytes take, rounded up to nanoseconds.
  static func span(bytes: Int64, bytesPerSecond: Int64) -> VirtualTime.Span {
    VirtualTime.Span(nanoseconds: (bytes * 1_000_000_000 + bytesPerSecond - 1) / bytesPerSecond)
  }
}
