/// A stroke of a length, by its number on the wire.
public enum SwimStroke: Int64, Sendable, Equatable, CaseIterable {
  case freestyle, backstroke, breaststroke, butterfly, drill, mixed, medley
  /// The watch named none.
  case unknown

  /// The word of the column `strokeType`; nil if no stroke was named.
  public var text: String? {
    switch self {
    case .freestyle: "freestyle"
    case .backstroke: "backstroke"
    case .breaststroke: "breaststroke"
    case .butterfly: "butterfly"
    case .drill: "drill"
    case .mixed: "mixed"
    case .medley: "medley"
    case .unknown: nil
    }
  }
}
