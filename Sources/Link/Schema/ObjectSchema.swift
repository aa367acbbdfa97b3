/// The keys of an object that people write, in the order of its reference page.
///
/// It reads an object with positions, validates it, writes it back, and describes it for the reference page and the
/// JSON Schema. A key's ``Field`` has all information about it.
public struct ObjectSchema<Root: Sendable>: Sendable {
  /// Its name in a JSON Schema.
  public let name: String
  /// What it is, for the reference page.
  public let about: String
  /// The value with every default; required properties have any value.
  public let standard: Root
  /// The keys of every form.
  public let fields: [Field<Root>]
  /// The keys of each alternative form: an object has the first key of one of them.
  public let forms: [[Field<Root>]]
  /// Whether an object may have none of the forms.
  public let isFormOptional: Bool
  /// Checks rules between keys and completes the value; false after reporting an error.
  private let complete: @Sendable (inout Root, JSONObjectReader) -> Bool

  /// Describes an object.
  ///
  /// - Parameters:
  ///   - name: Its name in a JSON Schema.
  ///   - about: What it is, for the reference page.
  ///   - standard: The value with every default.
  ///   - fields: The keys of every form.
  ///   - forms: The keys of each alternative form; none if there is one form.
  ///   - isFormOptional: Whether an object may have none of the forms.
  ///   - complete: Runs after all keys were read without error; returns false after reporting an error.
  public init(
    _ name: String = "", _ about: String = "", _ standard: Root, _ fields: [Field<Root>] = [],
    forms: [[Field<Root>]] = [], isFormOptional: Bool = false,
    complete: @escaping @Sendable (inout Root, JSONObjectReader) -> Bool = { _, _ in true }
  ) {
    precondition(forms.allSatisfy { !$0.isEmpty }, "each form of \(name) has a key")
    self.name = name
    self.about = about
    self.standard = standard
    self.fields = fields
    self.forms = forms
    self.isFormOptional = isFormOptional
    self.complete = complete
  }

  /// Reads an object; nil after reporting an error.
  ///
  /// The caller reports unknown keys with `finish()`.
  public func read(_ reader: JSONObjectReader) -> Root? {
    var root = standard
    return read(reader, into: &root) ? root : nil
  }

  /// Reads an object and reports unknown keys; nil after reporting an error in a known one.
  public func readWhole(_ reader: JSONObjectReader) -> Root? {
    defer { reader.finish() }
    return read(reader)
  }

  /// Reads an object over a value, which keeps its properties where a key is absent or wrong.
  ///
  /// - Returns: False after reporting an error.
  public func read(_ reader: JSONObjectReader, into root: inout Root) -> Bool {
    var isGood = true
    for field in fields where !field.read(reader, into: &root) { isGood = false }
    if !forms.isEmpty {
      if let form = form(reader) {
        for field in form where !field.read(reader, into: &root) { isGood = false }
        if hasFormWords { return isGood && complete(&root, reader) }
      } else if hasFormWords {
        reader.allow(forms.flatMap { $0.map(\.name) })
        return isFormOptional && !reader.has(forms[0][0].name) && isGood && complete(&root, reader)
      } else if !isFormOptional || forms.contains(where: { reader.has($0[0].name) }) {
        isGood = false
      }
      if !hasOnlyKeysOfItsForm(reader) { isGood = false }
    }
    return isGood && complete(&root, reader)
  }

  /// Whether all forms have the same first key, and its word tells them apart.
  ///
  /// A key of another form is then unknown.
  private var hasFormWords: Bool { forms.count > 1 && forms.allSatisfy { $0[0].name == forms[0][0].name } }

  /// The form of an object; nil if it has none, after reporting that unless it may have none.
  private func form(_ reader: JSONObjectReader) -> [Field<Root>]? {
    if hasFormWords {
      let words = forms.compactMap { $0[0].word }
      let word = reader.value(forms[0][0].name, required: !isFormOptional)?.oneOf(words)
      return word.flatMap { words.firstIndex(of: $0) }.map { forms[$0] }
    }
    let keys = forms.map { $0[0].name }
    let present = forms.filter { reader.has($0[0].name) }
    if present.count > 1 {
      reader.error("\(present.map { $0[0].name }.joined(separator: " and ")) exclude one another")
      return nil
    }
    if present.isEmpty, !isFormOptional {
      // A misspelt key is reported as unknown, with the right one: one problem, one error.
      let known = (fields + forms.flatMap(\.self)).map(\.name)
      let isMisspelt = reader.members.contains { member in
        !known.contains(member.key) && Spelling.nearest(to: member.key, among: keys) != nil
      }
      if !isMisspelt {
        let list = JSONValueReader.list(keys)
        reader.error(keys.count == 1 ? "the key \(list) is missing" : "one of the keys \(list) is missing")
      }
    }
    return present.first
  }

  /// Reports a key of another form; false after that.
  private func hasOnlyKeysOfItsForm(_ reader: JSONObjectReader) -> Bool {
    let all = forms.flatMap { $0.map(\.name) }
    reader.allow(all)
    let present = forms.filter { reader.has($0[0].name) }
    guard present.count < 2 else { return true }
    let own = fields.map(\.name) + (present.first ?? []).map(\.name)
    guard let key = all.first(where: { reader.has($0) && !own.contains($0) }) else { return true }
    let needed = forms.filter { form in form.contains { $0.name == key } }.map { $0[0].name }
    reader.error("\(key) needs \(needed.joined(separator: " or "))")
    return false
  }

  /// Writes a value's keys in their order, so that reading them gives an equal value.
  public func members(of root: Root, _ style: JSONStyle = .plain) -> [JSONMember] {
    var members: [JSONMember] = []
    for field in fields {
      if let member = field.member(of: root, standard: standard, style) { members.append(member) }
    }
    for field in forms.joined() {
      if let member = field.member(of: root, standard: standard, style) { members.append(member) }
    }
    return members
  }

  /// The object as data.
  public var description: ObjectDescription {
    ObjectDescription(
      name: name, about: about, fields: fields.map { $0.description(standard: standard) },
      forms: forms.map { $0.map { $0.description(standard: standard) } }, isFormOptional: isFormOptional)
  }
}
