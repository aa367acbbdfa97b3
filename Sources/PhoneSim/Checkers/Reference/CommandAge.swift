import Link

/// How old a word of the phone may be when the watch obeys it, as far as the trace tells.
///
/// The watch judges by the difference of the clocks that a hello gave it, and the hello was under way for a while: by
/// that much a word may seem younger than it is.
struct CommandAge: Sendable {
  /// The lines that ``observe(_:)`` understands.
  static let interests: [TraceEvent.Name] = ["frame.sent", "frame.delivered", "fault.begin"]
  private var hellos: [(frame: Int64, sent: VirtualTime)] = []
  /// The highest frame among them; below 0 without one.
  private var newest: Int64 = -1
  private var longest = VirtualTime.Span.zero
  /// Whether a clock was ever wrong: then the age that the watch sees in a message is unknown.
  private(set) var isUnknown = false

  /// Observes an event; true for one of those above.
  mutating func observe(_ event: TypedEvent) -> Bool {
    switch event.body {
    case .frameSent(let frame):
      guard frame.kind == .hello, event.place == .phone else { return true }
      if hellos.count == 64 { hellos.removeFirst() }
      hellos.append((frame.id, event.time))
      newest = max(newest, frame.id)
    case .frameDelivered(let frame):
      // Nearly all frames were sent after the last hello.
      guard frame.id <= newest, newest >= 0, let hello = hellos.first(where: { $0.frame == frame.id }) else {
        return true
      }
      longest = max(longest, event.time - hello.sent)
    case .faultBegin(let fault): isUnknown = isUnknown || fault.kind == "clockSkew"
    default: return false
    }
    return true
  }

  /// The age that a word with so much of a life can have.
  func most(_ life: VirtualTime.Span) -> VirtualTime.Span { life + longest }
}
