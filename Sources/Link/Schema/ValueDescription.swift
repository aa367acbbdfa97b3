/// What a JSON value may be, as data: the source of a reference page's words and of a JSON Schema.
public indirect enum ValueDescription: Sendable, Equatable {
  /// Any JSON value.
  case any
  /// `true` or `false`.
  case bool
  /// A string within a number of bytes in UTF-8.
  case string(bytes: ClosedRange<Int> = 0 ... .max)
  case integer(ClosedRange<Int64>)
  case number(ClosedRange<Double>, unit: String = "")
  /// A duration text, or a number of seconds.
  case duration(ClosedRange<VirtualTime.Span>)
  /// One of several words.
  case words([String])
  case array(of: ValueDescription, count: ClosedRange<Int>)
  case object(ObjectDescription)
  /// A value of one of several kinds.
  case either([ValueDescription])
  /// The name of an event: one of the catalogue's, or one of a family that other programs may extend.
  case event
  /// A value that has a name on the reference page.
  case named(String, ValueDescription)

  /// Type and bounds in words, for a reference page.
  public var range: String {
    switch self {
    case .any: "any value"
    case .event: "the name of an event"
    case .bool: "true or false"
    case .string(let bytes):
      bytes == 0 ... .max ? "string" : "string, " + Self.words(bytes, isOpen: bytes.upperBound == .max) + " bytes"
    case .integer(let range):
      range == .min ... .max ? "whole number" : Self.words(range, isOpen: range.upperBound >= Self.integerMany)
    case .number(let range, let unit):
      (unit.isEmpty ? "" : "\(unit), ") + Self.words(range, isOpen: range.upperBound == .infinity)
    case .duration(let range):
      if range == Self.anyDuration {
        "duration"
      } else if range.lowerBound == .zero {
        "duration, at most \(DurationText.text(range.upperBound))"
      } else {
        "duration, \(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
      }
    case .words(let words): words.joined(separator: ", ")
    case .array(.object, let count), .array(.any, let count), .array(.either, let count):
      count.upperBound == .max ? "array" : "array, at most \(count.upperBound)"
    case .array(let element, _): "array of \(element.range)"
    case .object(let object): object.fields.isEmpty && object.allowsOthers ? "object of any keys" : "object"
    case .either(let kinds): kinds.map(\.range).joined(separator: ", or ")
    case .named(let name, _): name
    }
  }

  /// Every duration from 0 on.
  public static let anyDuration = VirtualTime.Span.zero...VirtualTime.Span(nanoseconds: .max)
  /// Integer bounds from here on only guard against overflow, and are not shown to people.
  private static let integerMany: Int64 = 1 << 40

  /// The objects in this value, itself included if it is one.
  public var objects: [ObjectDescription] {
    switch self {
    case .object(let object): [object]
    case .array(let element, _), .named(_, let element): element.objects
    case .either(let kinds): kinds.flatMap(\.objects)
    case .any, .event, .bool, .string, .integer, .number, .duration, .words: []
    }
  }

  /// Whether it is an array.
  public var isArray: Bool {
    switch self {
    case .array: true
    case .named(_, let inner): inner.isArray
    default: false
    }
  }

  private static func words<Bound>(_ range: ClosedRange<Bound>, isOpen: Bool) -> String {
    func text(_ bound: Bound) -> String { (bound as? Double).map(JSONValueReader.text) ?? "\(bound)" }
    if isOpen { return "\(text(range.lowerBound)) and more" }
    if let least = range.lowerBound as? Int, least == 0 { return "at most \(text(range.upperBound))" }
    return "\(text(range.lowerBound)) to \(text(range.upperBound))"
  }
}

/// What a JSON object may hold, as data.
public struct ObjectDescription: Sendable, Equatable {
  /// Its name in a JSON Schema.
  public var name: String
  /// What it is, in a sentence or two.
  public var about: String
  /// The keys of every form.
  public var fields: [FieldDescription]
  /// The keys of each alternative form, of which an object has one; empty if there is one form only.
  public var forms: [[FieldDescription]]
  /// Whether an object without the first key of any form is allowed.
  public var isFormOptional: Bool
  /// Whether it may have any other keys.
  public var allowsOthers: Bool

  public init(
    name: String, about: String, fields: [FieldDescription], forms: [[FieldDescription]] = [],
    isFormOptional: Bool = false, allowsOthers: Bool = false
  ) {
    self.name = name
    self.about = about
    self.fields = fields
    self.forms = forms
    self.isFormOptional = isFormOptional
    self.allowsOthers = allowsOthers
  }

  /// Whether all forms share their first key, and its word tells them apart.
  public var hasFormWords: Bool { forms.count > 1 && forms.allSatisfy { $0.first?.name == forms[0].first?.name } }

  /// Every key once; the first key of each alternative form is marked as such.
  public var allFields: [FieldDescription] {
    var all = fields
    for form in forms {
      for (index, field) in form.enumerated() where !all.contains(where: { $0.name == field.name }) {
        all.append(field)
        if index == 0, forms.count > 1 { all[all.count - 1].standard = "one of these" }
      }
    }
    return all
  }
}

/// What one key of an object means, as data.
public struct FieldDescription: Sendable, Equatable {
  public var name: String
  public var value: ValueDescription
  /// What an absent key means, in words; nil for a required key.
  public var standard: String?
  /// What it means, in words.
  public var about: String

  public init(_ name: String, _ value: ValueDescription, standard: String?, _ about: String) {
    self.name = name
    self.value = value
    self.standard = standard
    self.about = about
  }

  /// Whether the key is required.
  public var isRequired: Bool { standard == nil }
}
