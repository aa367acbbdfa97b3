/// What a trigger's expression may name; the list is closed.
package enum Variable: UInt8, Sendable, CaseIterable {
  /// Metres.
  case distance
  /// Seconds of the run without pauses.
  case duration
  /// Seconds per kilometre over the last moments.
  case currentPace
  /// Seconds per kilometre over the whole run.
  case averagePace
  /// Seconds per kilometre as planned.
  case targetPace
  /// Target pace over the pace of the trailing 180 s; above 1 is faster than planned.
  case paceRatio
  /// Beats per minute.
  case heartRate
  /// 0...5.
  case heartRateZone
  /// Steps per minute.
  case cadence
  /// 0...23.
  case hourOfDay

  /// The name in an expression.
  package var text: String {
    switch self {
    case .distance: "distance"
    case .duration: "duration"
    case .currentPace: "current_pace"
    case .averagePace: "avg_pace"
    case .targetPace: "target_pace"
    case .paceRatio: "pace_3min_ratio"
    case .heartRate: "hr"
    case .heartRateZone: "hr_zone"
    case .cadence: "cadence"
    case .hourOfDay: "time_of_day_hour"
    }
  }

  /// Reads a name exactly as written; nil for an unknown one.
  init?(text: some StringProtocol) {
    guard let found = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = found
  }
}

/// What every variable is at one snapshot.
///
/// An unknown value is held as NaN, so that arithmetic carries it along without asking.
package struct VariableValues: Sendable {
  /// The values by the variables' raw values.
  ///
  /// To be read through its span: indexing an inline array by a number that is not known beforehand copies
  /// all of it.
  private(set) var storage = InlineArray<10, Double>(repeating: .nan)

  /// Creates values that are all unknown.
  package init() {}

  /// The value of a variable, NaN where it is unknown; what is not finite is stored as unknown.
  package subscript(variable: Variable) -> Double {
    @inline(__always) get { storage[Int(variable.rawValue)] }
    @inline(__always) set { storage[Int(variable.rawValue)] = newValue.isFinite ? newValue : .nan }
  }
}
