/// Sets a device's clock wrong.
public struct ClockSkewFault: NodeFault {
  /// The device.
  public var node: NodeRole
  /// How far its clock is ahead; negative for behind.
  public var offset: VirtualTime.Span
  /// How many millionths it runs fast; negative for slow.
  public var driftPPM: Double

  /// The largest offset either way: a thousand hours, which a Double in seconds represents to the nanosecond.
  public static let offsetMax = VirtualTime.Span.seconds(1_000 * 3_600)
  /// The largest drift either way.
  public static let driftPPMMax = 500_000.0

  public init(_ node: NodeRole, offset: VirtualTime.Span = .zero, driftPPM: Double = 0) {
    precondition(abs(driftPPM) <= Self.driftPPMMax && offset.nanoseconds.magnitude <= Self.offsetMax.nanoseconds)
    self.node = node
    self.offset = offset
    self.driftPPM = driftPPM
  }

  public static let kind = "clockSkew"
  public static let example = Self(.watch, offset: .seconds(-90), driftPPM: 40)
  public static let page = FaultPage(
    about:
      "The device's clock shows a wrong date and time, which affects its time stamps and whatever depends on the time of"
      + " day. Timers and measured durations do not change.",
    formula:
      "the clock shows true time + offset + (time since begin) x driftPPM / 1,000,000, rounded to nanoseconds. The"
      + " skews of one device add up; when one ends, its part is removed. The watch's `sentAt` never decreases: while"
      + " its clock is behind the last one, each is a nanosecond after the one before.",
    reality:
      "No measurement of a paired watch was found. Recorded workouts contain clocks that were never set (1989) and steps"
      + " back after a correction by GPS; quartz crystals are off by some 10 to 50 millionths (assumed).")
  public static let story = FaultStory(ending: "the clock is right again") { fault in
    let offset = fault.number("offset")
    let shift = VirtualTime.Span(nanoseconds: Int64((min(abs(offset), 1e9) * 1e9).rounded()))
    let drifts = fault.number("driftPPM") != 0
    return "the \(fault.device)'s clock is \(fault.length(shift)) \(offset < 0 ? "behind" : "ahead")"
      + (drifts ? " and drifts" : "")
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(.watch),
    [
      Field("node", \.node, .device, "the device", .required),
      Field("offset", \.offset, .duration(offsetMax * -1...offsetMax), "how far it is ahead; negative for behind"),
      Field("driftPPM", \.driftPPM, .number(-driftPPMMax...driftPPMMax), "how many millionths it runs fast"),
    ]
  ) { _, reader in
    let isSkewed = reader.has("offset") || reader.has("driftPPM")
    if !isSkewed { reader.error("neither offset nor driftPPM: the clock would be right") }
    return isSkewed
  }

  public static func draw(_ dice: inout FaultDice) -> Self {
    let node = dice.pickNode()
    // Below and above the age at which a command is void; occasionally a clock that was never set.
    let offset = dice.span(alongMilliseconds: [1, 100, 1_000, 10_000, 120_000, 3_600_000, 36_000_000])
    let isBehind = dice.happens(percent: 50)
    let driftPPM = dice.happens(percent: 50) ? 0 : Double(dice.number(in: -200...200))
    return Self(node, offset: isBehind ? offset * -1 : offset, driftPPM: driftPPM)
  }

  public var simpler: [Self] {
    (driftPPM == 0 ? [] : [Self(node, offset: offset)]) + (offset == .zero ? [] : [Self(node, driftPPM: driftPPM)])
  }

  public var orders: [NodeOrder] { [.skewClock(offset: offset, driftPPM: driftPPM)] }
}
