/// `{ agrees: event, field, with: truth, within }`: what is recorded of a run agrees with what its athlete really did.
public struct AgreesExpectation: Expectation {
  public static let key = "agrees"
  public static let keys = ["agrees", "field", "with", "within", "unit", "where"]
  public static let about =
    "At the end of the run, a field of matching events agrees with what really happened, which `with` names. Of"
    + " `truth.workout.…`, each workout that the athlete ended has an event of its own that agrees, and each event agrees"
    + " with a workout; of `truth.workouts` and `truth.acts.NAME` (how often users did the act), the last event of each"
    + " device agrees. `within` is a share of the truth (`\"1 %\"`) or a distance with its unit (`\"5 m\"`); without it both"
    + " are equal. `unit` is that of the field: lengths are in metres and times in seconds unless it says otherwise."

  private let pattern: EventPattern
  private let field: String
  private let path: TruthPath
  private let pathText: String
  private let tolerance: TruthTolerance
  /// The unit of the field.
  private let unit: Unit
  private var found: [Value] = []
  private var truths: [Value] = []
  private var actLines: [Int] = []
  private var acts: Int64 = 0
  private var isFull = false

  /// A unit, and how many of the trace's own it has.
  private struct Unit: Sendable {
    var name = ""
    var size = 1.0
  }

  /// A value, and where it is from.
  fileprivate struct Value: Sendable {
    /// In the trace's units; nil for a text, or where there is none.
    var number: Double?
    /// As the trace spells it.
    var text: String
    var time: VirtualTime
    var place: TraceEvent.Place
    var line: Int
  }

  /// The limit of events that are compared with workouts.
  private static let countMax = 10_000

  public init?(_ reader: JSONObjectReader) {
    let pattern = EventPattern(reader, key: Self.key)
    let field = reader.value("field", required: true).flatMap { EventPattern.field($0, of: pattern?.name) }
    let with = reader.value("with", required: true)
    let within = reader.value("within")
    let ownUnit = reader.value("unit")
    guard let pattern, let field, let with, let path = TruthPath(with) else { return nil }
    if let other = Self.otherKind(of: field, pattern.name, path.measure) {
      with.error("found \(path.measure.text), expected \(other), as \(field) of \(pattern.name.text) is")
      return nil
    }
    var tolerance: TruthTolerance? = .absolute(0)
    if let within { tolerance = TruthTolerance(within, of: path.measure) }
    var unit = path.measure.units.first.map { Unit(name: $0.name, size: $0.size) } ?? Unit()
    if let ownUnit {
      if path.measure.units.isEmpty {
        ownUnit.refuse(expected: "no \"unit\" beside \(path.measure.text)")
        return nil
      }
      guard let read = ownUnit.oneOf(path.measure.units.map { ($0.name, Unit(name: $0.name, size: $0.size)) }) else {
        return nil
      }
      unit = read
    }
    guard let tolerance else { return nil }
    (self.pattern, self.field, self.path, self.unit) = (pattern, field, path, unit)
    self.tolerance = tolerance
    pathText = with.node.text ?? ""
  }

  /// What a field of this package's events is, if it cannot be compared with the truth; nil if it can.
  private static func otherKind(of field: String, _ name: TraceEvent.Name, _ measure: TruthPath.Measure) -> String? {
    guard let known = EventCatalog.entry(name)?.fields.first(where: { $0.key == field }) else { return nil }
    switch known.shape {
    case .integer, .number: return measure == .text ? "a number" : nil
    case .text, .words, .identifier, .digest: return measure == .text ? nil : "a text"
    case .boolean: return "true or false, with which no truth agrees"
    case .json: return "an array or an object, with which no truth agrees"
    case .anything: return nil
    }
  }

  public var derivedScope: VerdictScope { .derived(.eventual, of: pattern.name) }

