import Link
import LinkTestSupport

@testable import Console

/// Numbers at which arithmetic goes wrong, put into the fields of a trace.
enum BoundaryValues {
  /// What a line can hold: bounds of 32, 53 and 64 bits, and decimals as large and as small as they get.
  static let all: [TraceValue] =
    ([0, 1, -1, 1 << 31, -(1 << 31), 1 << 32, 1 << 53, -(1 << 53), .max, .max - 1, .min, .min + 1] as [Int64])
    .map { .int($0) } + [
      .decimal(mantissa: .max, scale: 1), .decimal(mantissa: -.max, scale: 1), .decimal(mantissa: 1, scale: 255),
    ]

  /// The same as JSON text, and what nested values can hold besides.
  static let texts =
    all.map { value in
      var text = ""
      value.append(to: &text)
      return text
    } + ["18446744073709551615", "1e300", "-1e300", "1e-300"]

  /// A JSON text with each of its numbers replaced; nil where it has none.
  static func replacingNumbers(in json: String, with text: String) -> String? {
    guard let node = try? JSONParser.parse(json, dialect: .json), hasNumber(node) else { return nil }
    return string(node, text)
  }

  private static func hasNumber(_ node: JSONNode) -> Bool {
    switch node.value {
    case .integer, .number: true
    case .array(let elements): elements.contains(where: hasNumber)
    case .object(let members): members.contains { hasNumber($0.node) }
    default: false
    }
  }

  private static func string(_ node: JSONNode, _ text: String) -> String {
    switch node.value {
    case .integer, .number: text
    case .array(let elements): "[" + elements.map { string($0, text) }.joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { member in
          var key = ""
          appendQuoted(member.key, to: &key)
          return key + ":" + string(member.node, text)
        }.joined(separator: ",") + "}"
    default: String(decoding: JSONWriter.compact(node), as: UTF8.self)
    }
  }
}

/// A short trace with every event of the catalogue, whose fields can be replaced.
struct BoundaryTrace {
  /// As written before anything is replaced.
  let header: TraceHeader
  let events: [TraceEvent]

  /// Lines kept of each name in each trace.
  private static let linesOfName = 2

  /// Takes lines of real traces, and makes one of each name that none of them has.
  init(_ traces: [RecordedTrace]) {
    header = traces[0].header
    var events: [TraceEvent] = []
    for trace in traces {
      var counts: [String: Int] = [:]
      for event in trace.events where event.name != TraceEnd.name {
        counts[event.name.text, default: 0] += 1
        if counts[event.name.text, default: 0] <= Self.linesOfName { events.append(event) }
      }
    }
    for name in TraceEvent.Name.known where !events.contains(where: { $0.name == name }) {
      for _ in 0..<2 { events.append(Self.example(name)) }
    }
    // In the order of time; what happens at one instant stays in its order.
    events = events.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    let last = events.last?.time ?? .start
    for index in events.indices where events[index].name == TraceEnd.name { events[index].time = last }
    self.events = events.filter { $0.name != TraceEnd.name } + events.filter { $0.name == TraceEnd.name }.prefix(1)
  }

  /// Takes lines as they are.
  init(header: TraceHeader, events: [TraceEvent]) {
    self.header = header
    self.events = events
  }

  /// A line of a name with all of its keys.
  private static func example(_ name: TraceEvent.Name) -> TraceEvent {
    let isOfRunner = TraceEvent.Place.allCases.first { name.writers.contains($0) && $0 == .runner }
    let place = isOfRunner ?? (name.writers.contains(.phone) ? .phone : .link)
    return TraceEvent(
      name, at: VirtualTime(nanoseconds: 20_000_000_000), on: place,
      (name.keys ?? []).map { TraceEvent.Field($0, value(of: $0)) })
  }

