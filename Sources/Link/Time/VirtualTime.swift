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
