/// The closed list of variables in a trigger's expression.
package enum Variable: UInt8, Sendable, CaseIterable {
  /// Metres.
  case distance
  /// Seconds of the run without pauses.
  case duration
  /// Seconds per kilometre over the last seconds.
  case currentPace
  /// Seconds per kilometre over the whole run.
  case averagePace
  /// Seconds per kilometre as planned.
  case targetPace
  /// Target pace divided by the pace of the trailing 180 s; above 1 is faster than planned.
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

/// The values of all variables at one snapshot.
///
/// Unknown values are NaN, so arithmetic propagates them without checks.
package struct VariableValues: Sendable {
  /// The values by the variables' raw values.
  ///
  /// Read it through its span: indexing an inline array with a dynamic index copies the array.
  private(set) var storage = InlineArray<10, Double>(repeating: .nan)

  package init() {}

  /// A variable's value, NaN if unknown; non-finite values are stored as unknown.
  package subscript(variable: Variable) -> Double {
    @inline(__always) get { storage[Int(variable.rawValue)] }
    @inline(__always) set { storage[Int(variable.rawValue)] = newValue.isFinite ? newValue : .nan }
  }
}
