/// `{ always: event, have, rises, unique, each, between, after, until, for }`: what the fields of every such event must
/// be, and where it may happen.
public struct AlwaysExpectation: Expectation {
  public static let key = "always"
  public static let keys = ["always", "have", "rises", "unique", "each", "between"] + EventScope.keys + ["where"]
  public static let about =
    "Every matching event has the fields of `have`: a value, or bounds as in `{ atLeast: 30, atMost: 220 }`. The number"
    + " under `rises` is above that of the matching event before it, and no two events have the same values of all the"
    + " fields in `unique`. `each` lists fields whose values `rises` tells apart: it compares events that are equal in"
    + " them. With `after`, `until` and `for` every such event lies in one of the stretches that they give `never`: after"
    + " an event that agrees in the fields of its `same`, for instance."

  /// The limit of remembered values; later events are not judged.
  static let valuesMax = 1_000_000

  private let pattern: EventPattern
  private let stretch: OptionalStretch
  private let conditions: [FieldCondition]
  private let rises: String?
  private let unique: [String]
  private let each: [String]
  private var scope: EventScope

  /// A number of a trace; whole ones are compared exactly, as a time of day in nanoseconds has more digits than a double.
  struct Number: Sendable {
    var integer: Int64?
    var double: Double

    static func <= (one: Self, other: Self) -> Bool {
      guard let a = one.integer, let b = other.integer else { return one.double <= other.double }
      return a <= b
    }
  }

  // Used for lookup only, never iterated.
  private var last: [String: (value: Number, line: Int)] = [:]
  private var known: [String: Int] = [:]
  private var failure: (why: String, lines: [Int])?
  private var lines: [Int] = []
  private var isFull = false

  public init?(_ reader: JSONObjectReader) {
    let stretch = OptionalStretch(reader)
    let pattern = EventPattern(reader, key: Self.key)
    let name = pattern?.name
    let conditions = FieldCondition.read(reader, "have", of: name)
    let rises = reader.value("rises").flatMap { EventPattern.field($0, of: name) }
    let unique = EventPattern.fields(reader, "unique", of: name)
    let each = EventPattern.fields(reader, "each", of: name)
    let scope = EventScope(reader, of: name)
    guard let pattern, let stretch, let conditions, let unique, let each, let scope else { return nil }
    if conditions.isEmpty, !reader.has("rises"), unique.isEmpty, !scope.isGiven {
      reader.error("one of the keys \"have\", \"rises\", \"unique\", \"after\" and \"until\" is missing")
      return nil
    }
    if !each.isEmpty, !reader.has("rises") {
      reader.value("each")?.error("each needs rises")
      return nil
    }
    if reader.has("rises"), rises == nil { return nil }
    self.pattern = pattern
    self.stretch = stretch
    self.conditions = conditions
    self.rises = rises
    self.unique = unique
    self.each = each
    self.scope = scope
  }

  public var derivedScope: VerdictScope {
    stretch.isGiven || scope.hasLength ? .timed : .derived(.safety, of: pattern.name)
  }

  public var interests: [TraceEvent.Name] { [pattern.name] + scope.interests }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    guard failure == nil else { return }
    scope.close(event)
    if stretch.contains(event.time), pattern.matches(event) { judge(event, line: line) }
    scope.open(event, line: line)
  }

  private mutating func judge(_ event: TraceEvent, line: Int) {
    if lines.count < ExpectationResult.linesMax { lines.append(line) }
    if scope.beginning(of: event) == nil {
      failure = ("\(pattern.name.text) at \(event.time.durationText), \(scope.missing)", [line])
    } else if let condition = conditions.first(where: { !$0.holds(event) }) {
      fail(
        "\(condition.key) \(EventPattern.text(of: condition.key, event)), expected \(condition.expected)", event, [line]
      )
    } else if !hasRisen(event, line) || !isUnique(event, line) {
      return
    }
  }

  /// Whether the number is above the last one; records a failure if not.
  private mutating func hasRisen(_ event: TraceEvent, _ line: Int) -> Bool {
    guard let rises else { return true }
    let found = EventPattern.text(of: rises, event)
    guard let double = EventPattern.number(of: rises, event) else {
      fail("\(rises) \(found), expected a number", event, [line])
      return false
    }
    let value = Number(integer: event[rises]?.integer, double: double)
    let group = EventPattern.text(of: each, event)
    if let before = last[group], value <= before.value {
      fail("\(rises) \(found), expected more than on line \(before.line)", event, [before.line, line])
      return false
    }
    guard hasRoom(last.count, last[group] == nil) else { return true }
    last[group] = (value, line)
    return true
  }

  /// Whether no earlier event had these values; records a failure if one had.
  private mutating func isUnique(_ event: TraceEvent, _ line: Int) -> Bool {
    guard !unique.isEmpty else { return true }
    let values = EventPattern.text(of: unique, event)
    if let before = known[values] {
      fail("\(values) again, expected once; first on line \(before)", event, [before, line])
      return false
    }
    guard hasRoom(known.count, true) else { return true }
    known[values] = line
    return true
  }

  private mutating func hasRoom(_ count: Int, _ isNew: Bool) -> Bool {
    if isNew, count >= Self.valuesMax { isFull = true }
    return !isFull
  }

  private mutating func fail(_ why: String, _ event: TraceEvent, _ lines: [Int]) {
    failure = ("\(pattern.name.text) at \(event.time.durationText) with \(why)", lines)
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    if let failure { return ExpectationResult(.fail, why: failure.why, lines: failure.lines) }
    if isFull || scope.isFull {
      return ExpectationResult(.unknown, why: "more than \(Self.valuesMax) different \(pattern.name.text)")
    }
    guard stretch.isComplete(ending) else {
      return ExpectationResult(.unknown, why: "no other \(pattern.name.text) so far (the trace is truncated)")
    }
    return ExpectationResult(.pass, lines: lines)
  }
}

