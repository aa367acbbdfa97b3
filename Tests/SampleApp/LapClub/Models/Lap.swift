import Foundation

struct Lap: Codable, Identifiable, Equatable {
  var number: Int
  var id: Int { number }
}
