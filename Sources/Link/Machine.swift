/// Something that decides: a session, the medium, a watch, a phone.
///
/// A machine is a value. It performs no I/O, reads no clock, draws randomness only from streams it
/// was handed, and never suspends. A driver feeds it inputs, carries out the effects in order, and
/// calls again no later than ``nextDeadline``.
///
/// The driver's contract:
/// 1. Hand over every input of an instant, each with ``receive(_:at:into:)``.
/// 2. Then, if ``nextDeadline`` is not later than that instant, call once with nil. Timers fire in
///    that call and in no other, so an arrival at the very instant of a deadline is taken first.
/// 3. Carry out what stands in the output, in order, before the next call.
/// 4. `now` never goes back.
public protocol Machine: Sendable {
  /// What the world tells the machine.
  associatedtype Input: Sendable
  /// Where the machine puts what it asks of its driver: a buffer the driver empties and reuses.
  associatedtype Output

  /// The moment by which the driver must call with nil, or nil when nothing is pending.
  var nextDeadline: VirtualTime? { get }

  /// Takes one input; fires due timers when `input` is nil.
  ///
  /// - Parameters:
  ///   - input: What happened; nil when only time has passed.
  ///   - now: When; never earlier than in the call before.
  ///   - output: What the driver must carry out is appended here, in order.
  mutating func receive(_ input: Input?, at now: VirtualTime, into output: inout Output)
}
