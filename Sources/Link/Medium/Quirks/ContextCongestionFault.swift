/// Delays messages while application contexts are sent frequently.
public struct ContextCongestionFault: FrameFault {
  /// How long a sent context counts.
  public var window: VirtualTime.Span
  /// The delay of a message for each context in the window after the first.
  public var delay: VirtualTime.Span
  /// When the latest contexts passed in each direction, at most ``countMax``, the latest last.
  private var passed: [[VirtualTime]] = [[], []]

  /// The most contexts that count.
  private static let countMax = 16
  private static let limit = VirtualTime.Span.seconds(3_600)

  public init(window: VirtualTime.Span = .seconds(5), delay: VirtualTime.Span = .seconds(1)) {
    precondition(window > .zero && window <= Self.limit && delay >= .zero && delay <= Self.limit)
    self.window = window
    self.delay = delay
  }

  public static let kind = "contextCongestion"
  public static let example = Self()
  public static let isSelective = true
  public static let hasChannels = false
  public static let hits = "messages and replies"
  public static let page = FaultPage(
    about:
      "Frequent updates of the application context delay the messages of their direction by seconds.",
    formula:
      "a message or reply is delayed by delay x max(0, n - 1), where n is the number of frames with a context that"
      + " passed in its direction in the last `window`, including retransmissions, at most 16.",
    reality:
      "Context updates more frequent than every 1 to 2 s delayed messages by seconds; with one every 5 s there was no"
      + " delay (openradar 21364664, 2015): the defaults give 4 s at 1 Hz and 0 at 0.2 Hz.")
  public static let story = FaultStory(ending: "contexts no longer delay messages") { _ in
    "frequent contexts delay messages"
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(),
    [
      Field("window", \.window, .duration(.milliseconds(1)...limit), "how long a context counts"),
      Field("delay", \.delay, .duration(max: limit), "the delay for each context after the first"),
    ])

  public static func draw(_ dice: inout FaultDice) -> Self {
    Self(window: .seconds(dice.number(in: 2...10)), delay: dice.span(alongMilliseconds: [100, 1_000, 3_000]))
  }

  public var simpler: [Self] { [Self()] }

  public static var observes: Bool { true }

  public mutating func observe(_ passage: Passage) {
    guard passage.channel == .applicationContext, passage.kind == .data else { return }
    let lane = Int(passage.direction.rawValue)
    if passed[lane].count == Self.countMax { passed[lane].removeFirst() }
    passed[lane].append(passage.at)
  }

  public func delay(_ passage: Passage, copy: Int) -> Int64 {
    guard passage.channel == .message, passage.kind == .data || passage.kind == .reply else { return 0 }
    let count = passed[Int(passage.direction.rawValue)].count { passage.at - $0 < window }
    return delay.nanoseconds * Int64(max(0, count - 1))
  }
}