  public var interests: [TraceEvent.Name] { [pattern.name, path.event] }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    if event.name == path.event { observeTruth(event, line) }
    guard pattern.matches(event) else { return }
    let value = Value(event, field, unit.size, line)
    if case .workout = path {
      guard found.count < Self.countMax else { return isFull = true }
    } else {
      found.removeAll { $0.place == event.place }
    }
    found.append(value)
  }

  private mutating func observeTruth(_ event: TraceEvent, _ line: Int) {
    switch path {
    case .workout(let key):
      guard truths.count < Self.countMax else { return isFull = true }
      truths.append(Value(event, key, 1, line))
    case .workouts: note(line)
    case .acts(let name): if event["do"]?.text == name { note(line) }
    }
  }

  private mutating func note(_ line: Int) {
    acts += 1
    if actLines.count < ExpectationResult.linesMax { actLines.append(line) }
  }

  // MARK: Verdict

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    guard ending.isComplete else { return ExpectationResult(.unknown, why: "the trace is truncated") }
    if isFull { return ExpectationResult(.unknown, why: "more than \(Self.countMax) \(pattern.name.text)") }
    if let odd = found.first(where: { ($0.number == nil) != (path.measure == .text) }) {
      let kind = path.measure == .text ? "a text" : "a number"
      return ExpectationResult(.fail, why: "\(name(odd)), expected \(kind), as \(pathText) is one", lines: [odd.line])
    }
    switch path {
    case .workout: return compareWorkouts()
    case .workouts, .acts: return compareLast()
    }
  }

  private func compareWorkouts() -> ExpectationResult {
    let isBefore = { (one: Int, other: Int, values: [Value]) in
      (values[one].number ?? 0, values[one].text, one) < (values[other].number ?? 0, values[other].text, other)
    }
    var free = found.indices.sorted { isBefore($0, $1, found) }
    // The smallest value that agrees leaves the others for larger ones: with one share for all, no choice is better.
    for index in truths.indices.sorted(by: { isBefore($0, $1, truths) }) {
      if let match = free.firstIndex(where: { agrees(found[$0], truths[index]) }) {
        free.remove(at: match)
        continue
      }
      let truth = truths[index]
      var why = "workout \(index + 1) has \(described(truth)), and no \(pattern.name.text) of its own agrees"
      var lines = [truth.line]
      if let nearest = nearest(found, to: truth) {
        why += "; nearest: \(name(nearest))\(distance(nearest, truth))"
        lines.append(nearest.line)
      }
      return ExpectationResult(.fail, why: why, lines: lines)
    }
    for index in free.sorted() where !truths.contains(where: { agrees(found[index], $0) }) {
      let value = found[index]
      guard let truth = nearest(truths, to: value), let number = truths.firstIndex(where: { $0.line == truth.line })
      else {
        return ExpectationResult(
          .fail, why: "\(name(value)), and the athlete ended no workout", lines: [value.line])
      }
      let why =
        "\(name(value)) and agrees with no workout; nearest: workout \(number + 1) with"
        + " \(described(truth))\(distance(value, truth))"
      return ExpectationResult(.fail, why: why, lines: [truth.line, value.line])
    }
    return ExpectationResult(.pass, lines: truths.map(\.line))
  }

  private func compareLast() -> ExpectationResult {
    let truth = Value(number: Double(acts), text: String(acts), time: .start, place: .runner, line: 1)
    for value in found where !agrees(value, truth) {
      let why = "\(name(value)), and \(pathText) is \(acts)\(distance(value, truth))"
      return ExpectationResult(.fail, why: why, lines: Array((actLines + [value.line]).suffix(20)))
    }
    guard found.isEmpty, acts > 0 else { return ExpectationResult(.pass, lines: found.map(\.line)) }
    return ExpectationResult(
      .fail, why: "\(pathText) is \(acts), and there is no \(pattern.name.text)", lines: actLines)
  }

  private func agrees(_ value: Value, _ truth: Value) -> Bool {
    guard let found = value.number, let number = truth.number else { return value.text == truth.text }
    return abs(found - number) <= tolerance.slack(of: number)
  }

  /// The value that is least far from another; for texts the first one.
  private func nearest(_ values: [Value], to other: Value) -> Value? {
    values.min { abs(($0.number ?? 0) - (other.number ?? 0)) < abs(($1.number ?? 0) - (other.number ?? 0)) }
  }

  // MARK: Words

  /// An event with its value: `app.summary at 12m3s on the phone has distance 1893`.
  private func name(_ value: Value) -> String {
    "\(pattern.name.text) at \(value.time.durationText) on the \(value.place.text) has \(field) \(value.text)"
  }

  /// The true value, in the field's unit.
  private func described(_ truth: Value) -> String {
    guard let number = truth.number else { return truth.text }
    return Self.rounded(number / unit.size) + (unit.name.isEmpty ? "" : " \(unit.name)")
  }

  /// How far a value is from the truth, and how far it may be.
  private func distance(_ value: Value, _ truth: Value) -> String {
    guard let found = value.number, let number = truth.number, found != number else { return "" }
    switch tolerance {
    case .share(let share):
      guard number != 0 else { return "" }
      let off = abs(found - number) / number.magnitude * 100
      return " (\(Self.rounded(off)) % off, at most \(Self.rounded(share * 100)) % allowed)"
    case .absolute(let most):
      let off = Self.rounded(abs(found - number) / unit.size)
      let unit = unit.name.isEmpty ? "" : " \(unit.name)"
      return
        " (\(off)\(unit) off, \(most == 0 ? "none" : "at most \(Self.rounded(most / self.unit.size))\(unit)") allowed)"
    }
  }

  /// A number with at most three decimals.
  private static func rounded(_ number: Double) -> String {
    let thousandths = (number * 1_000).rounded()
    guard let whole = Int64(exactly: thousandths) else { return "\(number)" }
    return whole % 1_000 == 0 ? "\(whole / 1_000)" : "\(Double(whole) / 1_000)"
  }
}

