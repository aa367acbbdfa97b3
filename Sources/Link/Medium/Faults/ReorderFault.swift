/// Holds some frames back while later ones pass.
public struct ReorderFault: FrameFault {
  public var probability: Probability
  /// How long a frame is held back, in nanoseconds.
  public var by: Int64

  public init(probability: Probability, by: VirtualTime.Span) {
    self.probability = probability
    self.by = by.nanoseconds
  }

  public static let kind = "reorder"
  public static let example = Self(probability: Probability(0.2) ?? .never, by: .milliseconds(1_500))
  public static let isSelective = true
  public static let page = FaultPage(
    about: "A chosen frame is held back, and later ones overtake it.",
    formula: "chosen when draw(frame) < probability; it then arrives `by` later than it would have. Several add up.",
    reality:
      "Not seen on one Bluetooth link, but across a hand-over from Bluetooth to Wi-Fi, and between queues of one app. No"
      + " figures were found: sizes are assumed.",
    parameters: [
      .init("probability", "0...1", standard: nil, "of each frame"),
      .init("by", "duration, at most 24h", standard: nil, "how long it is held back"),
    ])

  public static func draw(_ dice: inout FaultDice) -> Self {
    Self(
      probability: dice.probability(percent: 5...60), by: dice.span(alongMilliseconds: [50, 500, 2_000, 12_000]))
  }

  public var simpler: [Self] { [Self(probability: .always, by: VirtualTime.Span(nanoseconds: by))] }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    guard let reader = value.object() else { return nil }
    defer { reader.finish() }
    let probability = reader.probability("probability", required: true)
    let by = reader.span("by", required: true)
    guard let probability, let by else { return nil }
    self.init(probability: probability, by: by)
  }

  public var params: [JSONMember] {
    [.number("probability", probability.value), .seconds("by", VirtualTime.Span(nanoseconds: by))]
  }

  public func holdBack(_ passage: Passage) -> Int64 {
    passage.random.happens(probability, for: passage.key) ? by : 0
  }
}
