/// The first line of a trace: everything that a re-run or an external checker needs.
///
/// The link's own fields are typed. Those of the app and the runner are JSON, whose members keep their order.
public struct TraceHeader: Sendable {
  /// The scenario's name.
  public var scenario: String
  /// The run's seed.
  public var seed: UInt64
  /// The date at the run's start, in ISO 8601 with a zone: `2026-04-12T06:30:00Z`.
  public var startedAt: String
  /// The name of the scenario's time zone: `Europe/Berlin`.
  public var timeZone: String
  /// The zone's offsets from UTC, in order of time; empty for UTC.
  public var utcOffsets: [UTCOffset]
  /// The latest end of the run.
  public var duration: VirtualTime.Span
  /// The planned run: an object, perhaps empty.
  public var plan = JSONNode(.object([]))
  /// The coaching script of the scenario; null if there is none.
  public var script = JSONNode(.null)
  /// The text of the script that the phone will load; nil if the runner does not know it.
  ///
  /// It lets a checker parse the script once for many runs. It is not written, and nothing else depends on it.
  public var expectedScript: String?
  /// The user's memory: an object, perhaps empty.
  public var memory = JSONNode(.object([]))
  /// The watch-phone link in numbers.
  public var link = JSONNode(.object([]))
  /// The phone-edge link in numbers.
  public var uplink = JSONNode(.object([]))
  /// The whole fault plan, drawn faults included: an array.
  public var faults = JSONNode(.array([]))
  /// The release that wrote the trace.
  public var build = ""
  /// Everything else, in the order in which it follows `build`.
  public var extras: [JSONMember] = []

  /// An offset of a zone from UTC, and the time from which it holds.
  public struct UTCOffset: Sendable, Equatable {
    /// The time from which it holds; the first one also holds earlier.
    public var time: VirtualTime
    /// Seconds east of Greenwich.
    public var seconds: Int

    /// Creates a step.
    public init(from time: VirtualTime, seconds: Int) {
      self.time = time
      self.seconds = seconds
    }
  }

  /// Creates a header; all other fields are empty.
  public init(
    scenario: String, seed: UInt64, startedAt: String = "1970-01-01T00:00:00Z", timeZone: String = "UTC",
    utcOffsets: [UTCOffset] = [], duration: VirtualTime.Span
  ) {
    self.scenario = scenario
    self.seed = seed
    self.startedAt = startedAt
    self.timeZone = timeZone
    self.utcOffsets = utcOffsets
    self.duration = duration
  }

  /// The `trace` of every header.
  public static let format = "wristwire"
  /// The version of the format.
  public static let version: Int64 = 1

