/// How long contexts, user infos and files wait before they are sent, because the system chooses the moment.
///
/// Drawn uniformly between two bounds: for the first item that is queued while nothing waits, and for everything that
/// is owed when the peer becomes reachable. Items queued meanwhile are sent with it. Messages and complication
/// transfers do not wait.
public struct BackgroundDelay: Sendable, Equatable {
  /// The shortest wait, at least 0.
  public var least: VirtualTime.Span
  /// The longest wait, at least ``least``.
  public var most: VirtualTime.Span

  /// Creates a delay; requires `least <= most`.
  public init(least: VirtualTime.Span, most: VirtualTime.Span) {
    precondition(.zero <= least && least <= most, "\(least) <= \(most)")
    self.least = least
    self.most = most
  }

  /// No delay.
  public static let none = Self(least: .zero, most: .zero)
  /// The default for apps: 0.2 s to 5 s.
  ///
  /// An assumption: Apple only documents delivery "at an opportune time".
  public static let ofApps = Self(least: .milliseconds(200), most: .seconds(5))

  /// Draws a wait of whole milliseconds above ``least``.
  ///
  /// - Parameter key: The key of the draw.
  func draw(_ random: RandomStream, for key: UInt64) -> VirtualTime.Span {
    let steps = UInt64((most.nanoseconds - least.nanoseconds) / 1_000_000)
    return least + .milliseconds(Int64(random.number(below: steps + 1, for: key)))
  }
}

/// The delay of background channels in a session.
extension Session {
  /// Whether background channels are delayed; false for most sessions, which then pay nothing for it.
  var delaysBackground: Bool { configuration.backgroundDelay.most > .zero }

  /// Draws the end of a delay that begins now.
  ///
  /// - Parameters:
  ///   - channel: The waiting channel; each has its own number.
  ///   - number: The number of the wait.
  private func delayEnd(_ channel: UInt64, _ number: UInt64, at now: VirtualTime) -> VirtualTime {
    let key = RandomStream.key(0x6261_636B_0000_0000 ^ channel << 32 ^ UInt64(epoch.rawValue), number)
    return now + configuration.backgroundDelay.draw(configuration.random, for: key)
  }

  /// Delays a transfer that was just queued.
  mutating func holdQueue(_ lane: Lane, seq: SequenceNumber, at now: VirtualTime) {
    outboxes[lane].holdNew(until: delayEnd(UInt64(lane.rawValue), seq.rawValue, at: now))
    refreshQueueDeadline()
  }

  /// Delays a context that was just set.
  mutating func holdContext(at now: VirtualTime) {
    contexts.isHeld = true
    contexts.deadline = delayEnd(8, contexts.sent?.seq.rawValue ?? 0, at: now)
  }

  /// Delays everything owed to a peer that has become reachable, except complication transfers.
  mutating func resumeAfterDelay(in turn: inout Turn) {
    let now = turn.now
    if contexts.sent != nil, !contexts.isAcknowledged { holdContext(at: now) }
    for lane in [Lane.userInfo, .file] where outboxes[lane].count > 0 {
      outboxes[lane].holdAll(until: delayEnd(16 + UInt64(lane.rawValue), UInt64(now.nanoseconds), at: now))
    }
    resume(.complication, in: &turn)
  }

  /// Sends the items whose delay has ended.
  mutating func releaseHeld(in turn: inout Turn) {
    let now = turn.now
    if outboxes[.userInfo].heldUntil <= now {
      if outboxes[.userInfo].releaseHeld() {
        resume(.userInfo, in: &turn)
      } else {
        fillWindow(.userInfo, in: &turn)
      }
    }
    if outboxes[.file].heldUntil <= now {
      if outboxes[.file].releaseHeld() {
        resumeFile(in: &turn)
      } else {
        sendChunks(in: &turn)
      }
    }
  }
}
