import Foundation

/// Nothing that the session needs.
struct Shoe: Codable {
  var kilometres = 0.0
}
