/// An instant of a run, in nanoseconds since the scenario's start.
///
/// This module reads no clock: every instant arrives as an argument, so a run takes only as long as its computations.
public struct VirtualTime: Sendable, Hashable, Comparable {
  /// Nanoseconds since the scenario's start, at least 0; 2^63 of them are 292 years.
  public var nanoseconds: Int64

  /// The scenario's start.
  @inlinable public static var start: Self { Self(nanoseconds: 0) }
  /// Later than every instant of every run.
  @inlinable public static var distantFuture: Self { Self(nanoseconds: .max) }

  /// Creates the instant `nanoseconds` after the start.
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether one instant is earlier than another.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Returns the later instant; saturates at ``distantFuture``.
  @inlinable public static func + (lhs: Self, rhs: Span) -> Self {
    Self(nanoseconds: lhs.nanoseconds +| rhs.nanoseconds)
  }

  /// Returns the span from `rhs` to `lhs`; saturates.
  @inlinable public static func - (lhs: Self, rhs: Self) -> Span {
    Span(nanoseconds: lhs.nanoseconds -| rhs.nanoseconds)
  }

  /// A length of virtual time; its arithmetic saturates, because the numbers of a trace can have any value.
  public struct Span: Sendable, Hashable, Comparable {
    /// Nanoseconds; negative if it leads back.
    public var nanoseconds: Int64

    @inlinable public static var zero: Self { Self(nanoseconds: 0) }

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable public static func milliseconds(_ count: Int64) -> Self {
      Self(nanoseconds: count *| 1_000_000)
    }

    @inlinable public static func seconds(_ count: Int64) -> Self {
      Self(nanoseconds: count *| 1_000_000_000)
    }

    @inlinable public static func hours(_ count: Int64) -> Self {
      Self(nanoseconds: count *| 3_600_000_000_000)
    }

    /// Whether one span is shorter than another.
    @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// Returns the sum; saturates.
    @inlinable public static func + (lhs: Self, rhs: Self) -> Self {
      Self(nanoseconds: lhs.nanoseconds +| rhs.nanoseconds)
    }

    /// Returns the multiple; saturates.
    @inlinable public static func * (lhs: Self, rhs: Int64) -> Self {
      Self(nanoseconds: lhs.nanoseconds *| rhs)
    }

    /// The span in seconds, rounded to a Double.
    @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }
  }
}

extension VirtualTime {
  /// The instant in the format for people: `10:04.375`, from an hour on `1:10:04.375`; a whole second has no fraction.
  ///
  /// Rounded down to a millisecond. Machines read nanoseconds, from JSON.
  public var text: String {
    let isNegative = nanoseconds < 0
    let milliseconds = nanoseconds.magnitude / 1_000_000
    let (seconds, fraction) = (milliseconds / 1_000, milliseconds % 1_000)
    func padded(_ number: UInt64, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    var text = hours > 0 ? "\(hours):\(padded(minutes, 2))" : "\(minutes)"
    text += ":\(padded(seconds % 60, 2))"
    if fraction > 0 { text += ".\(padded(fraction, 3))" }
    return isNegative ? "-\(text)" : text
  }
}

extension VirtualTime.Span {
  /// The length in the format for people, in seconds with up to three decimals: `100 s`, `9.982 s`.
  ///
  /// Rounded down to a millisecond, except that a length that is not zero never reads as zero: `under 0.001 s`.
  public var text: String {
    let milliseconds = nanoseconds.magnitude / 1_000_000
    if milliseconds == 0, nanoseconds != 0 { return "under 0.001 s" }
    var fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let sign = nanoseconds < 0 ? "-" : ""
    return "\(sign)\(milliseconds / 1_000)\(fraction.isEmpty ? "" : ".\(fraction)") s"
  }
}

/// A reading of one node's own clock, in nanoseconds since 1970 by that clock.
///
/// `Node` is the owner of the clock. Readings of one clock can be compared; readings of two clocks have different
/// types, because clock skew is a fault and no code may compare them.
public struct NodeTime<Node>: Sendable, Hashable, Comparable {
  /// Nanoseconds since 1970-01-01T00:00:00Z by this node's clock.
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether one reading is earlier than another of the same clock.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}
