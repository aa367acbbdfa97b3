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
  /// Reads the chain's keys from an object; nil after reporting an error.
  init?(reading reader: JSONObjectReader) {
    let goodToBad = reader.probability("goodToBad", required: true)
    let badToGood = reader.probability("badToGood", required: true)
    let lossGood = reader.probability("lossGood") ?? .never
    let lossBad = reader.probability("lossBad") ?? .always
    let slot = reader.span("slot") ?? .milliseconds(30)
    guard let goodToBad, let badToGood else { return nil }
    guard slot.nanoseconds >= 1_000 else {
      reader.error("a slot lasts at least 1us")
      return nil
    }
    self.init(goodToBad: goodToBad, badToGood: badToGood, lossGood: lossGood, lossBad: lossBad, slot: slot)
  }

  /// The chain's keys, with plain numbers.
  var params: [JSONMember] {
    [
      JSONMember("model", .string("gilbert-elliott")), .number("goodToBad", goodToBad.value),
      .number("badToGood", badToGood.value), .number("lossGood", lossGood.value), .number("lossBad", lossBad.value),
      .seconds("slot", slot),
    ]
  }
}

extension JSONObjectReader {
  /// Reads a number from 0 to 1.
  func probability(_ key: String, required: Bool = false) -> Probability? {
    number(key, in: 0...1, required: required).flatMap { Probability($0) }
  }
}

extension JSONObjectReader {
  /// Reads a span of at most a day, so that sums of many do not overflow.
  func span(_ key: String, required: Bool = false) -> VirtualTime.Span? {
    guard let value = value(key, required: required), let span = value.duration() else { return nil }
    guard span <= .seconds(86_400) else {
      value.refuse(expected: "a duration of at most 24h")
      return nil
    }
    return span
  }
}

extension JSONMember {
  /// A member that is a number.
  static func number(_ key: String, _ value: Double) -> Self {
    if let exact = Int64(exactly: value) { return JSONMember(key, .integer(exact)) }
    return JSONMember(key, .number(value))
  }

  /// A member that is a number of seconds.
  static func seconds(_ key: String, _ span: VirtualTime.Span) -> Self { number(key, span.seconds) }
}
