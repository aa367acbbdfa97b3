/// Selects events by name and by the field values that `where` lists.
struct EventPattern: Sendable {
  let name: TraceEvent.Name
  /// The place that the event must come from; nil for any.
  private let place: TraceEvent.Place?
  private let conditions: [(key: String, value: JSONValue)]

  /// Reads the name under `key` and, beside it, `where`; nil after reporting what is wrong.
  init?(_ reader: JSONObjectReader, key: String) {
    guard let value = reader.value(key, required: true), let text = value.string() else {
      reader.allow(["where"])
      return nil
    }
    let name = TraceEvent.Name(text)
    let conditions = Self.conditions(reader, of: name)
    guard Self.isPossible(text) else {
      let hint =
        Spelling.nearest(to: text, among: TraceEvent.Name.known.map(\.text)).map { "; did you mean \"\($0)\"?" } ?? ""
      value.error("found \"\(text)\", expected the name of an event\(hint)")
      return nil
    }
    guard !Self.ofJudging.contains(text) else {
      value.error("found \"\(text)\", expected an event of the run: such a line is written when all was judged")
      return nil
    }
    guard name != AppLogged.name else {
      value.error("found \"\(text)\", expected a fact of the app: a line of its log is for people, and judges nothing")
      return nil
    }
    if name.keys == nil, !text.hasPrefix(AppFact.family) {
      value.collector.warning(
        "\(value.path): nothing of this package writes \(quoted(text)): it is matched only where a node of your own does",
        at: value.node.position)
    }
    self.name = name
    place = Self.impliedPlace(of: name, conditions)
    self.conditions = conditions
  }

  /// Events that an expectation can never see, because they are written after it is judged.
  private static let ofJudging = ["expectation", "violation"]
  /// Fields of `end` that are written after judging.
  private static let ofVerdict = ["verdict", "violations"]

  /// Reads `where` for events with a given name.
  init(name: TraceEvent.Name, _ reader: JSONObjectReader) {
    self.name = name
    conditions = Self.conditions(reader, of: name)
    place = Self.impliedPlace(of: name, conditions)
  }

  /// Selects events with a name and values.
  init(name: TraceEvent.Name, equal conditions: [(key: String, value: JSONValue)]) {
    self.name = name
    self.conditions = conditions
    place = Self.impliedPlace(of: name, conditions)
  }

  /// The place of events with a name: `link.up` and `link.down` mean the link between watch and phone, unless `where`
  /// has a `node`.
  private static func impliedPlace(
    of name: TraceEvent.Name, _ conditions: [(key: String, value: JSONValue)]
  ) -> TraceEvent.Place? {
    let isLink = name == LinkCameUp.name || name == LinkWentDown.name
    return isLink && !conditions.contains { $0.key == "node" } ? .link : nil
  }

  /// Whether an event matches.
  func matches(_ event: TraceEvent) -> Bool {
    guard isOfName(event) else { return false }
    return conditions.allSatisfy { Self.equal($0.value, to: event, key: $0.key) }
  }

  /// Whether an event has the name, and the place if one is required.
  func isOfName(_ event: TraceEvent) -> Bool { event.name == name && (place == nil || place == event.place) }

  /// The conditions that an event does not meet.
  func differences(_ event: TraceEvent) -> [(key: String, value: JSONValue)] {
    conditions.filter { !Self.equal($0.value, to: event, key: $0.key) }
  }

  /// Whether a text can name an event: lowercase letters, with at most one part after a point.
  ///
  /// Misspelt names of our own events are refused.
  /// Families whose events are all in the catalogue.
  static let closed = [
    "frame", "link", "fault", "node", "transfer", "message", "context", "snapshot", "run", "liveness", "script",
  ]

  private static func isPossible(_ text: String) -> Bool {
    if TraceEvent.Name.known.contains(where: { $0.text == text }) { return true }
    if text.hasPrefix(AppFact.family) { return AppFact.isName(String(text.dropFirst(AppFact.family.utf8.count))) }
    // Families that apps extend, and names that other tools add.
    let family = text.prefix { $0 != "." }
    guard !text.isEmpty, !closed.contains(String(family)) else { return false }
    return Spelling.nearest(to: text, among: TraceEvent.Name.known.map(\.text)) == nil
  }

  /// Reads `where`; refuses a key that no such event has, because nothing could match it.
  private static func conditions(
    _ reader: JSONObjectReader, of name: TraceEvent.Name
  ) -> [(key: String, value: JSONValue)] {
    guard let object = reader.object("where") else { return [] }
    for member in object.members {
      guard let why = refusal(of: member.key, of: name) ?? refusal(of: member.node.value, under: member.key, of: name)
      else { continue }
      object.collector.error("\(object.path): \(why)", at: member.position)
    }
    return object.members.map { ($0.key, $0.node.value) }
  }

