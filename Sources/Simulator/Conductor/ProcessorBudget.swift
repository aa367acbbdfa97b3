import Link

/// What an app may use of the processor behind the lock screen.
///
/// Virtual time measures none, so its turns are counted.
struct ProcessorBudget {
  /// 80 % of the last minute, as iOS was seen to count.
  static let most = VirtualTime.Span.seconds(48)
  private static let secondsCounted = 60
  /// How long a screen stays on after the last touch.
  static let screenOn = VirtualTime.Span.seconds(30)

  private var darkAt = VirtualTime.start + screenOn
  /// Of each of the last seconds, in nanoseconds, at the second's remainder.
  private var used: [Int64] = []
  private var second: Int64 = 0

  /// Its user touches the device, or the system has started the app behind the lock screen.
  mutating func begin(at now: VirtualTime, isTouched: Bool) {
    darkAt = isTouched ? now + Self.screenOn : now
    used = []
  }

  /// Counts a turn.
  ///
  /// - Returns: False for more than the app may use.
  mutating func spend(_ cost: VirtualTime.Span, at now: VirtualTime) -> Bool {
    guard now >= darkAt else { return true }
    let current = now.nanoseconds / 1_000_000_000
    let length = Int64(Self.secondsCounted)
    if used.isEmpty || current - second >= length {
      used = Array(repeating: 0, count: Self.secondsCounted)
    } else if current > second {
      for passed in second + 1...current { used[Int(passed % length)] = 0 }
    }
    second = current
    used[Int(current % length)] = used[Int(current % length)] +| cost.nanoseconds
    return used.reduce(0, +|) <= Self.most.nanoseconds
  }
}
