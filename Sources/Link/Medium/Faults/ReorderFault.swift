/// Holds some frames back while later ones pass.
public struct ReorderFault: FrameFault {
  public var probability: Probability
  /// How long a frame is held back.
  public var by: VirtualTime.Span

  public init(probability: Probability, by: VirtualTime.Span) {
    self.probability = probability
    self.by = by
  }

  public static let kind = "reorder"
  public static let onlyLosesOrDelays = true
  public static let example = Self(probability: Probability(0.2) ?? .never, by: .milliseconds(1_500))
  public static let isSelective = true
  public static let page = FaultPage(
    about: "A chosen frame is held back, and later ones overtake it.",
    formula: "chosen when draw(frame) < probability; it then arrives `by` later than it would have. Several add up.",
    reality:
      "Not seen on one Bluetooth link, but across a hand-over from Bluetooth to Wi-Fi, and between queues of one app."
      + " Sizes are assumed.")
  public static let story = FaultStory(ending: "frames arrive in order again") {
    "\($0.percent("probability")) of all packets are overtaken by later ones"
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(probability: .never, by: .zero),
    [
      Field("probability", \.probability, .probability, "of each frame", .required),
      Field("by", \.by, .duration(max: .hours(24)), "how long it is held back", .required),
    ])

  public static func draw(_ dice: inout FaultDice) -> Self {
    Self(
      probability: dice.probability(percent: 5...60), by: dice.span(alongMilliseconds: [50, 500, 2_000, 12_000]))
  }

  public var simpler: [Self] { [Self(probability: .always, by: by)] }

  public func holdBack(_ passage: Passage) -> Int64 {
    passage.random.happens(probability, for: passage.key) ? by.nanoseconds : 0
  }
}
