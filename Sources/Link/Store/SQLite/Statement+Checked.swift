internal import CSQLite
package import Link

/// Columns with bounds: a store is a file, and its numbers can have any value.
extension Statement {
  /// A column as a number within bounds.
  ///
  /// - Throws: `.corrupt` for others, with the column's name, what was found and what was expected.
  package func int64(_ column: Int32, in bounds: ClosedRange<Int64>) throws(StoreError) -> Int64 {
    let value = int64(column)
    guard bounds.contains(value) else {
      throw refusal(column, "\(value)", "\(bounds.lowerBound)...\(bounds.upperBound)")
    }
    return value
  }

  /// A column as a finite floating-point number within bounds.
  ///
  /// - Throws: `.corrupt` for others, with the column's name, what was found and what was expected.
  package func double(_ column: Int32, in bounds: ClosedRange<Double>) throws(StoreError) -> Double {
    let value = double(column)
    guard bounds.contains(value) else {
      throw refusal(column, "\(value)", "\(bounds.lowerBound)...\(bounds.upperBound)")
    }
    return value
  }

  /// A column as a count, from 0 up to a limit that leaves room to increase.
  package func count(_ column: Int32) throws(StoreError) -> Int64 { try int64(column, in: 0...Self.countMax) }

  /// The largest count accepted from a store.
  package static let countMax: Int64 = 1 << 48

  private func refusal(_ column: Int32, _ found: String, _ expected: String) -> StoreError {
    let error = StoreError(.corrupt, "\(path): the column \(name(of: column)) holds \(found), expected \(expected)")
    reset()
    return error
  }
}
