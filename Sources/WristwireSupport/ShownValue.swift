import Foundation

/// What a screen shows, without what is another one in each run: instants, fresh ids, places in memory.
///
/// Checks that compare two runs take a fact's fields as they are. A screen that has what it should, but a second later,
/// is no difference.
enum ShownValue {
  private static let (instant, id, address) = ("an instant", "an id", "an address")
  /// The limit of nested collections; deeper ones are described.
  private static let depthMax = 8

  static func make(of value: Any?) -> Any? { make(of: value, depth: 0) }

  private static func make(of value: Any?, depth: Int) -> Any? {
    guard let value else { return nil }
    guard depth < depthMax else { return replaceInstants(in: String(describing: value)) }
    // First: a cast of a number object to Bool succeeds for each that is 0 or 1.
    if type(of: value) is NSNumber.Type { return value }
    switch value {
    case is Date, is ContinuousClock.Instant, is SuspendingClock.Instant, is DispatchTime: return instant
    case is UUID: return id
    case let value as String: return replaceInstants(in: value)
    case is Bool: return value
    case let value as any BinaryInteger: return isInstant(Double(value)) ? instant : value
    case let value as Double: return isInstant(value) ? instant : value
    case let value as Float: return value
    case let value as URL: return replaceInstants(in: value.absoluteString)
    case let value as [String: Any]: return value.mapValues { make(of: $0, depth: depth + 1) }
    case let value as [Any]: return value.map { make(of: $0, depth: depth + 1) }
    default: return makeOther(of: value, depth: depth)
    }
  }

  private static func makeOther(of value: Any, depth: Int) -> Any? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return make(of: mirror.children.first?.value, depth: depth)
    // Their order is one of each process.
    case .set, .dictionary: return mirror.children.map { replaceInstants(in: String(describing: $0.value)) }.sorted()
    default: return replaceInstants(in: String(describing: value))
    }
  }

  /// Whether a number is a time of these days: in seconds or milliseconds since 1970, or in seconds since 2001.
  private static func isInstant(_ number: Double) -> Bool {
    let (now, year) = (Date(), 366 * 86_400.0)
    return abs(number - now.timeIntervalSince1970) < year || abs(number / 1_000 - now.timeIntervalSince1970) < year
      || abs(number - now.timeIntervalSinceReferenceDate) < year
  }

  private static func replaceInstants(in text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var (place, isWord) = (0, false)
    while place < bytes.count {
      if !isWord, let (end, words) = match(bytes, at: place) {
        result += Array(words.utf8)
        place = end
      } else {
        result.append(bytes[place])
        place += 1
      }
      isWord = bytes[place - 1].isWord
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// What begins at a place that is not within a word: its end, and the words for it.
  private static func match(_ bytes: [UInt8], at place: Int) -> (Int, String)? {
    if let end = end(of: "Instant(_value: ", bytes, place),
      let close = bytes[end...].firstIndex(of: UInt8(ascii: ")"))
    {
      return (close + 1, instant)
    }
    guard bytes[place].isHex else { return nil }
    if let end = end(of: "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", bytes, place) { return (end, id) }
    if var end = end(of: "0xxxxxxx", bytes, place), bytes[place + 1] == UInt8(ascii: "x") {
      while end < bytes.count, bytes[end].isHex { end += 1 }
      return (end, address)
    }
    let date = end(of: "####-##-## ##:##:##", bytes, place) ?? end(of: "####-##-##T##:##:##", bytes, place)
    if var end = date {
      if let fraction = Self.end(of: ".#", bytes, end) {
        end = fraction
        while end < bytes.count, bytes[end].isDigit { end += 1 }
      }
      let zone = [" +####", "Z", "+##:##", "-##:##", "+####"].compactMap { Self.end(of: $0, bytes, end) }.first
      return (zone ?? end, instant)
    }
    return number(bytes, at: place)
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> (Int, String)? {
    var end = place
    while end < bytes.count, bytes[end].isDigit { end += 1 }
    guard [9, 10, 13].contains(end - place), let number = Double(String(decoding: bytes[place..<end], as: UTF8.self)),
      isInstant(number)
    else { return nil }
    if let fraction = Self.end(of: ".#", bytes, end) {
      end = fraction
      while end < bytes.count, bytes[end].isDigit { end += 1 }
    }
    return (end, instant)
  }

  /// The end of a form of which `x` is a hexadecimal digit, and `#` a decimal one; nil if another text is there.
  private static func end(of form: StaticString, _ bytes: [UInt8], _ place: Int) -> Int? {
    let count = form.utf8CodeUnitCount
    guard place + count <= bytes.count else { return nil }
    return form.withUTF8Buffer { form in
      for index in 0..<count {
        let byte = bytes[place + index]
        let isThere =
          switch form[index] {
          case UInt8(ascii: "#"): byte.isDigit
          case UInt8(ascii: "x"): byte.isHex || byte == UInt8(ascii: "x")
          case let other: byte == other
          }
        guard isThere else { return nil }
      }
      return place + count
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isHex: Bool { isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self) }
  fileprivate var isWord: Bool {
    isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F || self >= 0x80
  }
}

extension Simulation {
  /// Records what a screen shows now: a fact with its `value`, as ``record(_:_:)`` does.
  ///
  /// Dates, UUIDs and times as numbers are written as "an instant" and "an id", also those within other values: they differ
  /// between two runs whose screens show the same, which `sameAsIdeal` compares. Record a date itself with ``record(_:_:)``.
  public static func recordShown(_ name: String, _ value: @autoclosure () -> Any?) {
    record(name, ["value": ShownValue.make(of: value())])
  }
}
