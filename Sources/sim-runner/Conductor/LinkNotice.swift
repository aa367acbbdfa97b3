import Link

/// When the sides of a link learn what became of it.
///
/// A cut is noticed after the profile's supervision time, a return after the reconnect time; a cut shorter
/// than supervision goes unnoticed (spec 2.5).
struct LinkNotice {
  private let profile: LinkProfile
  private let random: RandomStream
  /// What the sides believe.
  private(set) var believedUp = false
  private var pending: (at: VirtualTime, isUp: Bool)?

  /// At the beginning both sides learn of a link that is up at once.
  ///
  /// - Parameter stream: Names what the times of reconnecting are drawn from.
  init(profile: LinkProfile, seed: UInt64, stream: String = "reconnect") {
    self.profile = profile
    random = RandomStream(seed: seed, name: stream)
    pending = profile.exists ? (.start, true) : nil
  }

  /// When the sides learn something next.
  var nextAt: VirtualTime? { pending?.at }

  /// The radio is cut.
  mutating func cut(at now: VirtualTime) {
    pending = believedUp ? (now + profile.supervision, false) : nil
  }

  /// The radio is back.
  mutating func restore(at now: VirtualTime) {
    guard !believedUp else {
      pending = nil
      return
    }
    pending = (now + profile.reconnect.draw(random, number: UInt64(now.nanoseconds)), true)
  }

  /// What the sides learn now; nil when nothing is due.
  mutating func takeDue(at now: VirtualTime) -> Bool? {
    guard let due = pending, due.at <= now else { return nil }
    pending = nil
    believedUp = due.isUp
    return due.isUp
  }
}
