import Foundation

/// What the devices say to each other over the mirrored session.
enum RunMessage: Codable {
  /// The run begins, with its goal in metres.
  case goal(run: String, metres: Double)
  /// How the run is going.
  case live(run: String, heartRate: Double, metres: Double)

  var data: Data { (try? JSONEncoder().encode(self)) ?? Data() }

  init?(_ data: Data) {
    guard let message = try? JSONDecoder().decode(RunMessage.self, from: data) else { return nil }
    self = message
  }
}
