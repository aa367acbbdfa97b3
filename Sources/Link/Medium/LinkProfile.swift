/// What a link is like while no fault is on.
public struct LinkProfile: Sendable, Equatable {
  /// The mean time a frame is under way, in nanoseconds.
  public var latency: Int64
  /// How much it varies, in nanoseconds.
  public var jitter: Int64
  public var distribution: DelayDistribution
  /// What the radio loses; each on its own.
  public var losses: [Loss]
  /// Bytes a second and direction, and how many may wait.
  public var bandwidth: Bandwidth
  /// How long a cut goes unnoticed, and how long a bad stretch is waited out.
  public var supervision: VirtualTime.Span
  /// How long a side takes to notice that the link has returned.
  public var reconnect: Reconnect
  /// Whether there is a link at all.
  public var exists: Bool
  /// How long what goes in the background waits before a device sends it; nil for what each device has by itself.
  public var backgroundDelay: BackgroundDelay?

  /// A loss of the radio.
  public enum Loss: Sendable, Equatable {
    /// Each frame by itself.
    case independent(Probability)
    /// In bursts; a radio that retries repeats a frame in every slot until one gets through, and gives it
    /// up past the supervision time.
    case bursts(GilbertElliott, isRetried: Bool)
  }

  /// The time until a returned link is noticed: log-normal around its median, within bounds.
  public struct Reconnect: Sendable, Equatable {
    public var median: VirtualTime.Span
    public var least: VirtualTime.Span
    public var most: VirtualTime.Span

    /// Creates a range; `least <= median <= most`.
    public init(median: VirtualTime.Span, least: VirtualTime.Span, most: VirtualTime.Span) {
      precondition(least <= median && median <= most, "\(least) <= \(median) <= \(most)")
      self.median = median
      self.least = least
      self.most = most
    }

    /// Always the same time.
    public init(_ span: VirtualTime.Span) { self.init(median: span, least: span, most: span) }

    /// Draws the time for the return that `number` names.
    public func draw(_ random: RandomStream, number: UInt64) -> VirtualTime.Span {
      guard least < most else { return median }
      let factor = DelayDistribution.quantile(QuantileTable.logNormal, random.bits(for: number))
      let span = VirtualTime.Span(nanoseconds: Int64((Double(median.nanoseconds) * factor).rounded()))
      return min(max(span, least), most)
    }
  }

  /// Creates a profile.
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
