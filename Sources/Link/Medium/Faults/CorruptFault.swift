/// Flips a bit in some frames, which then fail their checksum.
public struct CorruptFault: FrameFault {
  public var probability: Probability

  public init(probability: Probability) { self.probability = probability }

  public static let kind = "corrupt"
  public static let example = Self(probability: Probability(0.05) ?? .never)
  public static let isSelective = true
  public static let page = FaultPage(
    about: "A frame arrives with a flipped bit, fails its CRC-32C and is dropped by the receiver's radio.",
    formula: "chosen when draw(frame) < probability. A CRC-32C finds every single flipped bit, so none gets through.",
    reality:
      "Radios check a CRC themselves and retransmit, so it is rare above them and looks like loss. No rate was found:"
      + " sizes are assumed.",
    parameters: [.init("probability", "0...1", standard: nil, "of each frame")])

  public static func draw(_ dice: inout FaultDice) -> Self { Self(probability: dice.probability(percent: 1...60)) }

  public var simpler: [Self] { [Self(probability: .always)] }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    guard let reader = value.object() else { return nil }
    defer { reader.finish() }
    guard let probability = reader.probability("probability", required: true) else { return nil }
    self.init(probability: probability)
  }

  public var params: [JSONMember] { [.number("probability", probability.value)] }

  public mutating func corrupts(_ passage: Passage) -> Bool {
    passage.random.happens(probability, for: passage.key)
  }
}
