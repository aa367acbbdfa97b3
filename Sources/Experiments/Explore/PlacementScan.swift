import Link

/// Collects from a run's events where faults can be placed.
final class PlacementScan {
  /// Frames of one direction and channel that are sent within ``span`` of the first: one place for a fault.
  struct FrameTarget: Hashable {
    var at: VirtualTime
    var end: VirtualTime
    var direction: Direction
    var channel: Channel
    /// Whether one of them arrives at the same instant as another frame.
    var isTied = false
  }

  /// Frames sent within this time share a target, because frames that are sent together are also lost together, and a
  /// link with limited bandwidth passes them a little later than they are sent.
  static let span = VirtualTime.Span.milliseconds(50)

  private(set) var targets: [FrameTarget] = []
  /// The newest target of each direction and channel; lookup only.
  private var newest: [Int: Int] = [:]
  /// The targets of frames in flight, by the frame's number.
  private var underWay: [Int64: Int] = [:]
  /// The instant of the last arrival, and the targets that arrived then.
  private var arrival: (at: VirtualTime, targets: [Int]) = (.start, [])
  /// When the fault with the highest number killed its app at a crash point; nil if it did not.
  private(set) var crashedAt: VirtualTime?

  /// Observes the next event.
  func observe(_ event: TraceEvent) {
    switch event.body {
    case .frameSent(let frame): observeSent(frame, event)
    case .frameDelivered(let frame): observeArrival(frame, at: event.time)
    case .nodeKilled(let killed): if killed.point != nil { crashedAt = event.time }
    default: break
    }
  }

  private func observeSent(_ frame: FrameSent, _ event: TraceEvent) {
    let channel = frame.channel
    guard Channel.ofLink.contains(channel), event.place == .watch || event.place == .phone else { return }
    let direction: Direction = event.place == .watch ? .watchToPhone : .phoneToWatch
    let lane = Int(direction.rawValue) * 16 + Int(channel.rawValue)
    let place: Int
    if let last = newest[lane], event.time <= targets[last].at + Self.span {
      targets[last].end = event.time + Self.span
      place = last
    } else {
      place = targets.count
      newest[lane] = place
      targets.append(
        FrameTarget(at: event.time, end: event.time + Self.span, direction: direction, channel: channel))
    }
    underWay[frame.id] = place
  }

  private func observeArrival(_ frame: FrameDelivered, at time: VirtualTime) {
    guard let target = underWay[frame.id] else { return }
    if arrival.at == time {
      arrival.targets.append(target)
      for place in arrival.targets { targets[place].isTied = true }
    } else {
      arrival = (time, [target])
    }
  }

  /// The placements of faults of some kinds, except `crash`, in the order of a search.
  ///
  /// - Parameter until: Faults begin before this instant.
  func placements(
    _ kinds: [FaultPlacement.Kind], _ lengths: FaultPlacement.Lengths, until: VirtualTime
  ) -> [FaultPlacement] {
    var found: Set<FaultPlacement> = []
    for target in targets where target.at < until {
      for kind in kinds where kind.isOfFrames && (kind != .order || target.isTied) {
        found.insert(
          FaultPlacement(
            kind: kind, at: target.at, end: target.end, direction: target.direction, channel: target.channel))
      }
      for kind in kinds where !kind.isOfFrames { found.formUnion(Self.placements(kind, at: target, lengths)) }
    }
    return found.sorted(by: FaultPlacement.precedes)
  }

  /// The placements of a kind at the instant at which a target is sent; other targets of the instant have them, too.
  private static func placements(
    _ kind: FaultPlacement.Kind, at target: FrameTarget, _ lengths: FaultPlacement.Lengths
  ) -> [FaultPlacement] {
    let at = target.at
    switch kind {
    case .cut: return lengths.cuts.map { FaultPlacement(kind: .cut, at: at, end: at + $0) }
    case .mute: return [FaultPlacement(kind: .mute, at: at, end: at + lengths.mute, direction: target.direction)]
    case .kill: return [NodeRole.watch, .phone].map { FaultPlacement(kind: .kill, at: at, node: $0) }
    case .clock:
      let sender = target.direction == .watchToPhone ? NodeRole.watch : .phone
      return [FaultPlacement(kind: .clock, at: at, node: sender)]
    case .drop, .duplicate, .late, .order, .crash: return []
    }
  }
}
