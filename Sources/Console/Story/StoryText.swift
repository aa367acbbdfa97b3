import CoachProtocol
package import Link

/// Formats times, lengths and numbers for a story.
package enum StoryText {
  /// An instant as `m:ss`, from an hour on `h:mm:ss`; fractions of a second are left out.
  package static func clock(_ time: VirtualTime) -> String { clock(seconds: time.nanoseconds / 1_000_000_000) }

  /// Whole seconds as `m:ss`, from an hour on `h:mm:ss`.
  package static func clock(seconds: Int64) -> String { MeasureText.clock(seconds: seconds) }

  /// A length: under two minutes in seconds with up to `places` decimals, `45 s`, `10.25 s`; else `m:ss min`,
  /// from an hour on `h:mm:ss h`.
  package static func length(_ span: VirtualTime.Span, places: Int = 3) -> String {
    guard span.nanoseconds >= 120_000_000_000 else { return "\(seconds(span, places: places)) s" }
    let whole = rounded(span.nanoseconds, to: 1_000_000_000)
    return "\(clock(seconds: whole)) \(whole >= 3600 ? "h" : "min")"
  }

  /// Seconds with up to `places` decimals (0...3), without trailing zeros.
  static func seconds(_ span: VirtualTime.Span, places: Int) -> String {
    var unit: Int64 = 1_000_000_000
    for _ in 0..<min(max(places, 0), 3) { unit /= 10 }
    return TraceValue.fixed(rounded(span.nanoseconds, to: unit), places: min(max(places, 0), 3)).jsonText
  }

  /// Seconds per kilometre as `m:ss`.
  package static func pace(_ secondsPerKilometre: Double) -> String {
    guard (0..<1e9).contains(secondsPerKilometre) else { return "-" }
    return clock(seconds: Int64(secondsPerKilometre.rounded()))
  }

  /// Metres as kilometres with two decimals: `5.00 km`.
  package static func kilometres(_ metres: Double) -> String { MeasureText.kilometres(metres) }

  /// A count with commas between thousands.
  package static func count(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return number < 0 ? "-" + text : text
  }

  /// A count with its noun: `1 line`, `2 lines`.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// Words in a row: `a`, `a and b`, `a, b and c`.
  package static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  /// `loss, delay or kill`.
  package static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// What a workout of a sport is called; a run, if it is no other discipline.
  package static func noun(ofSport sport: String?) -> String {
    switch sport {
    case "swimming": "swim"
    case "riding": "ride"
    case "shooting": "shooting session"
    default: "workout"
    }
  }

  /// What a stored training session is called.
  package static func session(ofDiscipline discipline: String) -> String {
    discipline == "running" ? "running session" : noun(ofSport: discipline)
  }

  /// A probability as a percentage with up to two decimals: `0.5 %`.
  package static func percent(_ probability: Double) -> String {
    TraceValue.number(min(max(probability, 0), 1) * 100, places: 2).jsonText + " %"
  }

  /// A text with each identifier cut to its first eight digits: enough to recognize it.
  package static func shortened(_ text: String) -> String {
    text.replacing(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/) { String($0.1) }
  }

  private static func rounded(_ value: Int64, to unit: Int64) -> Int64 {
    let half = value >= 0 ? unit / 2 : -unit / 2
    return value.addingReportingOverflow(half).overflow ? value / unit : (value + half) / unit
  }
}

/// Dates as ISO 8601 text.
package enum DateText {
  /// A moment in UTC, to the millisecond where it has any: `2026-04-12T06:30:00Z`.
  ///
  /// - Parameter seconds: Unix seconds.
  /// - Returns: Nil outside the years 1 to 9999.
  package static func utc(_ seconds: Double) -> String? {
    guard seconds.isFinite, (-62_135_596_800..<253_402_300_800).contains((seconds * 1_000).rounded() / 1_000) else {
      return nil
    }
    return CalendarDay.dateText(milliseconds: Int64((seconds * 1_000).rounded()))
  }
}
