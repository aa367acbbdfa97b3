public import Link

/// Frames sent into a medium at given times, and what became of every copy.
public struct Traffic: Sendable {
  /// One frame to be sent.
  public struct Sending: Sendable {
    public var at: VirtualTime
    public var direction: Direction
    public var frame: Frame

    public init(at: VirtualTime, direction: Direction, frame: Frame) {
      self.at = at
      self.direction = direction
      self.frame = frame
    }
  }

  /// What became of one copy.
  public struct Fate: Equatable, Sendable {
    public var id: UInt64
    public var copy: Int
    public var at: VirtualTime
    /// Why it was dropped; nil for one that arrived.
    public var cause: String?
    /// The fault that dropped it, if one did.
    public var fault: String?
  }

  /// What became of all of them.
  public struct Outcome: Equatable, Sendable {
    /// In the order in which it was decided.
    public var fates: [Fate] = []
    /// How many further copies of a frame were made.
    public var copies: [UInt64: Int] = [:]
    /// When copies were made.
    public var copiedAt: [UInt64: VirtualTime] = [:]

    public var delivered: [Fate] { fates.filter { $0.cause == nil } }
    public var dropped: [Fate] { fates.filter { $0.cause != nil } }
    /// Ids of frames dropped for a reason.
    public func dropped(_ cause: String) -> [UInt64] { fates.filter { $0.cause == cause }.map(\.id) }
    /// Which fault dropped each frame that one fault dropped.
    public func dropped(byFault id: String) -> [UInt64] { fates.filter { $0.fault == id }.map(\.id) }
    /// When the original of a frame arrived; nil when it did not.
    public func arrival(_ id: UInt64) -> VirtualTime? {
      fates.first { $0.id == id && $0.copy == 0 && $0.cause == nil }?.at
    }
  }

  /// In the order of their times.
  public var sendings: [Sending]
  /// When the link is cut (false) and restored (true).
  public var link: [(at: VirtualTime, isUp: Bool)] = []

  /// Whether the medium knows when the next fault or cut comes, as from the conductor.
  public var setsHorizon = false

  public init(_ sendings: [Sending]) { self.sendings = sendings }

  /// Frames at even distances, numbered from 1.
  ///
  /// - Parameters:
  ///   - directions: Used in turn.
  ///   - channels: Used in turn.
  ///   - kinds: Used in turn.
  public init(
    count: Int, every span: VirtualTime.Span, directions: [Direction] = [.watchToPhone],
    channels: [Channel] = [.message], kinds: [Frame.Kind] = [.data], payloadBytes: Int = 44
  ) {
    sendings = (0..<count).map { index in
      Sending(
        at: .start + span * Int64(index), direction: directions[index % directions.count],
        frame: Frame(
          kind: kinds[index % kinds.count], channel: channels[index % channels.count], epoch: Epoch(1),
          seq: SequenceNumber(UInt64(index) + 1), payload: [UInt8](repeating: 7, count: payloadBytes)))
    }
  }

  /// Sends everything and waits for the last fate.
  ///
  /// A frame's id is its place among the sendings, from 1.
  ///
  /// At one instant faults end and begin first, then the link changes, then frames are sent, then they arrive.
  public func run(
    profile: LinkProfile = LinkProfile(latency: .milliseconds(5)), faults: [PlannedFault] = [], seed: UInt64 = 1
  ) -> Outcome {
    var medium = Medium(place: .link, profile: profile, seed: seed)
    var outcome = Outcome()
    var instants = Set(sendings.map(\.at) + link.map(\.at) + faults.map(\.begin) + faults.compactMap(\.end)).sorted()
    var sent = 0
    while true {
      var now = medium.nextDeadline ?? .distantFuture
      if let next = instants.first { now = min(now, next) }
      guard now < .distantFuture else { return outcome }
      if instants.first == now { instants.removeFirst() }
      for (index, planned) in faults.enumerated() {
        guard case .frame(let fault) = planned.body else { continue }
        if planned.begin == now { medium.begin(planned, fault, index: index, seed: seed) }
        if planned.end == now { medium.end(index: index, at: now) }
      }
      for change in link where change.at == now {
        _ = change.isUp ? medium.restoreLink() : medium.cutLink(by: "cut at \(now.nanoseconds / 1_000_000) ms")
      }
      if setsHorizon {
        let changes = faults.map(\.begin) + faults.compactMap(\.end) + link.map(\.at)
        medium.horizon = changes.filter { $0 > now }.min() ?? .distantFuture
      }
      while sent < sendings.count, sendings[sent].at == now {
        medium.send(sendings[sent].frame, id: UInt64(sent + 1), direction: sendings[sent].direction, at: now)
        sent += 1
        for fate in medium.immediate { outcome.take(fate, at: now) }
        medium.immediate = []
      }
      while let fate = medium.popDue(at: now) { outcome.take(fate, at: now) }
    }
  }
}

extension Traffic.Outcome {
  fileprivate mutating func take(_ fate: Medium.Fate, at now: VirtualTime) {
    switch fate {
    case .duplicated(let id, let count):
      copies[id, default: 0] += count
      copiedAt[id] = now
    case .dropped(let id, let copy, let cause, let fault):
      fates.append(Traffic.Fate(id: id, copy: copy, at: now, cause: cause.text, fault: fault))
    case .delivered(let id, let copy, _, _): fates.append(Traffic.Fate(id: id, copy: copy, at: now))
    }
  }
}
