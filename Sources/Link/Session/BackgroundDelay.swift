/// How long contexts, user infos and files wait before they are sent: the system sends them when it sees fit.
///
/// Drawn evenly between two bounds: for the first thing that is queued while nothing waits, and for everything that is
/// owed when the peer comes into reach. What is queued meanwhile goes with it. Messages and complication transfers do
/// not wait.
public struct BackgroundDelay: Sendable, Equatable {
  /// The shortest wait, at least 0.
  public var least: VirtualTime.Span
  /// The longest wait, at least ``least``.
  public var most: VirtualTime.Span

  /// Creates a delay; `least <= most`.
  public init(least: VirtualTime.Span, most: VirtualTime.Span) {
    precondition(.zero <= least && least <= most, "\(least) <= \(most)")
    self.least = least
    self.most = most
  }

  /// Nothing waits.
  public static let none = Self(least: .zero, most: .zero)
  /// The default for apps: 0.2 s to 5 s.
  ///
  /// An assumption: Apple documents delivery "at an opportune time" only.
  public static let ofApps = Self(least: .milliseconds(200), most: .seconds(5))

  /// Draws a wait, of whole milliseconds above ``least``.
  ///
  /// - Parameter key: What it is drawn for.
  func draw(_ random: RandomStream, for key: UInt64) -> VirtualTime.Span {
    let steps = UInt64((most.nanoseconds - least.nanoseconds) / 1_000_000)
    return least + .milliseconds(Int64(random.number(below: steps + 1, for: key)))
  }
}

/// The delay of background channels in a session.
extension Session {
  /// Whether anything waits before it is sent; false for most sessions, whose way has no cost of it.
  var delaysBackground: Bool { configuration.backgroundDelay.most > .zero }

  /// Draws when something may go that begins to wait now.
  ///
  /// - Parameters:
  ///   - channel: Which channel waits; a number of its own for each.
  ///   - number: Which of its waits.
  private func delayEnd(_ channel: UInt64, _ number: UInt64, at now: VirtualTime) -> VirtualTime {
    let key = RandomStream.key(0x6261_636B_0000_0000 ^ channel << 32 ^ UInt64(epoch.rawValue), number)
    return now + configuration.backgroundDelay.draw(configuration.random, for: key)
  }

  /// Has a transfer that was just queued wait.
  mutating func holdQueue(_ lane: Lane, seq: SequenceNumber, at now: VirtualTime) {
    outboxes[lane].hold(until: delayEnd(UInt64(lane.rawValue), seq.rawValue, at: now))
    noteQueueDeadline()
  }

  /// Has a context that was just set wait.
  mutating func holdContext(at now: VirtualTime) {
    contextIsHeld = true
    contextDeadline = delayEnd(8, contextSent?.seq.rawValue ?? 0, at: now)
  }

  /// Has everything wait that is owed to a peer that has come into reach, but complication transfers.
  mutating func resumeAfterDelay(at now: VirtualTime, into output: inout NodeOutput) {
    if contextSent != nil, !contextIsAcknowledged { holdContext(at: now) }
    for lane in [Lane.userInfo, .file] where outboxes[lane].count > 0 {
      outboxes[lane].holdAll(until: delayEnd(16 + UInt64(lane.rawValue), UInt64(now.nanoseconds), at: now))
    }
    resume(.complication, at: now, into: &output)
  }

  /// Sends what has waited long enough.
  mutating func releaseHeld(at now: VirtualTime, into output: inout NodeOutput) {
    if outboxes[.userInfo].heldUntil <= now {
      if outboxes[.userInfo].releaseHeld() {
        resume(.userInfo, at: now, into: &output)
      } else {
        fillWindow(.userInfo, at: now, into: &output)
      }
    }
    if outboxes[.file].heldUntil <= now {
      if outboxes[.file].releaseHeld() {
        resumeFile(at: now, into: &output)
      } else {
        sendChunks(at: now, into: &output)
      }
    }
  }
}
