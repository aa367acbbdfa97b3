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
      "A frame whose link-layer acknowledgement is lost is sent again; user infos are delivered again after a crash."
      + " Sizes are assumed.")
  public static let story = FaultStory(ending: "nothing arrives twice any more") {
    "\($0.percent("probability")) of all packets arrive more than once"
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(probability: .never),
    [
      Field("probability", \.probability, .probability, "of each frame", .required),
      Field("copies", \.copies, .integer(1...16), "additional copies"),
    ])

  public static func draw(_ dice: inout FaultDice) -> Self {
    Self(probability: dice.probability(percent: 5...100), copies: Int(dice.number(in: 1...3)))
  }

  public var simpler: [Self] {
    [Self(probability: .always), Self(probability: probability), Self(probability: .always, copies: copies)]
  }

  public func copies(_ passage: Passage) -> Int {
    passage.random.happens(probability, for: passage.key) ? copies : 0
  }
}
