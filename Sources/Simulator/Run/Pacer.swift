import Foundation
import Link

/// Slows a run down to a multiple of real time.
///
/// Nothing else uses real time.
package struct Pacer {
  private let factor: Double
  private let clock = ContinuousClock()
  private let begin: ContinuousClock.Instant

  /// - Parameter factor: Virtual seconds in a real second, more than 0.
  init(factor: Double) {
    precondition(factor > 0, "a pace of \(factor)")
    self.factor = factor
    begin = clock.now
  }

  /// Waits until it is time for an instant; false if the user wants to stop.
  func wait(for instant: VirtualTime, shouldStop: () -> Bool) -> Bool {
    let due = begin.advanced(by: .nanoseconds(Int64(Double(instant.nanoseconds) / factor)))
    while true {
      if shouldStop() { return false }
      let left = clock.now.duration(to: due)
      if left <= .zero { return true }
      let seconds = Double(left.components.seconds) + Double(left.components.attoseconds) / 1e18
      Thread.sleep(forTimeInterval: min(seconds, 0.05))
    }
  }

  /// Reads `virtual`, `real` or `20x`; nil for anything else, `.some(nil)` for as fast as possible.
  package static func factor(_ text: String) -> Double?? {
    if text == "virtual" { return .some(nil) }
    if text == "real" { return 1 }
    guard text.hasSuffix("x"), let factor = Double(text.dropLast()), factor >= 0.001, factor <= 1e9 else { return nil }
    return factor
  }
}