  /// Why no event can match a key of `where`; nil if one can.
  ///
  /// Events of other programs can have any key.
  static func refusal(of key: String, of name: TraceEvent.Name) -> String? {
    guard let fields = name.keys else { return nil }
    let isEnd = name == TraceEnd.name
    if isEnd, ofVerdict.contains(key) {
      return "\(quoted(key)) is not known when expectations are judged, as it follows from them. A run fails, with exit"
        + " status 1, where an invariant or an expectation does; what else it is to tell, its --json does"
    }
    let keys = fields.filter { !isEnd || !ofVerdict.contains($0) } + ["node", "t"]
    if keys.contains(key) { return nil }
    let hint = Spelling.nearest(to: key, among: keys).map { "; did you mean \"\($0)\"?" } ?? ""
    return "\(name.text) has no \(quoted(key)), expected \(JSONValueReader.list(keys))\(hint)"
  }

  /// Why no event can match a value under a key that the events have; nil if one can.
  private static func refusal(of value: JSONValue, under key: String, of name: TraceEvent.Name) -> String? {
    guard let kind = EventCatalog.entry(name) else { return nil }
    let shape: EventFieldShape
    if let field = kind.fields.first(where: { $0.key == key }) {
      // An expected null also matches a field that is left out.
      if case .null = value, field.isOptional || field.isNullable { return nil }
      shape = field.shape
    } else if key == "node" {
      shape = .words(TraceEvent.Place.allCases.filter { kind.places.contains($0) }.map(\.text))
    } else {
      shape = .integer
    }
    return shape.refusal(of: value).map { "\(key): \($0)" }
  }

  static func equal(_ expected: JSONValue, to event: TraceEvent, key: String) -> Bool {
    if key == "node", event[key] == nil { return expected == .string(event.place.text) }
    if key == "t", event[key] == nil { return expected == .integer(event.time.nanoseconds) }
    guard let value = event[key] else { return expected == .null }
    switch (expected, value) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.integer(let a), .int(let b)): return a == b
    case (.integer(let a), .decimal): return Double(a) == value.double
    case (.number(let a), .int), (.number(let a), .decimal): return a == value.double
    case (.string(let a), _): return value.text == a
    case (.array, .json(let text)), (.object, .json(let text)):
      var bytes: [UInt8] = []
      JSONWriter.append(expected, to: &bytes)
      if text.utf8.elementsEqual(bytes) { return true }
      guard let node = try? JSONParser.parse(text, dialect: .json) else { return false }
      return equal(expected, node.value)
    default: return false
    }
  }

  /// Whether two values are equal, ignoring the order of an object's members; 1 equals 1.0.
  private static func equal(_ one: JSONValue, _ other: JSONValue) -> Bool {
    switch (one, other) {
    case (.object(let members), .object(let others)):
      return members.count == others.count
        && members.allSatisfy { member in
          others.contains { $0.key == member.key && equal(member.node.value, $0.node.value) }
        }
    case (.array(let elements), .array(let others)):
      return elements.count == others.count && zip(elements, others).allSatisfy { equal($0.value, $1.value) }
    case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): return Double(a) == b
    default: return one == other
    }
  }
}

extension VirtualTime {
  /// An instant of a run for messages, to the millisecond: `11m9s`, `1m31.252s`.
  var durationText: String {
    let milliseconds = max(0, nanoseconds +| 500_000) / 1_000_000
    let whole = milliseconds / 1000
    var decimals = String(milliseconds % 1000 + 1000)
    decimals.replaceSubrange(decimals.startIndex...decimals.startIndex, with: ".")
    while let last = decimals.last, last == "0" || last == "." { decimals.removeLast() }
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60)
    let end = seconds == 0 && decimals.isEmpty && whole > 0 ? "" : "\(seconds)\(decimals)s"
    return (hours > 0 ? "\(hours)h" : "") + (minutes > 0 ? "\(minutes)m" : "") + end
  }
}

extension EventFieldShape {
  /// Why no field of this shape can equal a scenario's value; nil if one can.
  func refusal(of value: JSONValue) -> String? {
    guard !admits(value) else { return nil }
    guard case .string(let text) = value else { return "found \(Self.name(of: value)), expected \(expected)" }
    var hint = ""
    if case .words(let words) = self, let nearest = Spelling.nearest(to: text, among: words) {
      hint = "; did you mean \"\(nearest)\"?"
    }
    return "found \(quoted(text)), expected \(expected)\(hint)"
  }

  private func admits(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.anything, _), (.integer, .integer), (.number, .integer), (.number, .number), (.boolean, .bool),
      (.text, .string), (.json, .array), (.json, .object):
      true
    case (.integer, .number(let number)): number.rounded() == number
    case (.words(let words), .string(let text)): words.contains(text)
    case (.identifier, .string(let text)): Identifier(text: text)?.text == text
    case (.digest, .string(let text)):
      [16, 64].contains(text.utf8.count)
        && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    default: false
    }
  }

  private var expected: String {
    switch self {
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "true or false"
    case .text: "a text"
    case .identifier: "a UUID in lower case"
    case .digest: "the 16 or 64 hexadecimal digits of a digest, in lower case"
    case .json: "an array or an object"
    case .anything: "a value"
    case .words(let words): JSONValueReader.list(words)
    }
  }

  private static func name(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let truth): truth ? "true" : "false"
    case .integer(let number): String(number)
    case .number(let number): "\(number)"
    case .string(let text): quoted(text)
    case .array: "an array"
    case .object: "an object"
    }
  }
}
