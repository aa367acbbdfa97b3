/// Delays frames.
public struct DelayFault: FrameFault {
  public var mean: VirtualTime.Span
  /// Its variation.
  public var jitter: VirtualTime.Span
  public var distribution: DelayDistribution

  public init(
    mean: VirtualTime.Span, jitter: VirtualTime.Span = .zero, distribution: DelayDistribution = .constant
  ) {
    self.mean = mean
    self.jitter = jitter
    self.distribution = distribution
  }

  public static let kind = "delay"
  public static let onlyLosesOrDelays = true
  public static let example = Self(mean: .milliseconds(300), jitter: .milliseconds(200), distribution: .normal)
  public static let isSelective = true
  public static let page = FaultPage(
    about: "Every copy of a frame takes longer; frames of one direction still arrive in their order.",
    formula: "mean + jitter * quantile(draw), at least 0; uniform: within mean +- jitter; normal, pareto (shape 3) and"
      + " exponential by tables of quantiles. Several delays add up. Frames in flight when the fault ends keep their"
      + " delay, and later frames arrive after them. After the end of the run the queues drain until those frames"
      + " have arrived, if that takes longer than 5 minutes.",
    reality:
      "0.3 to 3 s when a suspended phone app is woken (assumed); seconds with context updates more frequent than every"
      + " 1 to 2 s (openradar 21364664).")
  public static let story = FaultStory(ending: "the slow stretch is over") {
    "frames are delayed by \($0.length("mean"))" + ($0.number("jitter") > 0 ? " +- \($0.length("jitter"))" : "")
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(mean: .zero),
    [
      Field("mean", \.mean, .duration(max: .hours(24)), "mean delay of every copy", .required),
      Field("jitter", \.jitter, .duration(max: .hours(24)), "variation"),
      Field(
        "distribution", \.distribution, .word, "how it varies", .otherwise("constant, or uniform with a jitter")),
    ]
  ) { fault, reader in
    if !reader.has("distribution"), fault.jitter > .zero { fault.distribution = .uniform }
    return true
  }

  public static func draw(_ dice: inout FaultDice) -> Self {
    let mean = dice.span(alongMilliseconds: [20, 100, 500, 2_000, 12_000])
    let jitter = VirtualTime.Span.milliseconds(mean.nanoseconds / 1_000_000 * dice.number(in: 0...10) / 10)
    return Self(
      mean: mean, jitter: jitter,
      distribution: jitter == .zero ? .constant : dice.pickElement(DelayDistribution.varying))
  }

  public var simpler: [Self] { [Self(mean: mean)] }

  public func delay(_ passage: Passage, copy: Int) -> Int64 {
    distribution.draw(
      mean: mean.nanoseconds, jitter: jitter.nanoseconds,
      bits: passage.random.bits(for: passage.key, draw: UInt64(copy)))
  }
}
