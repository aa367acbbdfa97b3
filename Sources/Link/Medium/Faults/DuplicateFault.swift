/// Delivers some frames more than once.
public struct DuplicateFault: FrameFault {
  public var probability: Probability
  /// How many copies are made of a chosen frame; 1...16.
  public var copies: Int

  public init(probability: Probability, copies: Int = 1) {
    precondition((1...16).contains(copies), "\(copies) copies")
    self.probability = probability
    self.copies = copies
  }

  public static let kind = "duplicate"
  public static let example = Self(probability: Probability(0.1) ?? .never)
  public static let isSelective = true
  public static let page = FaultPage(
    about: "A frame arrives more than once; each copy has its own delay.",
    formula:
      "chosen when draw(frame) < probability; `copies` additional copies are made. The copies of several faults add up.",
    reality:
      "A frame whose link-layer acknowledgement is lost is sent again; user infos are delivered again after a crash. The"
      + " frequency is unknown: sizes are assumed.",
    parameters: [
      .init("probability", "0...1", standard: nil, "of each frame"),
      .init("copies", "1...16", standard: "1", "additional copies"),
    ])

  public static func draw(_ dice: inout FaultDice) -> Self {
    Self(probability: dice.probability(percent: 5...100), copies: Int(dice.number(in: 1...3)))
  }

  public var simpler: [Self] {
    [Self(probability: .always), Self(probability: probability), Self(probability: .always, copies: copies)]
  }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    guard let reader = value.object() else { return nil }
    defer { reader.finish() }
    let copies = reader.integer("copies", in: 1...16) ?? 1
    guard let probability = reader.probability("probability", required: true) else { return nil }
    self.init(probability: probability, copies: Int(copies))
  }

  public var params: [JSONMember] {
    [.number("probability", probability.value), JSONMember("copies", .integer(Int64(copies)))]
  }

  public func copies(_ passage: Passage) -> Int {
    passage.random.happens(probability, for: passage.key) ? copies : 0
  }
}
