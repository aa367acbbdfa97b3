extension VirtualTime {
  /// The instant in the format for people: `10:04.375`, from an hour on `1:10:04.375`; a whole second has no fraction.
  ///
  /// Rounded down to a millisecond. Machines read nanoseconds, from JSON.
  public var text: String {
    let isNegative = nanoseconds < 0
    let milliseconds = nanoseconds.magnitude / 1_000_000
    let (seconds, fraction) = (milliseconds / 1_000, milliseconds % 1_000)
    func padded(_ number: UInt64, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    var text = hours > 0 ? "\(hours):\(padded(minutes, 2))" : "\(minutes)"
    text += ":\(padded(seconds % 60, 2))"
    if fraction > 0 { text += ".\(padded(fraction, 3))" }
    return isNegative ? "-\(text)" : text
  }
}

extension VirtualTime.Span {
  /// The length in the format for people, in seconds with up to three decimals: `100 s`, `9.982 s`.
  ///
  /// Rounded down to a millisecond, except that a length that is not zero never reads as zero: `under 0.001 s`.
  public var text: String {
    let milliseconds = nanoseconds.magnitude / 1_000_000
    if milliseconds == 0, nanoseconds != 0 { return "under 0.001 s" }
    var fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let sign = nanoseconds < 0 ? "-" : ""
    return "\(sign)\(milliseconds / 1_000)\(fraction.isEmpty ? "" : ".\(fraction)") s"
  }
}
