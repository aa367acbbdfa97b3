/// Whether a key may be absent, and what that means.
public enum FieldPresence: Sendable {
  /// The key must be there.
  case required
  /// Without the key, the property keeps its default.
  case optional
  /// Without the key, the property keeps its default, described by these words.
  case otherwise(String)
}

/// In which styles a default is not written.
private enum FieldOmission: Sendable { case always, brief, never }

/// A key of an object that people write: how it is read, checked, written back and described.
///
/// ```swift
/// Field("mean", \.mean, .duration(max: .hours(24)), "mean delay of every copy", .required)
/// ```
public struct Field<Root: Sendable>: Sendable {
  /// The key.
  public let name: String
  /// What it means, for the reference page.
  public let about: String
  let value: ValueDescription
  private let presence: FieldPresence
  private let omission: FieldOmission
  /// Reads a value into the root; false after reporting an error.
  private let readValue: @Sendable (JSONValueReader, inout Root) -> Bool
  /// Writes the value; nil if the property is nil.
  private let writeValue: @Sendable (Root, JSONStyle) -> JSONValue?

  private init(
    _ name: String, _ value: ValueDescription, _ presence: FieldPresence, _ about: String,
    _ omission: FieldOmission = .brief,
    read: @escaping @Sendable (JSONValueReader, inout Root) -> Bool,
    write: @escaping @Sendable (Root, JSONStyle) -> JSONValue?
  ) {
    self.name = name
    self.about = about
    self.value = value
    self.presence = presence
    self.omission = omission
    readValue = read
    writeValue = write
  }

  /// Describes a key for a property.
  public init<Value: Sendable>(
    _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, _ schema: ValueSchema<Value>,
    _ about: String, _ presence: FieldPresence = .optional
  ) {
    self.init(
      name, schema.description, presence, about,
      read: { reader, root in
        guard let value = schema.read(reader) else { return false }
        root[keyPath: property] = value
        return true
      },
      write: { root, style in schema.write(root[keyPath: property], style) })
  }

  /// Describes a key for a property that is nil if the key is absent.
  public init<Value: Sendable>(
    _ name: String, _ property: any WritableKeyPath<Root, Value?> & Sendable, _ schema: ValueSchema<Value>,
    _ about: String, _ presence: FieldPresence = .optional
  ) {
    self.init(
      name, schema.description, presence, about,
      read: { reader, root in
        guard let value = schema.read(reader) else { return false }
        root[keyPath: property] = value
        return true
      },
      write: { root, style in root[keyPath: property].map { schema.write($0, style) } })
  }

  /// Describes a key whose value affects more than one property, or depends on keys before it.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - value: What it may be.
  ///   - about: What it means, for the reference page.
  ///   - presence: Whether it may be absent.
  ///   - read: Reads a value into the root; returns false after reporting an error.
  ///   - write: Writes the value, if any.
  public init(
    _ name: String, as value: ValueDescription, _ about: String, _ presence: FieldPresence = .optional,
    read: @escaping @Sendable (JSONValueReader, inout Root) -> Bool,
    write: @escaping @Sendable (Root, JSONStyle) -> JSONValue?
  ) {
    self.init(name, value, presence, about, read: read, write: write)
  }

  /// Describes a key whose object describes a part of the root, or several properties; it is not written while empty.
  public static func section<Part: Sendable>(
    _ name: String, _ part: any WritableKeyPath<Root, Part> & Sendable, _ schema: ObjectSchema<Part>, _ about: String,
    _ presence: FieldPresence
  ) -> Self {
    Self(
      name, .object(schema.description), presence, about,
      read: { reader, root in
        guard let object = reader.object() else { return false }
        defer { object.finish() }
        return schema.read(object, into: &root[keyPath: part])
      },
      write: { root, style in
        let members = schema.members(of: root[keyPath: part], style)
        return members.isEmpty ? nil : .object(members)
      })
  }

  /// Describes a key that is read for its type only.
  public static func ignored(_ name: String, _ about: String) -> Self {
    Self(
      name, .string(), .otherwise("none"), about, read: { reader, _ in reader.string() != nil }, write: { _, _ in nil })
  }

  /// Describes a key that has one value, which identifies a form of the object.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - word: Its only value.
  ///   - about: What the form means, for the reference page.
  ///   - isPresent: Whether an object has this form, and so the key.
  ///   - choose: Gives an object this form.
  public static func constant(
    _ name: String, _ word: String, _ about: String, in isPresent: @escaping @Sendable (Root) -> Bool = { _ in true },
    choose: @escaping @Sendable (inout Root) -> Void = { _ in }
  ) -> Self {
    Self(
      name, .words([word]), .required, about, .never,
      read: { reader, root in
        choose(&root)
        return reader.oneOf([word]) != nil
      },
      write: { root, _ in isPresent(root) ? .string(word) : nil })
  }

  /// The field, which is not written while its property has the default.
  public var omittedAtDefault: Self {
    Self(name, value, presence, about, .always, read: readValue, write: writeValue)
  }

  /// The field, which is written in every style, also with its default.
  public var alwaysWritten: Self {
    Self(name, value, presence, about, .never, read: readValue, write: writeValue)
  }

  /// The field as one of an outer value that has this one as a part, in the same JSON object.
  ///
  /// - Parameters:
  ///   - part: The property that holds the inner value; nil if none of its keys is present.
  ///   - standard: The part's default, which the first key that is read replaces.
  public func within<Outer: Sendable>(
    _ part: any WritableKeyPath<Outer, Root?> & Sendable, standard: Root
  ) -> Field<Outer> {
    let own = self
    let presence = own.description(standard: standard).standard.map { FieldPresence.otherwise($0) } ?? .required
    return Field<Outer>(
      name, value, presence, about, omission,
      read: { reader, outer in
        var root = outer[keyPath: part] ?? standard
        let isGood = own.readValue(reader, &root)
        outer[keyPath: part] = root
        return isGood
      },
      write: { outer, style in outer[keyPath: part].flatMap { own.writeValue($0, style) } })
  }

  /// Reads the key's value; false after reporting an error, true also if an optional key is absent.
  func read(_ reader: JSONObjectReader, into root: inout Root) -> Bool {
    guard let value = reader.value(name, required: isRequired) else { return !isRequired }
    return readValue(value, &root)
  }

  /// The only value of a constant; nil for another field.
  var word: String? { if case .words(let words) = value, words.count == 1 { words[0] } else { nil } }

  /// The key with its value; nil if it is not written.
  func member(of root: Root, standard: Root, _ style: JSONStyle) -> JSONMember? {
    guard let value = writeValue(root, style) else { return nil }
    let isOmitted =
      switch omission {
      case .always: true
      case .brief: style == .brief && !isRequired
      case .never: false
      }
    if isOmitted, value == writeValue(standard, style) { return nil }
    return JSONMember(name, value)
  }

  /// Describes the key; the default in words comes from `standard`.
  func description(standard: Root) -> FieldDescription {
    let words: String?
    switch presence {
    case .required: words = nil
    case .otherwise(let text): words = text
    case .optional: words = writeValue(standard, .readable).map(Self.words) ?? "none"
    }
    return FieldDescription(name, value, standard: words, about)
  }

  private var isRequired: Bool { if case .required = presence { true } else { false } }

  private static func words(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text.isEmpty ? "\"\"" : text
    case .array(let elements) where elements.isEmpty: "none"
    default: String(decoding: JSONWriter.compact(JSONNode(value)), as: UTF8.self)
    }
  }
}
