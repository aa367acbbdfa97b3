import Link

/// When the sides of a link learn its state.
///
/// A cut is noticed after the profile's supervision time, a return after the reconnect time; a cut shorter than
/// supervision goes unnoticed (spec 2.5).
struct LinkNotice {
  private let profile: LinkProfile
  private var random: RandomStream
  /// The believed state.
  private(set) var believedUp = false
  private var pending: (at: VirtualTime, isUp: Bool)?

  /// At the beginning both sides learn at once of a link that is up.
  ///
  /// - Parameter stream: The random stream of the reconnect times.
  init(profile: LinkProfile, seed: UInt64, stream: String = "reconnect") {
    self.profile = profile
    random = RandomStream(seed: seed, name: stream)
    pending = profile.exists ? (.start, true) : nil
  }

  /// When the sides learn something next.
  var nextAt: VirtualTime? { pending?.at }

  mutating func cut(at now: VirtualTime) {
    pending = believedUp ? (now + profile.supervision, false) : nil
  }

  mutating func restore(at now: VirtualTime) {
    guard !believedUp else {
      pending = nil
      return
    }
    pending = (now + profile.reconnect.draw(random, number: UInt64(now.nanoseconds)), true)
  }

  /// The new belief now; nil if nothing is due.
  mutating func popDue(at now: VirtualTime) -> Bool? {
    guard let due = pending, due.at <= now else { return nil }
    pending = nil
    believedUp = due.isUp
    return due.isUp
  }
}
