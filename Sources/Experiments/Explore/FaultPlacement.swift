package import Link
import PhoneSim
import Simulator
import WatchSim

/// A fault with its target or instant in a run, as placed by a search of small scopes.
///
/// A frame fault hits the frames of a ``FrameTarget``; other faults strike at an instant at which something is sent.
package struct FaultPlacement: Hashable, Sendable {
  /// The kind of fault.
  package enum Kind: String, CaseIterable, Sendable {
    /// The frames are lost.
    case drop
    /// The frames arrive twice.
    case duplicate
    /// The frames arrive late, and later ones overtake them.
    case late
    /// A frame that would arrive together with another one arrives a nanosecond after it.
    case order
    /// The link is cut.
    case cut
    /// Nothing arrives in one direction, and no side notices.
    case mute
    /// A device's app dies and starts again.
    case kill
    /// A device's app dies at a crash point and starts again.
    case crash
    /// A device's clock is set back, until the end of the run.
    case clock

    /// Its rank among placements of one instant.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    /// Whether it hits frames, and nothing else.
    var isOfFrames: Bool { rank <= Self.order.rank }
  }

  /// How long the effects of a fault last.
  package struct Lengths: Equatable, Sendable {
    /// How late frames of `late` are.
    package var late = VirtualTime.Span.seconds(12)
    /// How long `cut` cuts the link: longer than the supervision time, so that both sides notice; and so long that
    /// an order of the phone is void after it.
    package var cuts = [VirtualTime.Span.seconds(10), WatchStartHandshake.startLife + .seconds(1)]
    /// How long nothing arrives by `mute`: longer than the silence after which the phone misses the watch, by more
    /// than the second between two snapshots.
    package var mute = LivenessMonitor.silenceMax + .seconds(2)
    /// From the death of an app to its next start.
    package var restart = VirtualTime.Span.seconds(3)
    /// How far `clock` sets a clock back: further than any age at which a clock's time could void something.
    package var clock = VirtualTime.Span.seconds(120)
  }

  var kind: Kind
  var at: VirtualTime
  /// Until when it affects frames, cuts the link, or waits for its crash point; nil for the others.
  var end: VirtualTime?
  var direction: Direction?
  var channel: Channel?
  /// Of `kill`, `crash` and `clock`.
  var node: NodeRole?
  /// Of `crash`.
  var point: CrashPoint?

  /// The order of a search: by time, then by kind and target.
  static func precedes(_ first: Self, _ second: Self) -> Bool {
    if first.at != second.at { return first.at < second.at }
    return first.key.lexicographicallyPrecedes(second.key)
  }

  private var key: [Int] {
    [
      kind.rank, Int(direction?.rawValue ?? 0), Int(channel?.rawValue ?? 0), Int(node?.rawValue ?? 0),
      point.flatMap { CrashPoint.all.firstIndex(of: $0) } ?? 0, Int(end?.nanoseconds ?? 0),
    ]
  }

  /// Whether both hit the same frames, so that the second adds hardly anything.
  func hitsFrames(of other: Self) -> Bool {
    kind.isOfFrames && other.kind.isOfFrames && at == other.at && direction == other.direction
      && channel == other.channel
  }

  /// Whether the other can do nothing that this one does not: what it would hit is lost already.
  func covers(_ other: Self) -> Bool {
    guard let end, let otherEnd = other.end, kind == .cut || kind == .mute, at <= other.at, otherEnd <= end else {
      return false
    }
    if kind == .cut { return other.kind.isOfFrames || other.kind == .cut || other.kind == .mute }
    return direction == other.direction && (other.kind.isOfFrames || other.kind == .mute)
  }

  /// When its effects are over: nothing is cut, down or delayed by it any more, except frames in flight.
  func isOver(_ lengths: Lengths) -> VirtualTime {
    switch kind {
    case .drop, .duplicate, .late, .order, .cut, .mute: end ?? at
    case .kill: at + lengths.restart
    case .crash: (end ?? at) + lengths.restart
    case .clock: .distantFuture
    }
  }

  /// The fault of a plan.
  ///
  /// - Parameter number: Its number among the placements of a run, from 1, which names it.
  func planned(_ lengths: Lengths, number: Int) -> PlannedFault {
    let id = "placed-\(number)"
    switch kind {
    case .drop: return ofFrames(id, LossFault(.independent(.always)))
    case .duplicate: return ofFrames(id, DuplicateFault(probability: .always))
    case .late: return ofFrames(id, ReorderFault(probability: .always, by: lengths.late))
    case .order: return ofFrames(id, ReorderFault(probability: .always, by: VirtualTime.Span(nanoseconds: 1)))
    case .cut: return PlannedFault(id: id, begin: at, end: end, DisconnectFault())
    case .mute: return ofFrames(id, LossFault(.independent(.always)))
    case .kill:
      return PlannedFault(id: id, begin: at, KillFault(node ?? .phone, restartAfter: lengths.restart))
    case .crash:
      let fault = KillFault(node ?? .phone, restartAfter: lengths.restart, point: point)
      return PlannedFault(id: id, begin: at, end: end, fault)
    case .clock:
      return PlannedFault(id: id, begin: at, ClockSkewFault(node ?? .phone, offset: lengths.clock * -1))
    }
  }

  private func ofFrames(_ id: String, _ fault: some FrameFault) -> PlannedFault {
    PlannedFault(id: id, begin: at, end: end, direction: direction, channels: channel.map { [$0] }, fault)
  }

  /// What it does, for reports: `drop the message watch-to-phone at 0:12.345`.
  var text: String {
    let what =
      switch kind {
      case .drop, .duplicate, .late, .order: "the \(channel?.text ?? "frame") \(direction?.text ?? "")"
      case .cut: "the link\(length)"
      case .mute: "\(direction?.text ?? "a direction")\(length)"
      case .kill: "the \(node?.text ?? "node")"
      case .clock: "of the \(node?.text ?? "node")"
      case .crash: "the \(node?.text ?? "node") at \(point?.name ?? "a point")"
      }
    return "\(kind.rawValue) \(what), \(at.text)"
  }

  private var length: String { end.map { " for \(DurationText.text($0 - at))" } ?? "" }

  /// The placement as one word, for ``init(word:)``.
  var word: String {
    [
      kind.rawValue, String(at.nanoseconds), end.map { String($0.nanoseconds) } ?? "", direction?.text ?? "",
      channel?.text ?? "", node?.text ?? "", point?.name ?? "",
    ].joined(separator: "/")
  }
}

extension FaultPlacement {
  /// Reads ``word``; nil for anything else.
  init?(word: Substring) {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 7, let kind = Kind(rawValue: String(parts[0])), let at = Int64(parts[1]) else { return nil }
    self.kind = kind
    self.at = VirtualTime(nanoseconds: at)
    end = Int64(parts[2]).map { VirtualTime(nanoseconds: $0) }
    direction = Direction.ofLink.first { $0.text == parts[3] }
    channel = Channel.ofLink.first { $0.text == parts[4] }
    node = [NodeRole.watch, .phone].first { $0.text == parts[5] }
    point = CrashPoint.all.first { $0.name == parts[6] }
  }
}

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
