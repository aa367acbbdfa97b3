/// Loses frames: independently, in bursts, or every N-th.
public struct LossFault: FrameFault {
  /// How losses are chosen.
  public enum Model: Sendable, Equatable {
    /// Each frame independently.
    case independent(Probability)
    /// In bursts.
    case gilbertElliott(GilbertElliott)
    /// The N-th, the 2N-th, ... of the frames that reach this stage; at least 1.
    case every(Int64)
  }

  public var model: Model
  private var passed: Int64 = 0

  public init(_ model: Model) { self.model = model }

  public static let kind = "loss"
  public static let onlyLosesOrDelays = true
  public static let example = Self(.independent(Probability(0.3) ?? .never))
  public static let isSelective = true
  public static let page = FaultPage(
    about: "Frames are lost in flight. This is decided once for each frame, before copies are made.",
    formula: "probability: lost when draw(frame) < probability. gilbert-elliott: the chain steps once per slot from the"
      + " fault's beginning; lost with lossGood or lossBad, by its state. every: frame number N, 2N, ... of those that"
      + " reach this stage.",
    reality:
      "BLE retransmits until the supervision time, so an app sees delay rather than loss; 2.4 GHz on a running body"
      + " fades 1.5 to 25 % of the time in bursts of 35 to 113 ms ([sources](profiles.md)).")
  public static let story = FaultStory(ending: "the bad reception is over") { fault in
    if fault.has("every") { return "bad reception: each \(fault.ordinal("every")) packet is lost" }
    if fault.has("goodToBad") { return "bad reception: packets get lost in bursts" }
    return fault.number("probability") == 1
      ? "no reception: all packets get lost" : "bad reception: \(fault.percent("probability")) of all packets get lost"
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(.independent(.never)),
    forms: [
      [Field("probability", \.probability, .probability, "of each frame", .required)],
      [.constant("model", GilbertElliott.model, "losses in bursts", in: { $0.chain != nil })]
        + GilbertElliott.schema.fields.map { $0.within(\.chain, standard: GilbertElliott.schema.standard) },
      [Field("every", \.every, .integer(1...1_000_000_000), "every N-th frame instead", .required)],
    ])

  private var probability: Probability? {
    get { if case .independent(let probability) = model { probability } else { nil } }
    set { if let newValue { model = .independent(newValue) } }
  }

  private var chain: GilbertElliott? {
    get { if case .gilbertElliott(let chain) = model { chain } else { nil } }
    set { if let newValue { model = .gilbertElliott(newValue) } }
  }

  private var every: Int64? {
    get { if case .every(let count) = model { count } else { nil } }
    set { if let newValue { model = .every(newValue) } }
  }

  public static func draw(_ dice: inout FaultDice) -> Self {
    switch dice.number(in: 0...9) {
    case 0: return Self(.independent(.always))
    case 1...5: return Self(.independent(dice.probability(percent: 2...90)))
    case 6, 7: return Self(.every(dice.number(in: 2...20)))
    default:
      return Self(
        .gilbertElliott(
          GilbertElliott(
            goodToBad: dice.probability(permille: 2...50), badToGood: dice.probability(permille: 10...500),
            lossGood: dice.probability(permille: 0...20), lossBad: dice.probability(percent: 50...100))))
    }
  }

  public var simpler: [Self] {
    switch model {
    case .independent, .every: [Self(.independent(.always))]
    case .gilbertElliott(let chain): [Self(.independent(.always)), Self(.independent(chain.lossBad))]
    }
  }

  public mutating func lose(_ passage: Passage) -> DropCause? {
    switch model {
    case .independent(let probability):
      return passage.random.happens(probability, for: passage.key) ? .loss : nil
    case .gilbertElliott(var chain):
      let isBad = chain.isBad(slot: chain.slotNumber(at: passage.at - passage.since), random: passage.random)
      model = .gilbertElliott(chain)
      return passage.random.happens(isBad ? chain.lossBad : chain.lossGood, for: passage.key, draw: 1) ? .loss : nil
    case .every(let count):
      passed += 1
      return passed % count == 0 ? .loss : nil
    }
  }
}
