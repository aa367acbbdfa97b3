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
  public static let example = Self(.independent(Probability(0.3) ?? .never))
  public static let isSelective = true
  public static let page = FaultPage(
    about: "Frames are lost under way; decided once for each frame, before copies are made.",
    formula: "probability: lost when draw(frame) < probability. gilbert-elliott: the chain steps once per slot from the"
      + " fault's beginning; lost with lossGood or lossBad, by its state. every: frame number N, 2N, ... of those that"
      + " reach this stage.",
    reality:
      "BLE retransmits until the supervision time, so an app sees delay rather than loss; 2.4 GHz on a running body"
      + " fades 1.5 to 25 % of the time in bursts of 35 to 113 ms (profiles.md).",
    parameters: [
      .init("probability", "0...1", standard: nil, "of each frame"),
      .init("model", "\"gilbert-elliott\"", standard: "independent losses", "losses in bursts"),
      .init("goodToBad", "0...1", standard: nil, "step from good to bad, per slot"),
      .init("badToGood", "0...1", standard: nil, "step from bad to good, per slot"),
      .init("lossGood", "0...1", standard: "0", "loss in a good slot"),
      .init("lossBad", "0...1", standard: "1", "loss in a bad slot"),
      .init("slot", "duration, 1us to 24h", standard: "30ms", "length of a slot"),
      .init("every", "1...", standard: nil, "every N-th frame instead"),
    ])

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

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    guard let reader = value.object() else { return nil }
    reader.allow(["probability", "every", "model", "goodToBad", "badToGood", "lossGood", "lossBad", "slot"])
    defer { reader.finish() }
    let ways = ["probability", "every", "model"].filter { reader.has($0) }
    guard ways.count <= 1 else {
      reader.error("\(ways.joined(separator: " and ")) exclude one another")
      return nil
    }
    let chainKeys = ["goodToBad", "badToGood", "lossGood", "lossBad", "slot"].filter { reader.has($0) }
    if !reader.has("model"), let key = chainKeys.first {
      reader.error("\(key) needs model: \"gilbert-elliott\"")
      return nil
    }
    if reader.has("model") {
      guard reader.oneOf("model", ["gilbert-elliott"]) != nil, let chain = GilbertElliott(reading: reader) else {
        return nil
      }
      self.init(.gilbertElliott(chain))
    } else if reader.has("every") {
      guard let every = reader.integer("every", in: 1...1_000_000_000) else { return nil }
      self.init(.every(every))
    } else {
      guard let probability = reader.probability("probability", required: true) else { return nil }
      self.init(.independent(probability))
    }
  }

  public var params: [JSONMember] {
    switch model {
    case .independent(let probability): [.number("probability", probability.value)]
    case .gilbertElliott(let chain): chain.params
    case .every(let count): [JSONMember("every", .integer(count))]
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
