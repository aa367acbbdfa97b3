// A trace for OpenTelemetry's tools: JSON lines of the OTLP file format, one with all spans and one with all logs
// (opentelemetry-proto: trace/v1/trace.proto, logs/v1/logs.proto; JSON as in "OTLP/HTTP, JSON Protobuf encoding").
//
// The run is one trace. Its id is derived from the digest of the trace file, and a span's id is the number of the line
// that began it, so that the same file always gives the same ids and a span leads back to its line.

import Console
import Link

/// `--format otlp`: spans of messages, transfers and faults, and decisions as logs, for Jaeger, Grafana and others.
struct OTLPExporter: TraceExporter {
  static let name = "otlp"
  static let about = "spans and logs for OpenTelemetry's tools (JSON lines)"
  static let suffixes = [".otlp.jsonl", ".otlp.json", ".otlp"]
  static let isReadable = true

  private let header: TraceHeader
  private let window: ExportWindow
  private var records: OTLPRecords
  private var ledger = FrameLedger()
  /// Unfinished transfers and faults, by id; for lookup only.
  private var transfers: [String: OTLPSpan] = [:]
  private var faults: [String: OTLPSpan] = [:]
  /// The lines that queued the transfers of the window, by transfer id; for lookup only.
  private var queuedAt: [String: Int] = [:]
  private var last = VirtualTime.start

  init(_ subject: ExportSubject, into bytes: inout [UInt8]) {
    header = subject.header
    window = subject.window
    // A header without a date gives times since 1970.
    records = OTLPRecords(startedAt: subject.header.unixStart ?? 0)
  }

  mutating func observe(_ event: TraceEvent, line: Int, into bytes: inout [UInt8]) {
    last = max(last, event.time)
    ledger.observe(event, line: line)
    while let frame = ledger.next() { add(frame) }
    if window.contains(event.time) { begin(event, line: line) }
    end(event)
    guard window.contains(event.time), Decision(event, line: line) != nil else { return }
    let transfer = event["transfer"]?.text.flatMap { queuedAt[$0] }
    records.addLog(event, line: line, span: transfer ?? OTLPSpan.rootLine)
  }

  mutating func finish(_ ending: ExportEnding, into bytes: inout [UInt8]) -> [String] {
    while let frame = ledger.next(isOver: true) { add(frame) }
    let unfinished = (Array(transfers.values) + Array(faults.values)).sorted { $0.line < $1.line }
    let end = max(window.from, window.to.map { min($0, last) } ?? last)
    for var span in unfinished {
      span.end = max(span.begin, end)
      span.attributes.append(JSONMember("wristwire.unfinished", .bool(true)))
      records.add(span)
    }
    var root = OTLPSpan(
      line: OTLPSpan.rootLine, name: "\(header.scenario), seed \(header.seed)", service: TraceEvent.Place.runner.text,
      begin: window.from)
    root.parent = nil
    root.end = end
    root.attributes = [JSONMember]([
      "wristwire.scenario": .string(header.scenario), "wristwire.seed": .string(String(header.seed)),
    ])
    records.add(root)
    records.write(traceID: Self.traceID(ending, header), build: header.build, into: &bytes)
    return []
  }

  /// 128 bits derived from the trace's digest, or from the scenario's name and seed if it has none.
  private static func traceID(_ ending: ExportEnding, _ header: TraceHeader) -> String {
    if let digest = ending.digest, digest.utf8.count >= 32 { return String(digest.prefix(32)) }
    var stream = SHA256Stream()
    stream.append(Array("\(header.scenario) \(header.seed)".utf8))
    return String(Digest.text(stream.finish()).prefix(32))
  }

  // MARK: - Transfers and faults

  private mutating func begin(_ event: TraceEvent, line: Int) {
    switch event.body {
    case .transferQueued(let transfer):
      let (id, kind) = (transfer.identity.transfer.text, transfer.details.kind.map { " (\($0))" } ?? "")
      var span = OTLPSpan(
        line: line, name: "transfer \(transfer.identity.channel.text)\(kind)", service: event.place.text,
        begin: event.time)
      span.kind = .producer
      span.attributes = OTLPRecords.attributes(event)
      queuedAt[id] = line
      transfers[id] = span
    case .faultBegin(let fault):
      var span = OTLPSpan(line: line, name: "fault \(fault.kind)", service: event.place.text, begin: event.time)
      span.attributes = OTLPRecords.attributes(event)
      faults[fault.fault] = span
    default: break
    }
  }

  /// Ends the span of a fault or transfer; earlier events of a transfer become events of its span.
  private mutating func end(_ event: TraceEvent) {
    if case .faultEnd(let fault) = event.body {
      guard var span = faults.removeValue(forKey: fault.fault) else { return }
      span.end = event.time
      records.add(span)
      return
    }
    let name = event.name.text
    guard name.hasPrefix("transfer."), name != "transfer.queued", let id = event["transfer"]?.text,
      var span = transfers[id]
    else { return }
    span.events.append(OTLPSpan.Event(time: event.time, name: name, attributes: OTLPRecords.attributes(event)))
    transfers[id] = span
    switch event.body {
    case .transferFinished: break
    case .transferFailed(let transfer): span.error = transfer.error
    case .transferCancelled(let transfer): span.error = transfer.error
    case .transferSetAside(let transfer): span.error = transfer.error
    default: return
    }
    span.end = event.time
    transfers[id] = nil
    records.add(span)
  }

  // MARK: - Frames

  /// A span from a frame's sending to its last fate, and one at the receiver for every copy that arrived.
  private mutating func add(_ frame: ExportedFrame) {
    guard window.contains(frame.time) else { return }
    var span = OTLPSpan(line: frame.line, name: frame.title, service: frame.sender.text, begin: frame.time)
    span.kind = .producer
    span.parent = frame.transfer.flatMap { queuedAt[$0.text] } ?? OTLPSpan.rootLine
    span.end = frame.fates.map(\.time).max() ?? frame.time
    span.attributes = [JSONMember]([
      "wristwire.frame": .integer(frame.id), "wristwire.channel": .string(frame.channel),
      "wristwire.epoch": .integer(frame.epoch), "wristwire.seq": .integer(frame.seq),
      "wristwire.bytes": .integer(frame.bytes), "wristwire.attempt": .integer(frame.attempt),
    ])
    for fate in frame.fates {
      guard let cause = fate.cause else { continue }
      let attributes = [JSONMember]([
        "wristwire.copy": .integer(fate.copy), "wristwire.cause": .string(cause),
        "wristwire.fault": fate.fault.map { .string($0) },
      ])
      span.events.append(OTLPSpan.Event(time: fate.time, name: "frame.dropped", attributes: attributes))
    }
    let arrived = frame.fates.filter { $0.cause == nil }
    if arrived.isEmpty { span.error = frame.fates.first?.cause }
    records.add(span)
    for fate in arrived {
      var received = OTLPSpan(
        line: fate.line, name: "receive \(frame.title)", service: frame.receiver, begin: fate.time)
      received.kind = .consumer
      received.parent = frame.line
      received.attributes = [JSONMember("wristwire.copy", .integer(fate.copy))]
      records.add(received)
    }
  }
}
