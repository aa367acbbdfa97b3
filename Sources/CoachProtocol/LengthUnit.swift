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
