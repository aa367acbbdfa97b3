import Link

/// Why a line of the script is due, in plain words.
enum TriggerWords {
  /// - Parameters:
  ///   - spec: The line's `triggerSpec`; nil where the script is not known.
  ///   - type: The trigger's type.
  ///   - multiple: Which multiple it is about; nil for lines without.
  static func text(_ spec: JSONNode?, type: String, multiple: Int64?) -> String {
    switch type {
    case "distance":
      if let every = spec?.member("everyMeters")?.double {
        guard let multiple else { return "every \(metres(every))" }
        return "at \(metres(every * Double(multiple)))"
      }
      return spec?.member("atMeters")?.double.map { "at \(metres($0))" } ?? "at a distance"
    case "time":
      let seconds = spec?.member("atSeconds")?.double.map { StoryText.clock(seconds: Int64(min(max($0, 0), 1e9))) }
      return seconds.map { "\($0) into the run" } ?? "at a time"
    case "halfway": return "halfway"
    case "near_finish":
      return spec?.member("remainingMeters")?.double.map { "\(metres($0)) to go" } ?? "near the finish"
    case "condition", "fatigue_zone":
      return spec?.member("expression")?.text.map { "as \(TerminalText.escape($0))" } ?? "as its condition holds"
    case "ai_reply": return "the answer"
    default: return TerminalText.escape(type)
    }
  }

  /// Metres; whole kilometres as such.
  static func metres(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "-" }
    let whole = Int64(value.rounded())
    if whole >= 1000, whole % 1000 == 0 { return "\(whole / 1000) km" }
    return whole >= 1000 ? StoryText.kilometres(value) : "\(whole) m"
  }
}
