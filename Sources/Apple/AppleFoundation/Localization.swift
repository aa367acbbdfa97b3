public import Foundation

extension String {
  /// A text to be looked up in a table of translations, with values for its places.
  public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
    /// What it is looked up by: `%lld km`.
    let key: String
    /// The text of each value.
    let values: [String]
    /// The text without a translation.
    let plain: String

    public init(_ value: String) { (key, values, plain) = (value, [], value) }
    public init(stringLiteral value: String) { self.init(value) }
    public init(stringInterpolation: StringInterpolation) {
      (key, values, plain) = (stringInterpolation.key, stringInterpolation.values, stringInterpolation.plain)
    }

    public struct StringInterpolation: StringInterpolationProtocol {
      var key = ""
      var values: [String] = []
      var plain = ""

      public init(literalCapacity: Int, interpolationCount: Int) {}

      public mutating func appendLiteral(_ literal: String) {
        key += literal.replacingOccurrences(of: "%", with: "%%")
        plain += literal
      }

      private mutating func append(_ place: String, _ text: String) {
        key += place
        values.append(text)
        plain += text
      }

      public mutating func appendInterpolation(_ string: String) { append("%@", string) }
      public mutating func appendInterpolation<Number: FixedWidthInteger>(_ number: Number) {
        append("%lld", "\(number)")
      }
      public mutating func appendInterpolation(_ number: Double) { append("%lf", String(format: "%f", number)) }
      public mutating func appendInterpolation(_ number: Double, specifier: String) {
        append(specifier, String(format: specifier, number))
      }
      @_disfavoredOverload
      public mutating func appendInterpolation<Value>(_ value: Value) { append("%@", "\(value)") }
    }

    /// The translation with the values in its places, in their order or as numbered: `%2$@`.
    func text(table: String?, bundle: Bundle?) -> String {
      let missing = "\u{1}"
      let format = (bundle ?? .main).localizedString(forKey: key, value: missing, table: table)
      guard format != missing, format != key else { return plain }
      return Self.fill(format, with: values)
    }

    private static func fill(_ format: String, with values: [String]) -> String {
      var result = ""
      var next = 0
      var rest = Substring(format)
      while let percent = rest.firstIndex(of: "%") {
        result += rest[..<percent]
        let place = rest[rest.index(after: percent)...].prefix { !$0.isLetter && $0 != "@" && $0 != "%" }
        let digits = place.prefix(while: \.isNumber)
        var index = next
        if place.dropFirst(digits.count).first == "$", let number = Int(digits) {
          index = number - 1
        } else {
          next += 1
        }
        rest = rest[place.endIndex...]
        if rest.first == "%" {
          (result, next) = (result + "%", next - 1)
          rest = rest.dropFirst()
        } else {
          if values.indices.contains(index) { result += values[index] }
          rest = rest.drop { $0 == "l" || $0 == "h" || $0 == "z" }.dropFirst()
        }
      }
      return result + rest
    }
  }

  /// Looks a text up; without a translation it is its own.
  public init(
    localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current,
    comment: StaticString? = nil
  ) {
    self = keyAndValue.text(table: table, bundle: bundle)
  }

  /// Looks a text up under a key; without a translation it is the default.
  public init(
    localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    let text = (bundle ?? .main).localizedString(forKey: key.description, value: "\u{1}", table: table)
    self = text == "\u{1}" || text == key.description ? defaultValue.plain : text
  }

  public init(localized resource: LocalizedStringResource) {
    self.init(localized: resource.value, table: resource.table)
  }
}

/// A text to be looked up later.
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Equatable, Sendable {
  let value: String.LocalizationValue
  public let table: String?

  public var key: String { value.key }

  public init(_ keyAndValue: String.LocalizationValue, table: String? = nil, comment: StaticString? = nil) {
    (value, self.table) = (keyAndValue, table)
  }

  public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }
  public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
    self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
  }
}
