/// Cuts the link, once or repeatedly.
public struct DisconnectFault: WorldFault {
  /// A link that comes and goes.
  public struct Flap: Sendable, Equatable {
    public var up: VirtualTime.Span
    public var down: VirtualTime.Span

    /// Creates a rhythm; both spans must be from a millisecond to a day.
    public init(up: VirtualTime.Span, down: VirtualTime.Span) {
      precondition(up >= .milliseconds(1) && down >= .milliseconds(1), "up \(up), down \(down)")
      self.up = up
      self.down = down
    }

    static let schema = ObjectSchema<Self>(
      "flap", "A link that comes and goes.", Self(up: .seconds(1), down: .seconds(1)),
      [
        Field("up", \.up, .duration(.milliseconds(1) ... .hours(24)), "how long it is up", .required),
        Field("down", \.down, .duration(.milliseconds(1) ... .hours(24)), "how long it is down", .required),
      ])
  }

  /// The rhythm; nil for one long cut.
  public var flap: Flap?

  public init(flap: Flap? = nil) { self.flap = flap }

  public static let kind = "disconnect"
  public static let onlyLosesOrDelays = true
  public static let example = Self()
  public static let isSelective = false
  public static let page = FaultPage(
    about:
      "Nothing passes in either direction, and frames in flight are lost; each side notices after the supervision time.",
    formula:
      "down from begin to end; with flap: down for `down`, up for `up`, and so on, beginning down. The link is down"
      + " while any disconnect holds it down.",
    reality:
      "Tunnels, distance, a locker; a body between two radios for longer than the supervision time of 6 s. Seconds to"
      + " minutes, depending on the location: lengths are assumed.")
  public static let story = FaultStory(ending: "the link no longer breaks") { fault in
    guard fault.has("flap") else { return "the link is cut" }
    return "the link flaps: \(fault.length("flap", "down")) down, \(fault.length("flap", "up")) up, again and again"
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(), [Field("flap", \.flap, .object(Flap.schema), "comes and goes")])

  public static func draw(_ dice: inout FaultDice) -> Self {
    guard dice.happens(percent: 30) else { return Self() }
    // Shorter and longer than the supervision time: some cuts are noticed, some are not.
    return Self(
      flap: Flap(
        up: dice.span(alongMilliseconds: [200, 1_000, 5_000, 20_000]),
        down: dice.span(alongMilliseconds: [200, 1_000, 5_000, 20_000])))
  }

  public var simpler: [Self] { [Self()] }

  public func order(_ number: Int, begin: VirtualTime, end: VirtualTime?) -> (at: VirtualTime, FaultOrder)? {
    guard let flap else {
      if number == 0 { return (begin, .cutLink) }
      return number == 1 ? end.map { ($0, .restoreLink) } : nil
    }
    let cut = begin + (flap.up + flap.down) * Int64(number / 2)
    if let end, cut >= end { return nil }
    if number % 2 == 0 { return (cut, .cutLink) }
    let restore = cut + flap.down
    return (end.map { min($0, restore) } ?? restore, .restoreLink)
  }
}
