/// A value that decides: a part of a device.
///
/// Whole devices are ``NodeMachine`` values, under the same contract.
///
/// A machine performs no I/O, reads no clock, draws randomness only from the streams it was given, and never suspends.
/// A driver feeds it inputs, carries out its orders in order, and calls again no later than ``nextDeadline``.
///
/// The driver's contract:
/// 1. Pass in every input of an instant, each with ``receive(_:at:into:)``.
/// 2. Then, if ``nextDeadline`` is not later than that instant, call once with nil. Timers fire in that call only, so
///   an arrival at the exact instant of a deadline is handled first.
/// 3. Carry out the orders in the output, in order, before the next call.
/// 4. `now` never decreases.
public protocol Machine: Sendable {
  /// What the driver passes in: a frame, a command, a change of the link.
  associatedtype Input: Sendable
  /// Where the machine puts its orders: a buffer that the driver empties and reuses.
  associatedtype Output

  /// The instant by which the driver must call with nil; nil if no timer is pending.
  var nextDeadline: VirtualTime? { get }

  /// Handles one input; fires due timers if `input` is nil.
  ///
  /// - Parameters:
  ///   - input: The input; nil if only time has passed.
  ///   - now: The instant; never earlier than in the call before.
  ///   - output: The orders are appended here, in order.
  mutating func receive(_ input: Input?, at now: VirtualTime, into output: inout Output)
}
