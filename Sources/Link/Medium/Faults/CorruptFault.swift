/// Flips a bit in some frames, which then fail their checksum.
public struct CorruptFault: FrameFault {
  public var probability: Probability

  public init(probability: Probability) { self.probability = probability }

  public static let kind = "corrupt"
  public static let onlyLosesOrDelays = true
  public static let example = Self(probability: Probability(0.05) ?? .never)
  public static let isSelective = true
  public static let page = FaultPage(
    about: "A frame arrives with a flipped bit, fails its CRC-32C and is dropped by the receiver's radio.",
    formula: "chosen when draw(frame) < probability. A CRC-32C finds every single flipped bit, so none gets through.",
    reality:
      "Radios check a CRC themselves and retransmit, so it is rare above them and looks like loss. Sizes are assumed.")
  public static let story = FaultStory(ending: "nothing is damaged any more") {
    "\($0.percent("probability")) of all packets arrive damaged"
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(probability: .never),
    [Field("probability", \.probability, .probability, "of each frame", .required)])

  public static func draw(_ dice: inout FaultDice) -> Self { Self(probability: dice.probability(percent: 1...60)) }

  public var simpler: [Self] { [Self(probability: .always)] }

  public mutating func corrupts(_ passage: Passage) -> Bool {
    passage.random.happens(probability, for: passage.key)
  }
}
