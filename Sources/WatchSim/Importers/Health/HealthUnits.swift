// Units in health exports, which follow the settings of the phone.

/// Factors to metres, seconds, beats per minute and kilocalories.
enum HealthUnits {
  private static let metres: [String: Double] = [
    "km": 1_000, "m": 1, "cm": 0.01, "mm": 0.001, "mi": 1_609.344, "yd": 0.9144, "ft": 0.3048, "in": 0.0254,
  ]
  private static let seconds: [String: Double] = [
    "min": 60, "s": 1, "sec": 1, "ms": 0.001, "hr": 3_600, "h": 3_600, "d": 86_400,
  ]
  private static let perMinute: [String: Double] = ["count/min": 1, "count/s": 60, "bpm": 1]
  private static let counts: [String: Double] = ["count": 1]
  /// `Cal` is a kilocalorie; a small calorie is written `cal`.
  private static let kilocalories: [String: Double] = [
    "kcal": 1, "Cal": 1, "cal": 0.001, "kJ": 1 / 4.184, "J": 1 / 4_184,
  ]

  /// What a quantity measures.
  enum Dimension {
    case length, time, rate, count, energy
  }

  /// A value in metres, seconds, per minute, pieces or kilocalories; nil for an unknown unit or a value that is not a
  /// number.
  static func value(_ value: String?, unit: String?, _ dimension: Dimension) -> Double? {
    guard let value, let number = NumberText.parse(Array(value.utf8)), let unit else { return nil }
    let table =
      switch dimension {
      case .length: metres
      case .time: seconds
      case .rate: perMinute
      case .count: counts
      case .energy: kilocalories
      }
    guard let factor = table[unit.trimmingBlanks] else { return nil }
    return number * factor
  }
}

extension String {
  /// Without blanks at both ends, no-break ones included.
  var trimmingBlanks: String {
    var text = self[...]
    while let first = text.unicodeScalars.first, first.properties.isWhitespace { text.unicodeScalars.removeFirst() }
    while let last = text.unicodeScalars.last, last.properties.isWhitespace { text.unicodeScalars.removeLast() }
    return String(text)
  }

  /// A source's name for comparison: all blanks and all apostrophes normalized.
  var normalizedSource: String {
    var text = ""
    for scalar in trimmingBlanks.unicodeScalars {
      if scalar.properties.isWhitespace {
        text += " "
      } else if scalar == "\u{2019}" || scalar == "\u{2018}" {
        text += "'"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text.lowercased()
  }
}
