import Foundation

/// One kilometre of a run, as both devices know it.
public struct Split: Codable, Equatable, Sendable {
  public let run: String
  public let kilometre: Int
  public let seconds: Double

  public init(run: String, kilometre: Int, seconds: Double) {
    self.run = run
    self.kilometre = kilometre
    self.seconds = seconds
  }

  var userInfo: [String: Any] { ["type": "split", "run": run, "kilometre": kilometre, "seconds": seconds] }

  init?(userInfo: [String: Any]) {
    guard let run = userInfo["run"] as? String, let kilometre = userInfo["kilometre"] as? Int,
      let seconds = userInfo["seconds"] as? Double
    else { return nil }
    self.init(run: run, kilometre: kilometre, seconds: seconds)
  }
}
