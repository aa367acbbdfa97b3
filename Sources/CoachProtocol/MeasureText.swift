/// Distances and times of a run as people read them.
package enum MeasureText {
  /// Whole seconds as `m:ss`, from an hour on as `h:mm:ss`.
  package static func clock(seconds: Int64) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let tail = twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
  }

  /// Metres as kilometres with two decimals, `5.00 km`; `-` for what is no distance.
  package static func kilometres(_ metres: Double) -> String {
    guard metres.isFinite, abs(metres) < 1e12 else { return "-" }
    let hundredths = Int64((metres / 10).rounded())
    return "\(hundredths / 100).\(twoDigits(hundredths % 100)) km"
  }

  /// Metres below a kilometre, `400 m`; whole kilometres without decimals, `3 km`; others as ``kilometres(_:)``.
  package static func metres(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "-" }
    let whole = Int64(value.rounded())
    if whole >= 1000, whole % 1000 == 0 { return "\(whole / 1000) km" }
    return whole >= 1000 ? kilometres(value) : "\(whole) m"
  }

  private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
}

/// The user's unit of length, in which splits are counted; stores and messages have metres.
public enum LengthUnit: String, Sendable, CaseIterable {
  case kilometres, miles

  /// The length of one, exactly.
  package var millimetres: Int64 {
    switch self {
    case .kilometres: 1_000_000
    case .miles: 1_609_344
    }
  }
}
