/// Loses replies: the message is handled, but its sender does not learn it.
public struct ReplyLostFault: FrameFault {
  /// The probability for each reply.
  public var probability: Probability

  public init(probability: Probability = .always) { self.probability = probability }

  public static let kind = "replyLost"
  public static let example = Self()
  public static let isSelective = true
  public static let hasChannels = false
  public static let hits = "replies"
  public static let page = FaultPage(
    about:
      "A message arrives and takes effect, but its reply is lost: the sender gets an error, and cannot know whether"
      + " the message was handled.",
    formula:
      "a reply is dropped as `replyLost` when draw(frame) < probability; other frames are not. The sender waits for"
      + " `replyTimeout` (10 s), then gets messageReplyTimedOut.",
    reality:
      "WCError 7012 after 5 s to 5 min is reported, although the receiver had acted (react-native-watch-connectivity"
      + " issue 47: with the phone's app in the background). Single replies, or all of them for minutes.")
  public static let story = FaultStory(ending: "replies arrive again") { fault in
    fault.number("probability") == 1
      ? "all replies get lost" : "\(fault.percent("probability")) of all replies get lost"
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(), [Field("probability", \.probability, .probability, "of each reply")])

  public static func draw(_ dice: inout FaultDice) -> Self {
    Self(probability: dice.happens(percent: 50) ? .always : dice.probability(percent: 20...90))
  }

  public var simpler: [Self] { [Self()] }

  public mutating func lose(_ passage: Passage) -> DropCause? {
    guard passage.kind == .reply, passage.random.happens(probability, for: passage.key) else { return nil }
    return DropCause(Self.kind)
  }
}