  /// Appends the line, with its line feed.
  public func append(to bytes: inout [UInt8]) {
    let offsets = utcOffsets.map { offset in
      JSONNode(.array([JSONNode(.integer(offset.time.nanoseconds)), JSONNode(.integer(Int64(offset.seconds)))]))
    }
    var members = [
      JSONMember("trace", .string(Self.format)), JSONMember("version", .integer(Self.version)),
      JSONMember("scenario", .string(scenario)), JSONMember("seed", .string(String(seed))),
      JSONMember("startedAt", .string(startedAt)), JSONMember("timeZone", .string(timeZone)),
      JSONMember("utcOffsets", .array(offsets)), JSONMember("duration", .integer(duration.nanoseconds)),
      JSONMember("plan", plan.value), JSONMember("script", script.value), JSONMember("memory", memory.value),
      JSONMember("link", link.value), JSONMember("uplink", uplink.value), JSONMember("faults", faults.value),
      JSONMember("build", .string(build)),
    ]
    members += extras
    JSONWriter.append(.object(members), to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension TraceHeader {
  /// Reads a first line.
  ///
  /// `plan`, `script`, `memory`, `link`, `uplink`, `faults` and `build` may be missing: another program's trace is
  /// judged as far as possible.
  ///
  /// - Throws: The first error: its position, what was found, and what was expected.
  public init(line bytes: [UInt8]) throws(JSONError) {
    let node = try JSONParser.parse(bytes, dialect: .json)
    guard case .object(let members) = node.value else {
      throw JSONError(
        at: node.position, found: node.value.kindAndText, expected: "a trace's header: {\"trace\":\"wristwire\",...}")
    }
    let reader = Reader(members: members, position: node.position)
    guard case .string(Self.format) = try reader.required("trace").value else {
      throw try reader.refusal("trace", expected: "\"\(Self.format)\"")
    }
    guard case .integer(Self.version) = try reader.required("version").value else {
      throw try reader.refusal("version", expected: "version \(Self.version)")
    }
    guard let seed = UInt64(try reader.string("seed")) else {
      throw try reader.refusal("seed", expected: "a whole number below 2^64 as a string")
    }
    guard case .integer(let duration) = try reader.required("duration").value, duration >= 0 else {
      throw try reader.refusal("duration", expected: "nanoseconds, a whole number of at least 0")
    }
    self.init(
      scenario: try reader.string("scenario"), seed: seed, startedAt: try reader.string("startedAt"),
      timeZone: try reader.string("timeZone"), utcOffsets: try reader.offsets(),
      duration: VirtualTime.Span(nanoseconds: duration))
    plan = reader.optional("plan") ?? plan
    script = reader.optional("script") ?? script
    memory = reader.optional("memory") ?? memory
    link = reader.optional("link") ?? link
    uplink = reader.optional("uplink") ?? uplink
    faults = reader.optional("faults") ?? faults
    if reader.optional("build") != nil { build = try reader.string("build") }
    extras = members.filter { !Self.keys.contains($0.key) }
    guard unixStart != nil else {
      throw try reader.refusal("startedAt", expected: "a date such as \"2026-04-12T06:30:00Z\"")
    }
  }

  private static let keys = [
    "trace", "version", "scenario", "seed", "startedAt", "timeZone", "utcOffsets", "duration", "plan", "script",
    "memory", "link", "uplink", "faults", "build",
  ]

  /// Reads the members of a header, and reports errors.
  private struct Reader {
    let members: [JSONMember]
    let position: TextPosition

    func optional(_ key: String) -> JSONNode? { members.first { $0.key == key }?.node }

    func required(_ key: String) throws(JSONError) -> JSONNode {
      guard let node = optional(key) else {
        throw JSONError(at: position, found: "a header without \"\(key)\"", expected: "a header with it")
      }
      return node
    }

    func refusal(_ key: String, expected: String) throws(JSONError) -> JSONError {
      let node = try required(key)
      return JSONError(at: node.position, found: node.value.kindAndText, expected: expected)
    }

    func string(_ key: String) throws(JSONError) -> String {
      guard case .string(let text) = try required(key).value else { throw try refusal(key, expected: "a string") }
      return text
    }

    func offsets() throws(JSONError) -> [UTCOffset] {
      guard case .array(let pairs) = try required("utcOffsets").value else {
        throw try refusal("utcOffsets", expected: "an array")
      }
      var offsets: [UTCOffset] = []
      for pair in pairs {
        guard case .array(let parts) = pair.value, parts.count == 2, case .integer(let time) = parts[0].value,
          case .integer(let seconds) = parts[1].value, abs(seconds.clamped) <= 86_400
        else {
          throw JSONError(
            at: pair.position, found: pair.value.kindAndText,
            expected: "[nanoseconds, seconds east of Greenwich, at most a day]")
        }
        if let last = offsets.last, time < last.time.nanoseconds {
          throw JSONError(at: pair.position, found: "an earlier time", expected: "offsets in the order of time")
        }
        offsets.append(UTCOffset(from: VirtualTime(nanoseconds: time), seconds: Int(seconds)))
      }
      return offsets
    }
  }
}

extension Int64 {
  /// The number, except that the minimum, whose magnitude overflows, becomes the next one.
  fileprivate var clamped: Int64 { Swift.max(self, -Int64.max) }
}

extension TraceHeader {
  /// Whether there is a watch-phone link; true if the header does not say.
  public var hasLink: Bool {
    link["exists"]?.boolean ?? true
  }

  /// The value of a key of ``extras``; nil if there is none or it is null.
  package func extra(_ key: String) -> JSONNode? {
    extras.first { $0.key == key && $0.node.value != .null }?.node
  }
}

extension TraceHeader {
  /// ``startedAt`` in nanoseconds since 1970; nil unless it is a date in the years 1970 to 2200.
  public var unixStart: Int64? { Self.unixStart(startedAt) }

  /// An ISO 8601 date in nanoseconds since 1970; nil unless it is a date in the years 1970 to 2200.
  public static func unixStart(_ date: String) -> Int64? {
    var text = date.utf8[...]
    guard let year = Self.number(&text, digits: 4), (1970...2200).contains(year), Self.consume("-", &text),
      let month = Self.number(&text, digits: 2), (1...12).contains(month), Self.consume("-", &text),
      let day = Self.number(&text, digits: 2), (1...31).contains(day), Self.consume("T", &text),
      let hour = Self.number(&text, digits: 2), hour < 24, Self.consume(":", &text),
      let minute = Self.number(&text, digits: 2), minute < 60, Self.consume(":", &text),
      let second = Self.number(&text, digits: 2), second < 60
    else { return nil }
    var nanoseconds: Int64 = 0
    if Self.consume(".", &text) {
      var unit: Int64 = 100_000_000
      while let digit = text.first, digit >= 48, digit < 58 {
        nanoseconds += Int64(digit - 48) * unit
        unit /= 10
        text.removeFirst()
      }
    }
    var zone: Int64 = 0
    if !Self.consume("Z", &text) {
      let isWest = Self.consume("-", &text)
      guard isWest || Self.consume("+", &text), let hours = Self.number(&text, digits: 2), Self.consume(":", &text),
        let minutes = Self.number(&text, digits: 2)
      else { return nil }
      zone = (hours * 60 + minutes) * (isWest ? -60 : 60)
    }
    guard text.isEmpty else { return nil }
    let days = CalendarDay(year: year, month: month, day: day).number
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - zone
    return seconds * 1_000_000_000 + nanoseconds
  }

  /// The scenario's offset from UTC at an instant, in seconds.
  public func utcOffset(at time: VirtualTime) -> Int {
    (utcOffsets.last { $0.time <= time } ?? utcOffsets.first)?.seconds ?? 0
  }

  /// By how many seconds local time is set back within three days, where that is most: by flights to the west and ends of
  /// summer time; at most ten days.
  public var secondsSetBack: Int {
    // A run has a few; a hostile header may list any number.
    let steps = zip(utcOffsets, utcOffsets.dropFirst()).prefix(1_000).map { before, after in
      (at: after.time, by: min(86_400, max(0, before.seconds - after.seconds)))
    }
    let sums = steps.enumerated().map { index, first in
      steps[index...].prefix { $0.at - first.at <= .hours(72) }.reduce(0) { min(864_000, $0 + $1.by) }
    }
    return sums.max() ?? 0
  }

  private static func consume(_ letter: Unicode.Scalar, _ text: inout Substring.UTF8View) -> Bool {
    guard text.first == UInt8(ascii: letter) else { return false }
    text.removeFirst()
    return true
  }

  private static func number(_ text: inout Substring.UTF8View, digits: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<digits {
      guard let digit = text.first, digit >= 48, digit < 58 else { return nil }
      number = number * 10 + Int64(digit - 48)
      text.removeFirst()
    }
    return number
  }
}
