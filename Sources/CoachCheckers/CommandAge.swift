import Link

/// The greatest age of a phone's command that the watch may obey, according to the trace.
///
/// The watch computes the age from the clock difference in a hello. The hello's travel time makes a command seem
/// younger than it is, by that much.
struct CommandAge: Sendable {
  /// The lines that ``observe(_:)`` understands.
  static let interests: [TraceEvent.Name] = ["frame.sent", "frame.delivered", "fault.begin"]
  private var hellos: [(frame: Int64, sent: VirtualTime)] = []
  /// The highest id among these frames; below 0 without any.
  private var newest: Int64 = -1
  private var longest = VirtualTime.Span.zero
  /// Whether a clock was ever wrong; then the age that the watch computes is unknown.
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
      // Fast path: nearly all frames are sent after the last hello.
      guard frame.id <= newest, newest >= 0, let hello = hellos.first(where: { $0.frame == frame.id }) else {
        return true
      }
      longest = max(longest, event.time - hello.sent)
    case .faultBegin(let fault): isUnknown = isUnknown || fault.kind == "clockSkew"
    default: return false
    }
    return true
  }

  /// The greatest true age of an obeyed command with this lifetime.
  func limit(for life: VirtualTime.Span) -> VirtualTime.Span { life + longest }
}
