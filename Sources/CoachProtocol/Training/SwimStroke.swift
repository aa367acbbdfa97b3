/// A stroke of a length, by its number on the wire.
public enum SwimStroke: Int64, Sendable, Equatable, CaseIterable {
  case freestyle, backstroke, breaststroke, butterfly, drill, mixed, medley
  /// The watch named none.
  case unknown

  /// The word of the column `strokeType`; nil if no stroke was named.
  public var text: String? { self == .unknown ? nil : Self.words[Int(rawValue)] }

  private static let words = ["freestyle", "backstroke", "breaststroke", "butterfly", "drill", "mixed", "medley"]
}
