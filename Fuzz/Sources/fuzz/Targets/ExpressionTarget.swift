@testable import Link
@testable import PhoneSim

enum ExpressionTarget: FuzzTarget {
  static let name = "expressions"
  static let about = "script expressions: compiling, and evaluating with known and unknown values"
  static let lengthMax = 2_048
  static var words: [String] {
    Variable.allCases.map { "\($0)" } + [" AND ", " OR ", "NOT ", "<=", ">=", "==", "!=", "1.5"]
  }

  static func seeds(_ tree: SourceTree) -> [[UInt8]] {
    [
      "distance > 1000 AND pace < 300", "NOT (heartRate >= 180 OR elapsed < 60)", "distance / elapsed * 3.6 > 12 - 1",
      "-(pace) != 3 + 4 * (5 - 2)", "((1)) < 2",
    ].map { Array($0.utf8) }
  }

  static func run(_ bytes: [UInt8]) {
    guard let expression = try? Expression(String(decoding: bytes, as: UTF8.self)) else { return }
    for number in [Double.nan, 0, -1.5, 1e308] {
      var values = VariableValues()
      for variable in Variable.allCases { values[variable] = number }
      _ = expression.holds(values)
    }
  }
}
