/// A two-state channel: good and bad periods of slots with a fixed length.
///
/// The chain begins good and steps once per slot of virtual time, keyed by the slot's number, independent of frames
/// (Gilbert 1960, Elliott 1963; parameters as in netem's `gemodel`). Each slot's draw determines the next state for
/// both present states at once. So the state of a slot follows from the nearest earlier draw whose result does not
/// depend on the state, without stepping through all slots before it.
public struct GilbertElliott: Sendable, Equatable {
  /// The probability of a step from good to bad.
  public var goodToBad: Probability
  /// The probability of a step from bad to good.
  public var badToGood: Probability
  /// The probability that a frame is lost in a good slot.
  public var lossGood: Probability
  /// The probability that a frame is lost in a bad slot.
  public var lossBad: Probability
  /// The length of a slot.
  public var slot: VirtualTime.Span

  /// The latest slot with a computed state, so that a chain with long memory is not computed twice.
  private var known: (number: Int64, isBad: Bool) = (0, false)

  /// Creates a chain; a slot has at least a microsecond.
  public init(
    goodToBad: Probability, badToGood: Probability, lossGood: Probability = .never, lossBad: Probability = .always,
    slot: VirtualTime.Span = .milliseconds(30)
  ) {
    precondition(slot.nanoseconds >= 1_000, "a slot of \(slot.nanoseconds) ns")
    self.goodToBad = goodToBad
    self.badToGood = badToGood
    self.lossGood = lossGood
    self.lossBad = lossBad
    self.slot = slot
  }

  /// The number of the slot at a time since the beginning of the chain.
  func slotNumber(at sinceBegin: VirtualTime.Span) -> Int64 { max(0, sinceBegin.nanoseconds) / slot.nanoseconds }

  /// Whether a slot is bad; slot 0 is good.
  mutating func isBad(slot number: Int64, random: RandomStream) -> Bool {
    let staysBad = (UInt64(1) << 53) - badToGood.threshold
    let both = min(goodToBad.threshold, staysBad)
    let either = max(goodToBad.threshold, staysBad)
    if both == 0, either == 1 << 53 {
      // Every draw depends on the state: the chain stays good for ever, or alternates.
      return goodToBad == .always && number % 2 == 1
    }
    let floor = known.number <= number ? known.number : 0
    var back = number
    var isBad = known.number <= number ? known.isBad : false
    while back > floor {
      let draw = random.bits(for: UInt64(back)) >> 11
      if draw < both {
        isBad = true
        break
      }
      if draw >= either {
        isBad = false
        break
      }
      back -= 1
    }
    while back < number {
      back += 1
      let draw = random.bits(for: UInt64(back)) >> 11
      isBad = draw < (isBad ? staysBad : goodToBad.threshold)
    }
    known = (number, isBad)
    return isBad
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.goodToBad == rhs.goodToBad && lhs.badToGood == rhs.badToGood && lhs.lossGood == rhs.lossGood
      && lhs.lossBad == rhs.lossBad && lhs.slot == rhs.slot
  }
}

extension GilbertElliott {
  /// The value of the key `model` of a loss by such a chain.
  static let model = "gilbert-elliott"

  /// The chain's keys.
  static let schema = ObjectSchema<Self>(
    "", "", Self(goodToBad: .never, badToGood: .never),
    [
      Field("goodToBad", \.goodToBad, .probability, "step from good to bad, per slot", .required),
      Field("badToGood", \.badToGood, .probability, "step from bad to good, per slot", .required),
      Field("lossGood", \.lossGood, .probability, "loss in a good slot"),
      Field("lossBad", \.lossBad, .probability, "loss in a bad slot"),
      Field(
        "slot", \.slot, .duration(VirtualTime.Span(nanoseconds: 1_000) ... .hours(24)), "length of a slot"),
    ])
}
