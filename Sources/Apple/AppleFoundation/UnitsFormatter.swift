public import Foundation

/// Writes a length of time in its units, in English; Foundation has none on Linux.
///
/// `adopt` gives it to apps as `DateComponentsFormatter`. Each unit is cut, not rounded.
open class UnitsFormatter: Formatter, @unchecked Sendable {
  public enum UnitsStyle: Int, Sendable { case positional = 0, abbreviated, short, full, spellOut, brief }

  public struct ZeroFormattingBehavior: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Drops leading zeros of positions, and all zeros of names.
    public static let `default` = ZeroFormattingBehavior(rawValue: 1 << 0)
    public static let dropLeading = ZeroFormattingBehavior(rawValue: 1 << 1)
    public static let dropMiddle = ZeroFormattingBehavior(rawValue: 1 << 2)
    public static let dropTrailing = ZeroFormattingBehavior(rawValue: 1 << 3)
    public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
    public static let pad = ZeroFormattingBehavior(rawValue: 1 << 16)
  }

  open var unitsStyle = UnitsStyle.positional
  /// Empty for all that are there.
  open var allowedUnits: NSCalendar.Unit = []
  open var zeroFormattingBehavior = ZeroFormattingBehavior.default
  open var calendar: Calendar? = .current
  /// The most units that are written, the largest first; 0 for all.
  open var maximumUnitCount = 0
  open var includesApproximationPhrase = false
  open var includesTimeRemainingPhrase = false

  private struct Unit {
    let flag: NSCalendar.Unit
    let component: Calendar.Component
    /// As `abbreviated`, `brief`, `short` and `full` write it.
    let names: [String]
  }

  private static let units = [
    Unit(flag: .year, component: .year, names: ["y", "yr", "yr", "year"]),
    Unit(flag: .month, component: .month, names: ["mo", "mo", "mth", "month"]),
    Unit(flag: .weekOfMonth, component: .weekOfMonth, names: ["w", "wk", "wk", "week"]),
    Unit(flag: .day, component: .day, names: ["d", "day", "day", "day"]),
    Unit(flag: .hour, component: .hour, names: ["h", "hr", "hr", "hour"]),
    Unit(flag: .minute, component: .minute, names: ["m", "min", "min", "minute"]),
    Unit(flag: .second, component: .second, names: ["s", "sec", "sec", "second"]),
  ]

  /// - Parameter interval: Seconds.
  open func string(from interval: TimeInterval) -> String? {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    return string(from: start, to: start + interval)
  }

  open func string(from start: Date, to end: Date) -> String? {
    var calendar = calendar ?? .current
    calendar.timeZone = .gmt
    let asked = Set(allowed.map(\.component))
    return string(from: calendar.dateComponents(asked, from: start, to: end))
  }

  /// - Returns: nil without any of the allowed units.
  open func string(from components: DateComponents) -> String? {
    var parts = allowed.compactMap { unit in components.value(for: unit.component).map { (unit: unit, value: $0) } }
    guard !parts.isEmpty else { return nil }
    let isNegative = parts.contains { $0.value < 0 }
    let isPositional = unitsStyle == .positional
    var behavior = zeroFormattingBehavior
    if behavior.contains(.default) { behavior = isPositional ? .dropLeading : .dropAll }
    let last = parts.removeLast()
    if behavior.contains(.dropLeading) { parts = Array(parts.drop { $0.value == 0 }) }
    if behavior.contains(.dropMiddle) { parts = parts.enumerated().filter { $0 == 0 || $1.value != 0 }.map(\.element) }
    if parts.isEmpty || last.value != 0 || !behavior.contains(.dropTrailing) { parts.append(last) }
    if maximumUnitCount > 0 { parts = Array(parts.prefix(maximumUnitCount)) }
    let isPadded = behavior.contains(.pad)
    let texts = parts.enumerated().map { index, part in
      text(abs(part.value), part.unit, isPadded: isPadded || index > 0)
    }
    let separator = isPositional ? ":" : [.abbreviated, .brief].contains(unitsStyle) ? " " : ", "
    return (includesApproximationPhrase ? "About " : "") + (isNegative ? "-" : "") + texts.joined(separator: separator)
      + (includesTimeRemainingPhrase ? " remaining" : "")
  }

  open override func string(for obj: Any?) -> String? { (obj as? DateComponents).flatMap { string(from: $0) } }

  open class func localizedString(from components: DateComponents, unitsStyle: UnitsStyle) -> String? {
    let formatter = UnitsFormatter()
    formatter.unitsStyle = unitsStyle
    return formatter.string(from: components)
  }

  private var allowed: [Unit] {
    allowedUnits.isEmpty ? Self.units : Self.units.filter { allowedUnits.contains($0.flag) }
  }

  private func text(_ value: Int, _ unit: Unit, isPadded: Bool) -> String {
    func named(_ number: String, _ index: Int) -> String {
      let isPlural = value != 1 && (index == 3 || index > 0 && unit.flag == .day)
      return number + (index < 2 ? "" : " ") + unit.names[index] + (isPlural ? "s" : "")
    }
    switch unitsStyle {
    case .positional: return isPadded && value < 10 ? "0\(value)" : "\(value)"
    case .abbreviated: return named("\(value)", 0)
    case .brief: return named("\(value)", 1)
    case .short: return named("\(value)", 2)
    case .full: return named("\(value)", 3)
    case .spellOut:
      let speller = NumberFormatter()
      speller.numberStyle = .spellOut
      speller.locale = Locale(identifier: "en_US")
      return named(speller.string(from: NSNumber(value: value)) ?? "\(value)", 3)
    }
  }
}
