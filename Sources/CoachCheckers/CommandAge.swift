import Link

/// The greatest age of a phone's command that the watch may obey, according to the trace.
///
/// The watch computes the age from the clock difference in a hello. The hello's travel time makes a command seem
/// younger than it is, by that much.
struct CommandAge: Sendable {
  private var hellos: [(frame: Int64, sent: VirtualTime)] = []
  /// The highest id among these frames; below 0 without any.
  private var newest: Int64 = -1
  private var longest = VirtualTime.Span.zero
  /// Whether a clock was ever wrong; then the age that the watch computes is unknown.
  private(set) var isUnknown = false

  mutating func observe(_ frame: FrameSent, at event: Occurrence) {
    guard frame.kind == .hello, event.place == .phone else { return }
    if hellos.count == 64 { hellos.removeFirst() }
    hellos.append((frame.id, event.time))
    newest = max(newest, frame.id)
  }

  mutating func observe(_ frame: FrameDelivered, at event: Occurrence) {
    // Fast path: nearly all frames are sent after the last hello.
    guard frame.id <= newest, newest >= 0, let hello = hellos.first(where: { $0.frame == frame.id }) else { return }
    longest = max(longest, event.time - hello.sent)
  }

  mutating func observe(_ fault: FaultBegan) { isUnknown = isUnknown || fault.kind == "clockSkew" }

  /// The greatest true age of an obeyed command with this lifetime.
  func limit(for life: VirtualTime.Span) -> VirtualTime.Span { life + longest }
}
