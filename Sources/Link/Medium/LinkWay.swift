/// What one direction of a link has for itself; nil for what it shares with the other one.
public struct LinkWay: Sendable, Equatable {
  /// The mean travel time of a frame, in nanoseconds.
  public var latency: Int64?
  /// Its variation, in nanoseconds.
  public var jitter: Int64?
  public var distribution: DelayDistribution?
  /// The losses of this direction alone; its chains do not share their state with the other direction.
  public var losses: [LinkProfile.Loss]?
  public var bytesPerSecond: Int64?

  public init(
    latency: Int64? = nil, jitter: Int64? = nil, distribution: DelayDistribution? = nil,
    losses: [LinkProfile.Loss]? = nil, bytesPerSecond: Int64? = nil
  ) {
    self.latency = latency
    self.jitter = jitter
    self.distribution = distribution
    self.losses = losses
    self.bytesPerSecond = bytesPerSecond
  }

  /// Whether it has nothing for itself.
  public var isEmpty: Bool { self == LinkWay() }

  /// The keys of `toPhone` and `toWatch`.
  static let schema = ObjectSchema<Self>(
    "linkWay", "What one direction of the link has for itself; the rest is as in the link.", Self(),
    [
      Field("latency", \.latency, .nanoseconds(max: .hours(24)), "mean travel time", .otherwise("the link's")),
      Field("jitter", \.jitter, .nanoseconds(max: .hours(24)), "how much it varies", .otherwise("the link's")),
      Field("distribution", \.distribution, .word, "how it varies", .otherwise("the link's")),
      Field(
        "loss", \.losses, LinkProfile.Loss.list, "in place of the link's losses; `[]` for none",
        .otherwise("the link's")),
      Field("bytesPerSecond", \.bytesPerSecond, .integer(1...1 << 40), "its limit", .otherwise("the link's")),
    ])
}

extension LinkProfile {
  /// The profile of one direction: what the direction has for itself, and the link's values otherwise.
  func resolved(lane: Int) -> LinkProfile {
    guard let way = lane == Direction.watchToPhone.lane ? toPhone : toWatch else { return self }
    var profile = self
    if let latency = way.latency { profile.latency = latency }
    if let jitter = way.jitter { profile.jitter = jitter }
    if let distribution = way.distribution { profile.distribution = distribution }
    if let losses = way.losses { profile.losses = losses }
    if let rate = way.bytesPerSecond { profile.bandwidth.bytesPerSecond = rate }
    return profile
  }
}

/// The losses of a link's radio: those of both directions, then those that one direction has for itself.
struct RadioLosses {
  private(set) var losses: [LinkProfile.Loss]
  /// One for each loss.
  private(set) var randoms: [RandomStream]
  /// Which losses apply to a direction, by lane.
  private(set) var ranges: [Range<Int>]

  init(_ profile: LinkProfile, place: TraceEvent.Place, seed: UInt64) {
    losses = profile.losses
    randoms = profile.losses.indices.map { RandomStream(seed: seed, name: "medium.\(place.text).loss.\($0)") }
    ranges = [losses.indices, losses.indices]
    for direction in Direction.ofLink {
      guard let own = (direction == .watchToPhone ? profile.toPhone : profile.toWatch)?.losses else { continue }
      ranges[direction.lane] = losses.count..<losses.count + own.count
      losses += own
      randoms += own.indices.map {
        RandomStream(seed: seed, name: "medium.\(place.text).loss.\(direction.text).\($0)")
      }
    }
  }
}

/// The direction of a frame.
public enum Direction: UInt8, Sendable, CaseIterable {
  case watchToPhone, phoneToWatch, phoneToEdge, edgeToPhone

  /// The directions of the watch-phone link.
  public static let ofLink: [Self] = [.watchToPhone, .phoneToWatch]
  /// The directions of the phone-edge link.
  public static let ofUplink: [Self] = [.phoneToEdge, .edgeToPhone]

  /// The name in scenarios and traces.
  public var text: String {
    switch self {
    case .watchToPhone: "watch-to-phone"
    case .phoneToWatch: "phone-to-watch"
    case .phoneToEdge: "phone-to-edge"
    case .edgeToPhone: "edge-to-phone"
    }
  }

  /// The direction from a sender on the watch-phone link.
  @inlinable public init(from sender: NodeRole) { self = sender == .watch ? .watchToPhone : .phoneToWatch }

  /// The direction from a sender on the phone-edge link.
  @inlinable public init(overUplinkFrom sender: NodeRole) { self = sender == .edge ? .edgeToPhone : .phoneToEdge }

  /// The receiving node.
  @inlinable public var receiver: NodeRole {
    switch self {
    case .watchToPhone, .edgeToPhone: .phone
    case .phoneToWatch: .watch
    case .phoneToEdge: .edge
    }
  }

  /// Its index among its link's two directions: 0 or 1.
  @inlinable var lane: Int { Int(rawValue & 1) }
}
