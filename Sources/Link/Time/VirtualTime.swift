/// A moment of a run, in nanoseconds since the scenario's start.
///
/// Nothing in this module reads a clock. Every moment arrives as an argument, so a run takes as long
/// as its arithmetic and no longer.
public struct VirtualTime: Sendable, Hashable, Comparable {
  /// Nanoseconds since the scenario's start, at least 0; 2^63 of them are 292 years.
  public var nanoseconds: Int64

  /// The scenario's start.
  @inlinable public static var start: Self { Self(nanoseconds: 0) }
  /// Later than every moment of every run.
  @inlinable public static var distantFuture: Self { Self(nanoseconds: .max) }

  /// Creates the moment `nanoseconds` after the start.
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Tells whether one moment is before another.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Returns the moment a duration later; saturates, at ``distantFuture`` above.
  @inlinable public static func + (lhs: Self, rhs: Span) -> Self {
    Self(nanoseconds: lhs.nanoseconds +| rhs.nanoseconds)
  }

  /// Returns the time from `rhs` to `lhs`; saturates.
  @inlinable public static func - (lhs: Self, rhs: Self) -> Span {
    Span(nanoseconds: lhs.nanoseconds -| rhs.nanoseconds)
  }

  /// A length of virtual time; its arithmetic saturates, because the numbers of a trace can be anything.
  public struct Span: Sendable, Hashable, Comparable {
    /// Nanoseconds; negative for a way back.
    public var nanoseconds: Int64

    /// No time at all.
    @inlinable public static var zero: Self { Self(nanoseconds: 0) }

    /// Creates a length of `nanoseconds`.
    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Returns a length of whole milliseconds.
    @inlinable public static func milliseconds(_ count: Int64) -> Self {
      Self(nanoseconds: count *| 1_000_000)
    }

    /// Returns a length of whole seconds.
    @inlinable public static func seconds(_ count: Int64) -> Self {
      Self(nanoseconds: count *| 1_000_000_000)
    }

    /// Tells whether one length is shorter than another.
    @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// Returns the sum of two lengths.
    @inlinable public static func + (lhs: Self, rhs: Self) -> Self {
      Self(nanoseconds: lhs.nanoseconds +| rhs.nanoseconds)
    }

    /// Returns a multiple of a length.
    @inlinable public static func * (lhs: Self, rhs: Int64) -> Self {
      Self(nanoseconds: lhs.nanoseconds *| rhs)
    }

    /// The length in seconds, as near as a Double comes.
    @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }
  }
}
