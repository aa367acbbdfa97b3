extension TraceHeader {
  /// ``startedAt`` in nanoseconds since 1970; nil unless it is a date in the years 1970 to 2200.
  public var unixStart: Int64? { Self.unixStart(startedAt) }

  /// An ISO 8601 date in nanoseconds since 1970; nil unless it is a date in the years 1970 to 2200.
  public static func unixStart(_ date: String) -> Int64? {
    var text = date.utf8[...]
    guard let year = Self.number(&text, digits: 4), (1970...2200).contains(year), Self.consume("-", &text),
      let month = Self.number(&text, digits: 2), (1...12).contains(month), Self.consume("-", &text),
      let day = Self.number(&text, digits: 2), (1...31).contains(day), Self.consume("T", &text),
      let hour = Self.number(&text, digits: 2), hour < 24, Self.consume(":", &text),
      let minute = Self.number(&text, digits: 2), minute < 60, Self.consume(":", &text),
      let second = Self.number(&text, digits: 2), second < 60
    else { return nil }
    var nanoseconds: Int64 = 0
    if Self.consume(".", &text) {
      var unit: Int64 = 100_000_000
      while let digit = text.first, digit >= 48, digit < 58 {
        nanoseconds += Int64(digit - 48) * unit
        unit /= 10
        text.removeFirst()
      }
    }
    var zone: Int64 = 0
    if !Self.consume("Z", &text) {
      let isWest = Self.consume("-", &text)
      guard isWest || Self.consume("+", &text), let hours = Self.number(&text, digits: 2), Self.consume(":", &text),
        let minutes = Self.number(&text, digits: 2)
      else { return nil }
      zone = (hours * 60 + minutes) * (isWest ? -60 : 60)
    }
    guard text.isEmpty else { return nil }
    let days = CalendarDay(year: year, month: month, day: day).number
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - zone
    return seconds * 1_000_000_000 + nanoseconds
  }

  /// The scenario's offset from UTC at an instant, in seconds.
  public func utcOffset(at time: VirtualTime) -> Int {
    (utcOffsets.last { $0.time <= time } ?? utcOffsets.first)?.seconds ?? 0
  }

  private static func consume(_ letter: Unicode.Scalar, _ text: inout Substring.UTF8View) -> Bool {
    guard text.first == UInt8(ascii: letter) else { return false }
    text.removeFirst()
    return true
  }

  private static func number(_ text: inout Substring.UTF8View, digits: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<digits {
      guard let digit = text.first, digit >= 48, digit < 58 else { return nil }
      number = number * 10 + Int64(digit - 48)
      text.removeFirst()
    }
    return number
  }
}