/// What one field of an event must be: equal to a value, or a number within bounds.
struct FieldCondition: Sendable {
  let key: String
  private let value: JSONValue?
  private let bounds: ClosedRange<Double>

  /// Reads conditions by field; empty without the key, nil after reporting an error.
  static func read(_ reader: JSONObjectReader, _ key: String, of name: TraceEvent.Name?) -> [Self]? {
    guard reader.has(key) else { return [] }
    guard let object = reader.object(key) else { return nil }
    var conditions: [Self] = []
    var isGood = true
    for member in object.members {
      guard let value = object.value(member.key), EventPattern.isField(member.key, of: name, at: value) else {
        isGood = false
        continue
      }
      guard let condition = Self(member.key, value) else {
        isGood = false
        continue
      }
      conditions.append(condition)
    }
    return isGood ? conditions : nil
  }

  private init?(_ key: String, _ value: JSONValueReader) {
    self.key = key
    guard case .object(let members) = value.node.value,
      members.contains(where: { ["atLeast", "atMost"].contains($0.key) })
    else {
      self.value = value.node.value
      bounds = -.infinity ... .infinity
      return
    }
    guard let reader = value.object() else { return nil }
    let low = reader.number("atLeast", in: -.infinity ... .infinity) ?? -.infinity
    let high = reader.number("atMost", in: -.infinity ... .infinity) ?? .infinity
    reader.finish()
    guard low <= high else {
      value.error("\"atLeast\" is more than \"atMost\"")
      return nil
    }
    self.value = nil
    bounds = low...high
  }

  func holds(_ event: TraceEvent) -> Bool {
    if let value { return EventPattern.equal(value, to: event, key: key) }
    return EventPattern.number(of: key, event).map(bounds.contains) ?? false
  }

  /// What is expected, in words.
  var expected: String {
    if let value { return String(decoding: JSONWriter.compact(JSONNode(value)), as: UTF8.self) }
    let low = bounds.lowerBound > -.infinity ? "at least \(JSONValueReader.text(bounds.lowerBound))" : nil
    let high = bounds.upperBound < .infinity ? "at most \(JSONValueReader.text(bounds.upperBound))" : nil
    return [low, high].compactMap(\.self).joined(separator: " and ")
  }
}

extension EventPattern {
  /// Reads the names of fields; empty without the key, nil after reporting an error.
  static func fields(_ reader: JSONObjectReader, _ key: String, of name: TraceEvent.Name?) -> [String]? {
    guard reader.has(key) else { return [] }
    guard let elements = reader.array(key, countMax: 16) else { return nil }
    if elements.isEmpty { reader.value(key)?.error("found no field, expected at least one") }
    let fields = elements.compactMap { field($0, of: name) }
    return fields.isEmpty || fields.count < elements.count ? nil : fields
  }

  /// Reads the name of a field of such events; nil after reporting an error.
  static func field(_ value: JSONValueReader, of name: TraceEvent.Name?) -> String? {
    guard let field = value.string(), isField(field, of: name, at: value) else { return nil }
    return field
  }

  /// Whether such events can have a field; reports an error if not.
  static func isField(_ field: String, of name: TraceEvent.Name?, at value: JSONValueReader) -> Bool {
    guard let name, let why = refusal(of: field, of: name) else { return true }
    value.error(why)
    return false
  }

  /// A field as a number, `t` in nanoseconds; nil if it is none.
  static func number(of key: String, _ event: TraceEvent) -> Double? {
    if key == "t", event[key] == nil { return Double(event.time.nanoseconds) }
    return event[key]?.double
  }

  /// A field as the trace spells it; `null` if it is absent.
  static func text(of key: String, _ event: TraceEvent) -> String {
    var text = ""
    if let field = event[key] {
      field.append(to: &text)
    } else if key == "node" {
      text = "\"\(event.place.text)\""
    } else if key == "t" {
      text = "\(event.time.nanoseconds)"
    } else {
      text = "null"
    }
    return text
  }

  /// Several fields, each with its name.
  static func text(of keys: [String], _ event: TraceEvent) -> String {
    keys.map { "\($0) \(text(of: $0, event))" }.joined(separator: ", ")
  }
}
