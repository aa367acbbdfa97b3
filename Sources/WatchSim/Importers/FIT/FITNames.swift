import CoachProtocol

// Names for those numbers of FIT's profile that imports mention; unknown numbers stay numbers.

/// Names of FIT's numbers.
enum FITNames {
  /// Global message numbers.
  enum Message {
    static let fileID: UInt16 = 0
    static let session: UInt16 = 18
    static let lap: UInt16 = 19
    static let record: UInt16 = 20
    static let event: UInt16 = 21
    static let length: UInt16 = 101
    static let strapHeartRate: UInt16 = 132
  }

  static func fileType(_ number: UInt64) -> String {
    switch number {
    case 1: "device"
    case 2: "settings"
    case 3: "sport settings"
    case 4: "activity"
    case 5: "workout plan"
    case 6: "course"
    case 7: "schedule"
    case 9: "weight"
    case 10: "totals"
    case 11: "goals"
    case 14: "blood pressure"
    case 15, 28, 32: "monitoring"
    case 20: "activity summary"
    case 34: "segment"
    default: "type \(number)"
    }
  }

  static func sport(_ number: UInt64) -> String {
    switch number {
    case 0: "generic"
    case 1: "running"
    case 2: "cycling"
    case 3: "transition"
    case 4: "fitness equipment"
    case 5: "swimming"
    case 10: "training"
    case 11: "walking"
    case 12: "cross country skiing"
    case 13: "alpine skiing"
    case 14: "snowboarding"
    case 15: "rowing"
    case 16: "mountaineering"
    case 17: "hiking"
    case 18: "multisport"
    case 19: "paddling"
    case 27: "horseback riding"
    case 37: "stand up paddleboarding"
    default: "sport \(number)"
    }
  }

  /// Nil for a number that is no stroke.
  static func stroke(_ number: UInt64) -> SwimStroke? {
    switch number {
    case 0: .freestyle
    case 1: .backstroke
    case 2: .breaststroke
    case 3: .butterfly
    case 4: .drill
    case 5: .mixed
    case 6: .medley
    default: nil
    }
  }

  static func manufacturer(_ number: UInt64) -> String {
    switch number {
    case 1: "garmin"
    case 23: "suunto"
    case 32: "wahoo"
    case 70: "sigma sport"
    case 71: "tomtom"
    case 95: "stryd"
    case 123: "polar"
    case 255: "development"
    case 260: "zwift"
    case 265: "strava"
    case 289: "hammerhead"
    case 294: "coros"
    default: "manufacturer \(number)"
    }
  }

  static func lapTrigger(_ number: UInt64) -> String {
    switch number {
    case 0: "manual"
    case 1: "time"
    case 2: "distance"
    case 3: "position start"
    case 4: "position lap"
    case 5: "position waypoint"
    case 6: "position marked"
    case 7: "session end"
    case 8: "fitness equipment"
    default: "trigger \(number)"
    }
  }
}
