/// Delays frames.
public struct DelayFault: FrameFault {
  /// The mean delay in nanoseconds.
  public var mean: Int64
  /// Its variation in nanoseconds.
  public var jitter: Int64
  public var distribution: DelayDistribution

  public init(
    mean: VirtualTime.Span, jitter: VirtualTime.Span = .zero, distribution: DelayDistribution = .constant
  ) {
    self.mean = mean.nanoseconds
    self.jitter = jitter.nanoseconds
    self.distribution = distribution
  }

  public static let kind = "delay"
  public static let example = Self(mean: .milliseconds(300), jitter: .milliseconds(200), distribution: .normal)
  public static let isSelective = true
  public static let page = FaultPage(
    about: "Every copy of a frame takes longer; frames of one direction still arrive in their order.",
    formula: "mean + jitter * quantile(draw), at least 0; uniform: within mean +- jitter; normal, pareto (shape 3) and"
      + " exponential by tables of quantiles. Several delays add up. Frames under way when the fault ends keep their"
      + " delay, and later frames arrive after them. After the end of the run the queues drain until those frames"
      + " have arrived, if that takes longer than 5 minutes.",
    reality:
      "0.3 to 3 s when a suspended phone app is woken (assumed); seconds with context updates more frequent than every"
      + " 1 to 2 s (openradar 21364664); a Pebble's round trip takes 0.2 to more than 0.5 s.",
    parameters: [
      .init("mean", "duration, at most 24h", standard: nil, "mean delay of every copy"),
      .init("jitter", "duration, at most 24h", standard: "0s", "variation"),
      .init(
        "distribution", DelayDistribution.allCases.map(\.rawValue).joined(separator: ", "),
        standard: "constant, or uniform with a jitter", "how it varies"),
    ])

  public static func draw(_ dice: inout FaultDice) -> Self {
    let mean = dice.span(alongMilliseconds: [20, 100, 500, 2_000, 12_000])
    let jitter = VirtualTime.Span.milliseconds(mean.nanoseconds / 1_000_000 * dice.number(in: 0...10) / 10)
    return Self(
      mean: mean, jitter: jitter,
      distribution: jitter == .zero ? .constant : dice.pickElement(DelayDistribution.varying))
  }

  public var simpler: [Self] { [Self(mean: VirtualTime.Span(nanoseconds: mean))] }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    guard let reader = value.object() else { return nil }
    defer { reader.finish() }
    let jitter = reader.span("jitter") ?? .zero
    let distribution: DelayDistribution =
      reader.oneOf("distribution", DelayDistribution.self) ?? (jitter > .zero ? .uniform : .constant)
    guard let mean = reader.span("mean", required: true) else { return nil }
    self.init(mean: mean, jitter: jitter, distribution: distribution)
  }

  public var params: [JSONMember] {
    [
      .seconds("mean", VirtualTime.Span(nanoseconds: mean)), .seconds("jitter", VirtualTime.Span(nanoseconds: jitter)),
      JSONMember("distribution", .string(distribution.rawValue)),
    ]
  }

  public func delay(_ passage: Passage, copy: Int) -> Int64 {
    distribution.draw(
      mean: mean, jitter: jitter, bits: passage.random.bits(for: passage.key, draw: UInt64(copy)))
  }
}
