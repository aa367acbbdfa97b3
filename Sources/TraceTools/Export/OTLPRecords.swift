import Console
import Link

/// A span of OTLP.
struct OTLPSpan {
  /// The kinds of OTLP, by their numbers.
  enum Kind: Int64 {
    case `internal` = 1
    case producer = 4
    case consumer = 5
  }

  /// Something that happened during a span.
  struct Event {
    var time: VirtualTime
    var name: String
    var attributes: [JSONMember]
  }

  /// The line of the span of the run, which is the trace's first.
  static let rootLine = 1

  /// The line of the trace that began it; its id.
  let line: Int
  let name: String
  /// The device, or the part of the simulation.
  let service: String
  let begin: VirtualTime
  var end: VirtualTime
  var kind = Kind.internal
  /// The line of the span around it; nil for the run's.
  var parent: Int? = rootLine
  /// What went wrong; nil if nothing did.
  var error: String?
  /// Values are strings, numbers or Booleans.
  var attributes: [JSONMember] = []
  var events: [Event] = []

  init(line: Int, name: String, service: String, begin: VirtualTime) {
    self.line = line
    self.name = name
    self.service = service
    self.begin = begin
    end = begin
  }
}

/// The spans and logs of one trace, encoded immediately; needs about as much memory as the exported file.
struct OTLPRecords {
  /// The encoded spans and logs of one service.
  private struct Service {
    let name: String
    var spans = Encoded()
    var logs = Encoded()
  }

  /// Records in JSON, with commas in between.
  private struct Encoded {
    var bytes: [UInt8] = []
    /// The offsets at which the trace's id must be filled in.
    var holes: [Int] = []

    /// Adds a record, whose first member is the id of the trace.
    mutating func append(_ members: [JSONMember]) {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      holes.append(bytes.count + "{\"traceId\":\"".utf8.count)
      JSONWriter.append(.object(members), to: &bytes)
    }
  }

  /// Unix nanoseconds of the run's start.
  private let startedAt: Int64
  /// In the order of their first record.
  private var services: [Service] = []

  init(startedAt: Int64) { self.startedAt = startedAt }

  mutating func add(_ span: OTLPSpan) {
    let attributes = [JSONMember("wristwire.line", .count(span.line))] + span.attributes
    let events = JSONValue.objects(span.events) { event in
      [
        "timeUnixNano": .string(unix(event.time)), "name": .string(event.name),
        "attributes": Self.encoded(event.attributes),
      ]
    }
    let status = span.error.map { error in
      JSONValue.fields(["code": .integer(2), "message": .string(TerminalText.escape(error))])
    }
    let members = [JSONMember]([
      "traceId": .string(Self.hole), "spanId": .string(Self.id(span.line)),
      "parentSpanId": .string(span.parent.map(Self.id) ?? ""), "name": .string(TerminalText.escape(span.name)),
      "kind": .integer(span.kind.rawValue), "startTimeUnixNano": .string(unix(span.begin)),
      "endTimeUnixNano": .string(unix(span.end)),
      "attributes": Self.encoded(attributes), "events": span.events.isEmpty ? nil : events, "status": status,
    ])
    let index = service(span.service)
    services[index].spans.append(members)
  }

  /// Adds an event as a log record of a span.
  mutating func addLog(_ event: TraceEvent, line: Int, span: Int) {
    let isViolation = event.name.text == "violation"
    let attributes = [JSONMember("wristwire.line", .count(line))] + Self.attributes(event)
    let members = [JSONMember]([
      "traceId": .string(Self.hole), "spanId": .string(Self.id(span)), "timeUnixNano": .string(unix(event.time)),
      "severityNumber": .integer(isViolation ? 17 : 9), "severityText": .string(isViolation ? "ERROR" : "INFO"),
      "body": .fields(["stringValue": .string(event.name.text)]),
      "attributes": Self.encoded(attributes),
    ])
    let index = service(event.place.text)
    services[index].logs.append(members)
  }

  /// An event's fields under `wristwire.`; objects and lists as JSON text.
  static func attributes(_ event: TraceEvent) -> [JSONMember] {
    event.fields.map { field in
      let (key, value) = ("wristwire.\(field.key)", field.value)
      if let integer = value.integer { return JSONMember(key, .integer(integer)) }
      if let number = value.double { return JSONMember(key, .number(number)) }
      return JSONMember(key, .string(value.text ?? value.jsonText))
    }
  }

  /// Writes a line with the spans and a line with the logs.
  func write(traceID: String, build: String, into bytes: inout [UInt8]) {
    for (key, scope, list) in [
      ("resourceSpans", "scopeSpans", "spans"), ("resourceLogs", "scopeLogs", "logRecords"),
    ] {
      bytes += "{\"\(key)\":[".utf8
      var isFirst = true
      for service in services {
        let records = list == "spans" ? service.spans : service.logs
        guard !records.bytes.isEmpty else { continue }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        let resource = Self.encoded(
          .init([
            "service.name": .string(TerminalText.escape(service.name)), "service.namespace": .string("wristwire"),
            "service.version": .string(TerminalText.escape(build)),
          ]))
        bytes += "{\"resource\":{\"attributes\":".utf8
        JSONWriter.append(resource, to: &bytes)
        bytes += "},\"\(scope)\":[{\"scope\":{\"name\":\"wristwire\"},\"\(list)\":[".utf8
        var start = 0
        for hole in records.holes {
          bytes += records.bytes[start..<hole]
          bytes += traceID.utf8
          start = hole + Self.hole.utf8.count
        }
        bytes += records.bytes[start...]
        bytes += "]}]}".utf8
      }
      bytes += "]}\n".utf8
    }
  }

  // MARK: - Encoding

  /// A placeholder for the trace's id, which is known only at the end.
  private static let hole = String(repeating: "0", count: 32)

  private mutating func service(_ name: String) -> Int {
    if let index = services.firstIndex(where: { $0.name == name }) { return index }
    services.append(Service(name: name))
    return services.count - 1
  }

  /// The id of the span that a line began, in 16 hexadecimal digits.
  private static func id(_ line: Int) -> String {
    let digits = String(line, radix: 16)
    return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
  }

  private func unix(_ time: VirtualTime) -> String {
    let (sum, overflow) = startedAt.addingReportingOverflow(time.nanoseconds)
    return String(max(0, overflow ? .max : sum))
  }

  /// Attributes as OTLP lists them: 64-bit integers are strings.
  private static func encoded(_ attributes: [JSONMember]) -> JSONValue {
    .array(
      attributes.map { member in
        let value: JSONMember =
          switch member.node.value {
          case .integer(let number): JSONMember("intValue", .string(String(number)))
          case .number(let number): JSONMember("doubleValue", .number(number))
          case .bool(let flag): JSONMember("boolValue", .bool(flag))
          case .string(let text): JSONMember("stringValue", .string(TerminalText.escape(text)))
          case .null, .array, .object: JSONMember("stringValue", .string(""))
          }
        return JSONNode(
          .fields(["key": .string(TerminalText.escape(member.key)), "value": .object([value])]))
      })
  }
}
