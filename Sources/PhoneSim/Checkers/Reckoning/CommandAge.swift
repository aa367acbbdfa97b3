import Link

/// How old a word of the phone may be when the watch obeys it, as far as the trace tells.
///
/// The watch judges by the difference of the clocks that a hello told it, and the hello was under way for a while: by
/// that much a word may seem younger than it is.
struct CommandAge: Sendable {
  /// The lines that ``observe(_:)`` understands.
  static let interests: [TraceEvent.Name] = ["frame.sent", "frame.delivered", "fault.begin"]
  /// The frames whose sending it asks for.
  static let frameSorts: [FrameSort] = [.hello]

  private var hellos: [(frame: Int64, sent: VirtualTime)] = []
  /// The highest frame among them; below 0 without one.
  private var newest: Int64 = -1
  private var longest = VirtualTime.Span.zero
  /// Whether a clock was ever wrong: then nobody knows how old the watch thinks a word is.
  private(set) var isUnknown = false

  /// Takes a line; true where it was one of those above.
  mutating func observe(_ event: TraceEvent) -> Bool {
    switch event.name.code {
    case TraceEvent.Name.Code.frameSent:
      guard event.place == .phone else { return true }
      var fields = FieldCursor(event)
      fields.skip("id")
      fields.skip("to")
      guard fields.says("kind", Self.hello), let id = fields.integer("id") else { return true }
      if hellos.count == 64 { hellos.removeFirst() }
      hellos.append((id, event.time))
      newest = max(newest, id)
    case TraceEvent.Name.Code.frameDelivered:
      // Nearly all frames were sent after the last hello.
      var fields = FieldCursor(event)
      guard newest >= 0, let id = fields.integer("id"), id <= newest,
        let hello = hellos.first(where: { $0.frame == id })
      else { return true }
      longest = max(longest, event.time - hello.sent)
    case TraceEvent.Name.Code.faultBegin: isUnknown = isUnknown || event["kind"]?.text == "clockSkew"
    default: return false
    }
    return true
  }

  private static let hello = Frame.Kind.hello.text

  /// The age that a word with so much of a life can have.
  func most(_ life: VirtualTime.Span) -> VirtualTime.Span { life + longest }
}
