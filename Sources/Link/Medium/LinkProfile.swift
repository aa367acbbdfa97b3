/// The behaviour of a link without faults.
public struct LinkProfile: Sendable, Equatable {
  /// The mean travel time of a frame, in nanoseconds.
  public var latency: Int64
  /// Its variation, in nanoseconds.
  public var jitter: Int64
  public var distribution: DelayDistribution
  /// The radio's losses, independent of each other.
  public var losses: [Loss]
  /// The bytes per second in each direction, and how many may wait.
  public var bandwidth: Bandwidth
  /// The time until a cut is noticed, and how long the radio retries.
  public var supervision: VirtualTime.Span
  /// The time until a return is noticed.
  public var reconnect: Reconnect
  /// Whether the link exists.
  public var exists: Bool
  /// The delay of background items before a device sends them; nil for each device's default.
  public var backgroundDelay: BackgroundDelay?
  /// What the direction from the watch to the phone has for itself; nil if both directions are alike.
  public var toPhone: LinkWay?
  /// The same for the direction from the phone to the watch.
  public var toWatch: LinkWay?

  /// A loss caused by the radio.
  public enum Loss: Sendable, Equatable {
    /// Each frame independently.
    case independent(Probability)
    /// In bursts.
    ///
    /// A radio that retries repeats a frame in every slot until one gets through, and gives up after the supervision
    /// time.
    case bursts(GilbertElliott, isRetried: Bool)
  }

  /// The time until a return is noticed: log-normal around its median, within bounds.
  public struct Reconnect: Sendable, Equatable {
    public var median: VirtualTime.Span
    public var least: VirtualTime.Span
    public var most: VirtualTime.Span

    /// Creates a range; requires `least <= median <= most`.
    public init(median: VirtualTime.Span, least: VirtualTime.Span, most: VirtualTime.Span) {
      precondition(least <= median && median <= most, "\(least) <= \(median) <= \(most)")
      self.median = median
      self.least = least
      self.most = most
    }

    /// Always the same time.
    public init(_ span: VirtualTime.Span) { self.init(median: span, least: span, most: span) }

    /// Draws the time for return number `number`.
    public func draw(_ random: RandomStream, number: UInt64) -> VirtualTime.Span {
      guard least < most else { return median }
      let factor = DelayDistribution.quantile(QuantileTable.logNormal, random.bits(for: number))
      let span = VirtualTime.Span(nanoseconds: Int64((Double(median.nanoseconds) * factor).rounded()))
      return min(max(span, least), most)
    }
  }

  public init(
    latency: VirtualTime.Span, jitter: VirtualTime.Span = .zero, distribution: DelayDistribution = .constant,
    losses: [Loss] = [], bytesPerSecond: Int64? = nil, queueBytes: Int64 = 262_144,
    supervision: VirtualTime.Span = .seconds(6), reconnect: Reconnect = Reconnect(.seconds(1)), exists: Bool = true
  ) {
    self.latency = latency.nanoseconds
    self.jitter = jitter.nanoseconds
    self.distribution = distribution
    self.losses = losses
    bandwidth = Bandwidth(bytesPerSecond: bytesPerSecond, queueBytes: queueBytes)
    self.supervision = supervision
    self.reconnect = reconnect
    self.exists = exists
  }
}
