/// Prints two lists of ids one below the other, with equal ids in the same column.
enum AlignedIds {
  /// The number of ids of each list that are compared; further ones are left out.
  static let countMax = 200
  /// The width of a line in characters.
  private static let columnsMax = 90

  /// The lists as pairs of lines; `-` marks what one of them lacks.
  static func lines(_ one: [String], _ other: [String], heads: (String, String)) -> [String] {
    let width = max(heads.0.count, heads.1.count)
    var lines: [String] = []
    var (first, second) = (padded(heads.0, width), padded(heads.1, width))
    for (a, b) in pairs(Array(one.prefix(countMax)), Array(other.prefix(countMax))) {
      let (left, right) = (a ?? "-", b ?? "-")
      let column = max(left.count, right.count)
      if first.count + column + 2 > columnsMax, first.count > width {
        lines += [first, second]
        (first, second) = (padded(heads.0, width), padded(heads.1, width))
      }
      first += "  " + padded(left, column)
      second += "  " + padded(right, column)
    }
    return (lines + [first, second]).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Pairs by the longest common subsequence; a replaced id shares its column.
  private static func pairs(_ one: [String], _ other: [String]) -> [(String?, String?)] {
    var common = [[Int]](repeating: [Int](repeating: 0, count: other.count + 1), count: one.count + 1)
    for i in one.indices.reversed() {
      for j in other.indices.reversed() {
        common[i][j] = one[i] == other[j] ? common[i + 1][j + 1] + 1 : max(common[i + 1][j], common[i][j + 1])
      }
    }
    var pairs: [(String?, String?)] = []
    var (i, j) = (0, 0)
    while i < one.count || j < other.count {
      if i < one.count, j < other.count, one[i] == other[j] {
        pairs.append((one[i], other[j]))
        (i, j) = (i + 1, j + 1)
      } else if i < one.count, j < other.count, common[i + 1][j + 1] == common[i][j] {
        pairs.append((one[i], other[j]))
        (i, j) = (i + 1, j + 1)
      } else if j == other.count || (i < one.count && common[i + 1][j] >= common[i][j + 1]) {
        pairs.append((one[i], nil))
        i += 1
      } else {
        pairs.append((nil, other[j]))
        j += 1
      }
    }
    return pairs
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
