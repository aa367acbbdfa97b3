/// When a phone wrote a value: a hybrid logical clock.
///
/// The time is that of the phone's clock or later, so that a change after another one has the greater stamp whatever
/// the clocks say. A phone uses a stamp for one change only.
package struct SyncStamp: Sendable, Hashable, Comparable {
  /// Nanoseconds since 1970.
  package var time: Int64
  /// Distinguishes changes of one time, from 0.
  package var counter: Int64
  /// 1 or 2; 0 for a value that was never written.
  package var phone: Int64

  package static let never = Self(time: .min, counter: 0, phone: 0)

  package static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.time, lhs.counter, lhs.phone) < (rhs.time, rhs.counter, rhs.phone)
  }

  /// The stamp of a phone's next change.
  ///
  /// - Parameter clock: What the phone's clock says, in nanoseconds since 1970.
  func next(clock: Int64, phone: Int64) -> Self {
    if clock > time { return Self(time: clock, counter: 0, phone: phone) }
    return counter < .max
      ? Self(time: time, counter: counter + 1, phone: phone) : Self(time: time + 1, counter: 0, phone: phone)
  }
}
