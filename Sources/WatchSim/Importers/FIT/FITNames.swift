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
    static let fieldDescription: UInt16 = 206
  }

  private static let fileTypes: [UInt64: String] = [
    1: "device", 2: "settings", 3: "sport settings", 4: "activity", 5: "workout plan", 6: "course", 7: "schedule",
    9: "weight", 10: "totals", 11: "goals", 14: "blood pressure", 15: "monitoring", 20: "activity summary",
    28: "monitoring", 32: "monitoring", 34: "segment",
  ]

  static func fileType(_ number: UInt64) -> String { fileTypes[number] ?? "type \(number)" }

  private static let sports: [UInt64: String] = [
    0: "generic", 1: "running", 2: "cycling", 3: "transition", 4: "fitness equipment", 5: "swimming", 10: "training",
    11: "walking", 12: "cross country skiing", 13: "alpine skiing", 14: "snowboarding", 15: "rowing",
    16: "mountaineering", 17: "hiking", 18: "multisport", 19: "paddling", 27: "horseback riding",
    37: "stand up paddleboarding",
  ]

  static func sport(_ number: UInt64) -> String { sports[number] ?? "sport \(number)" }

  private static let strokes: [UInt64: SwimStroke] = [
    0: .freestyle, 1: .backstroke, 2: .breaststroke, 3: .butterfly, 4: .drill, 5: .mixed, 6: .medley,
  ]

  /// Nil for a number that is no stroke.
  static func stroke(_ number: UInt64) -> SwimStroke? { strokes[number] }

  private static let manufacturers: [UInt64: String] = [
    1: "garmin", 23: "suunto", 32: "wahoo", 70: "sigma sport", 71: "tomtom", 95: "stryd", 123: "polar",
    255: "development", 260: "zwift", 265: "strava", 289: "hammerhead", 294: "coros",
  ]

  static func manufacturer(_ number: UInt64) -> String { manufacturers[number] ?? "manufacturer \(number)" }

  private static let lapTriggers: [UInt64: String] = [
    0: "manual", 1: "time", 2: "distance", 3: "position start", 4: "position lap", 5: "position waypoint",
    6: "position marked", 7: "session end", 8: "fitness equipment",
  ]

  static func lapTrigger(_ number: UInt64) -> String { lapTriggers[number] ?? "trigger \(number)" }
}