  private static func value(of key: String) -> TraceValue {
    switch key {
    case "transfer", "workoutId", "runId", "workout", "aarcRunId", "note", "healthKitWorkoutUUID":
      .uuid(high: 7, low: 8)
    case "digest": .hex(9)
    case "kind": .string("clockSkew")
    case "channel": .string("userInfo")
    case "to", "target": .string("phone")
    case "from": .string("watch")
    case "state": .string("running")
    case "cause", "why", "error", "reason", "by", "text", "message", "word", "source", "fault", "detail", "invariant":
      .string(key)
    case "lastFresh": .json(#"{"epoch":1,"seq":2,"t":3}"#)
    case "lastSplit": .json(#"{"kmIndex":1,"durationSeconds":300.5,"paceSecPerKm":300.5,"avgHeartRate":150}"#)
    case "params": .json(#"{"node":"phone","offset":1.5,"driftPPM":20,"probability":0.5,"every":3}"#)
    case "rows": .json(#"[{"id":"x","distance":1,"duration":2}]"#)
    case "lines": .json("[2,3]")
    case "outstanding", "violations": .json("[]")
    case "expectation": .json(#"{"never":"haptic"}"#)
    case "script": .json(#"{"messages":[{"id":"km","triggerSpec":{"type":"distance","everyMeters":1000}}]}"#)
    case "reachable", "passed", "speaks", "told", "wantsReply", "shouldResume": .bool(true)
    default: .int(1)
    }
  }

  /// The first line of each name, for readers that compute with the header.
  var firstOfEachName: [TraceEvent] {
    var seen: Set<TraceEvent.Name> = []
    return events.filter { seen.insert($0.name).inserted }
  }

  /// Every key that some line has.
  var keys: [String] { Set(events.flatMap { $0.fields.map(\.key) }).sorted() }

  /// Number of keys that a variant replaces at once.
  private static let keysOfVariant = 16

  /// All keys, in groups of which no line has two.
  ///
  /// A line with one extreme number is what a reader must survive, so keys that no line shares are replaced at once, which
  /// makes fewer variants. Larger groups would hide more of each other: a reader that ignores a line because of
  /// one number does not see the next.
  var groups: [[String]] {
    var groups: [[String]] = []
    let lines = events.map { Set($0.fields.map(\.key)) }
    for key in keys {
      let others = lines.filter { $0.contains(key) }.reduce(into: Set<String>()) { $0.formUnion($1) }
      if let index = groups.firstIndex(where: { $0.count < Self.keysOfVariant && others.isDisjoint(with: $0) }) {
        groups[index].append(key)
      } else {
        groups.append([key])
      }
    }
    return groups
  }

  /// The lines with every field of a group of keys replaced.
  ///
  /// - Parameter value: The n-th value; nil to keep the old one.
  private func replacing(_ group: [String], with value: (Int) -> Int?) -> [TraceEvent] {
    var count = 0
    return events.map { event in
      guard let place = event.fields.firstIndex(where: { group.contains($0.key) }) else { return event }
      defer { count += 1 }
      guard let index = value(count) else { return event }
      var fields = event.fields
      if case .json(let json) = fields[place].value,
        let replaced = BoundaryValues.replacingNumbers(
          in: json, with: BoundaryValues.texts[index % BoundaryValues.texts.count])
      {
        fields[place].value = .json(replaced)
      } else {
        fields[place].value = BoundaryValues.all[index % BoundaryValues.all.count]
      }
      return event.with(fields: fields)
    }
  }

  /// Every way in which the fields of a group are replaced: all by one value, and one value after the other from each on.
  func variants(of group: [String]) -> [[TraceEvent]] {
    let isNested = events.contains { event in
      group.contains { key in if case .json = event[key] { true } else { false } }
    }
    let all = (0..<(isNested ? BoundaryValues.texts.count : BoundaryValues.all.count)).map { index in
      replacing(group) { _ in index }
    }
    let turns = stride(from: 0, to: BoundaryValues.texts.count, by: 4).map { first in
      replacing(group) { count in count % 3 == 2 ? nil : first + count * 4 }
    }
    return all + turns
  }

  /// The same for the instants of the lines, which then may go back.
  var timeVariants: [[TraceEvent]] {
    let times: [Int64] = [0, 1, 1 << 31, 1 << 53, .max - 1, .max]
    return times.map { time in
      events.map { event in
        var event = event
        event.time = VirtualTime(nanoseconds: time)
        return event
      }
    }
      + times.map { time in
        events.enumerated().map { index, event in
          var event = event
          if index % 3 == 0 { event.time = VirtualTime(nanoseconds: time) }
          return event
        }
      }
      + times.map { time in
        events.enumerated().map { index, event in
          var event = event
          if index * 2 > events.count { event.time = VirtualTime(nanoseconds: max(time, event.time.nanoseconds)) }
          return event
        }
      }
  }

  /// Lines as the bytes of a file.
  static func bytes(_ header: TraceHeader, _ events: [TraceEvent]) -> [UInt8] {
    var bytes: [UInt8] = []
    header.append(to: &bytes)
    var writer = TraceWriter()
    for event in events { writer.append(event, to: &bytes) }
    return bytes
  }
}