extension AgreesExpectation.Value {
  /// The field of an event; `null` where it has none.
  fileprivate init(_ event: TraceEvent, _ field: String, _ size: Double, _ line: Int) {
    self.init(
      number: EventPattern.number(of: field, event).map { $0 * size }, text: EventPattern.text(of: field, event),
      time: event.time, place: event.place, line: line)
  }
}

/// Prints two lists of ids one below the other, with equal ids in the same column.
enum AlignedIds {
  /// The number of ids of each list that are compared; further ones are left out.
  static let countMax = 200
  /// The width of a line in characters.
  private static let columnsMax = 90

  /// The lists as pairs of lines; `-` marks what one of them lacks.
  static func lines(_ one: [String], _ other: [String], heads: (String, String)) -> [String] {
    let width = max(heads.0.count, heads.1.count)
    var lines: [String] = []
    var (first, second) = (padded(heads.0, width), padded(heads.1, width))
    for (a, b) in pairs(Array(one.prefix(countMax)), Array(other.prefix(countMax))) {
      let (left, right) = (a ?? "-", b ?? "-")
      let column = max(left.count, right.count)
      if first.count + column + 2 > columnsMax, first.count > width {
        lines += [first, second]
        (first, second) = (padded(heads.0, width), padded(heads.1, width))
      }
      first += "  " + padded(left, column)
      second += "  " + padded(right, column)
    }
    return (lines + [first, second]).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Pairs by the longest common subsequence; a replaced id shares its column.
  private static func pairs(_ one: [String], _ other: [String]) -> [(String?, String?)] {
    var common = [[Int]](repeating: [Int](repeating: 0, count: other.count + 1), count: one.count + 1)
    for i in one.indices.reversed() {
      for j in other.indices.reversed() {
        common[i][j] = one[i] == other[j] ? common[i + 1][j + 1] + 1 : max(common[i + 1][j], common[i][j + 1])
      }
    }
    var pairs: [(String?, String?)] = []
    var (i, j) = (0, 0)
    while i < one.count || j < other.count {
      if i < one.count, j < other.count, one[i] == other[j] {
        pairs.append((one[i], other[j]))
        (i, j) = (i + 1, j + 1)
      } else if i < one.count, j < other.count, common[i + 1][j + 1] == common[i][j] {
        pairs.append((one[i], other[j]))
        (i, j) = (i + 1, j + 1)
      } else if j == other.count || (i < one.count && common[i + 1][j] >= common[i][j + 1]) {
        pairs.append((one[i], nil))
        i += 1
      } else {
        pairs.append((nil, other[j]))
        j += 1
      }
    }
    return pairs
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
