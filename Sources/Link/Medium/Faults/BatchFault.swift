/// Lets frames pass only when the radio wakes, all waiting ones at once.
public struct BatchFault: FrameFault {
  /// From one wake-up to the next; at least a millisecond.
  public var every: VirtualTime.Span

  public init(every: VirtualTime.Span) {
    precondition(every >= .milliseconds(1), "a wake-up every \(every.nanoseconds) ns")
    self.every = every
  }

  public static let kind = "batch"
  public static let onlyLosesOrDelays = true
  public static let example = Self(every: .seconds(3))
  public static let isSelective = true
  public static let isDrawnByDefault = false
  public static let page = FaultPage(
    about: "The radio sleeps and wakes on a beat: frames wait for its next wake-up, and then leave together.",
    formula: "the radio wakes when the fault begins, and then every `every`; a frame sent at a wake-up leaves at once."
      + " Frames of one direction still arrive in their order, each after the link's own delay. Frames that wait when the"
      + " fault ends leave at the wake-up they waited for.",
    reality:
      "Bluetooth devices skip connection events to save power: for accessories Apple allows 2 s between two wake-ups"
      + " (lists.apple.com bluetooth-dev, December 2013). Longer beats are assumed."
  )
  public static let story = FaultStory(ending: "frames leave at once again") {
    "the radio wakes every \($0.length("every")): frames arrive in batches"
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(every: .seconds(1)),
    [
      Field(
        "every", \.every, .duration(.milliseconds(1)...(.hours(1))), "from one wake-up to the next", .required)
    ])

  public static func draw(_ dice: inout FaultDice) -> Self {
    Self(every: dice.span(alongMilliseconds: [50, 500, 2_000, 5_000, 15_000]))
  }

  public func delay(_ passage: Passage, copy: Int) -> Int64 {
    let sinceWake = (passage.at - passage.since).nanoseconds % every.nanoseconds
    return sinceWake == 0 ? 0 : every.nanoseconds - sinceWake
  }
}
