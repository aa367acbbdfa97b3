// Arithmetic for numbers from a trace, a store, a file or a peer: a result out of range becomes the nearest bound.
// Trapping would end the process, and wrapping would hide the error.

infix operator +| : AdditionPrecedence
infix operator -| : AdditionPrecedence
infix operator *| : MultiplicationPrecedence

extension FixedWidthInteger {
  /// Saturating sum.
  @inlinable @inline(__always)
  public static func +| (lhs: Self, rhs: Self) -> Self {
    let (sum, overflow) = lhs.addingReportingOverflow(rhs)
    return overflow ? (rhs < 0 ? .min : .max) : sum
  }

  /// Saturating difference; of unsigned numbers at least 0.
  @inlinable @inline(__always)
  public static func -| (lhs: Self, rhs: Self) -> Self {
    let (difference, overflow) = lhs.subtractingReportingOverflow(rhs)
    return overflow ? (rhs < 0 ? .max : .min) : difference
  }

  /// Saturating product.
  @inlinable @inline(__always)
  public static func *| (lhs: Self, rhs: Self) -> Self {
    let (product, overflow) = lhs.multipliedReportingOverflow(by: rhs)
    return overflow ? ((lhs < 0) == (rhs < 0) ? .max : .min) : product
  }

  /// The nearest integer in range; 0 for NaN.
  @inlinable
  public init(saturating value: Double) {
    let rounded = value.rounded()
    self = Self(exactly: rounded) ?? (rounded.isNaN ? 0 : rounded < 0 ? .min : .max)
  }
}
