import CoachProtocol
import Console
package import Link

/// The results at the end of a trace: the verdict, violations, expectations.
struct ReportFindings {
  private var verdict: String?
  private var brokenOff: String?
  private var violations: [(invariant: String, time: Int64, detail: String, lines: [Int])] = []
  private var expectations: [(text: String, words: String?, hasPassed: Bool, why: String, lines: [Int])] = []
  /// The limit of each list.
  private static let keptMax = 1_000

  mutating func observe(_ event: TraceEvent) {
    guard event.place == .runner else { return }
    switch event.body {
    case .violation(let found):
      guard violations.count < Self.keptMax else { return }
      violations.append((found.invariant, found.t0, found.detail, Self.lines(found.lines)))
    case .expectation(let judged):
      guard expectations.count < Self.keptMax else { return }
      let words = judged.expectation.node.flatMap { ExpectationWords.text($0) }
      expectations.append((judged.expectation.text, words, judged.passed, judged.why ?? "", Self.lines(judged.lines)))
    case .nodeFailed(let failure): brokenOff = "the \(failure.target.text) failed: \(failure.cause)"
    case .end(let end): verdict = end.verdict
    case .stopped: brokenOff = "it was stopped before its end, so it is not judged"
    default: break
    }
  }

  private static func lines(_ lines: JSONText) -> [Int] { Array(lines.wholeNumbers.prefix(32)) }

  /// The members for the page.
  ///
  /// - Parameter time: Returns the time of a line, in microseconds.
  func members(isTruncated: Bool, time: (Int) -> Int64?) -> [JSONMember] {
    let word = isTruncated ? "unknown" : brokenOff != nil ? "stopped" : verdict ?? "unknown"
    let met = expectations.count { $0.hasPassed }
    var parts: [String] = []
    if isTruncated { parts.append("the trace is truncated") }
    if let brokenOff { parts.append(brokenOff) }
    if parts.isEmpty, verdict == nil { parts.append("the trace does not say") }
    if parts.isEmpty { parts.append(broken) }
    if !expectations.isEmpty { parts.append("\(met) of \(StoryText.count(expectations.count, "expectation")) met") }
    return .init([
      "verdict": .string(["pass", "fail", "stopped"].contains(word) ? word : "unknown"),
      "verdictText": .string(TerminalText.escape(parts.joined(separator: ", "))),
      "violations": .array(
        violations.map { violation in
          ReportJSON.row([
            .string(TerminalText.escape(violation.invariant)), .integer(violation.time / 1_000),
            .string(TerminalText.escape(StoryText.shortened(violation.detail))), positions(violation.lines, time),
          ])
        }),
      "expectations": .array(
        expectations.map { expectation in
          ReportJSON.row([
            .string(TerminalText.escape(expectation.text)), .bool(expectation.hasPassed),
            .string(TerminalText.escape(expectation.why)), positions(expectation.lines, time), .text(expectation.words),
          ])
        }),
    ])
  }

  private var broken: String {
    var names: [String] = []
    for violation in violations where !names.contains(violation.invariant) { names.append(violation.invariant) }
    return names.isEmpty ? "no invariant broken" : "\(StoryText.count(names.count, "invariant")) broken"
  }

  private func positions(_ lines: [Int], _ time: (Int) -> Int64?) -> JSONValue {
    .array(
      lines.map { line in ReportJSON.row([.count(line), .count(time(line))]) })
  }
}

/// The fault plan of a header as rows of a table.
enum ReportFaultPlan {
  private static let rowsMax = 2_000

  /// `[[id, words, begin in seconds, length in seconds or null, the rest as JSON], ...]`.
  static func rows(_ faults: JSONNode) -> JSONValue {
    let words = FaultWords(faults)
    return .array(
      faults.elements.prefix(rowsMax).map { fault in
        guard case .object(let members) = fault.value else { return ReportJSON.row([]) }
        let rest = members.filter { !["id", "at", "for"].contains($0.key) }
        let text = String(decoding: JSONWriter.compact(JSONNode(.object(rest))), as: UTF8.self)
        let id = fault["id"]?.text ?? ""
        let sentence = body(rest).map { words.beginning(id, kind: $0.kind, params: $0.params) } ?? id
        return ReportJSON.row([
          .string(TerminalText.escape(id)), .string(TerminalText.escape(String(sentence.prefix(400)))),
          fault["at"]?.value ?? .integer(0), fault["for"]?.value ?? .null,
          .string(TerminalText.escape(String(text.prefix(400)))),
        ])
      })
  }

  /// The kind of a fault and its parameters, as `fault.begin` has them; nil if the members name none.
  ///
  /// - Parameter members: Those of the plan, without id and times.
  private static func body(_ members: [JSONMember]) -> (kind: String, params: JSONNode)? {
    if let uplink = members.first(where: { $0.key == "uplink" }), case .object(let inner) = uplink.node.value {
      return inner.first.map { ($0.key, $0.node) }
    }
    let own = members.filter { !["direction", "channels"].contains($0.key) }
    guard let first = own.first else { return nil }
    guard let node = first.node.text else { return (first.key, first.node) }
    // A kind that has the device as its value, and its parameters beside it.
    return (first.key, JSONNode(.object([JSONMember("node", .string(node))] + own.dropFirst())))
  }
}

/// JSON inside a page.
package enum ReportJSON {
  /// A row of a table.
  package static func row(_ values: [JSONValue]) -> JSONNode { JSONNode(.array(values.map { JSONNode($0) })) }

  /// A sentence of the story: `[t, voice, tone, text, line]`.
  static func node(_ line: StoryLine) -> JSONNode {
    row([
      .integer(ReportCollector.microseconds(line.time)), .string(line.voice.rawValue), .string("\(line.tone)"),
      .string(TerminalText.escape(line.text)), .count(line.traceLine),
    ])
  }

  /// Appends members without the surrounding braces; escapes everything that could end a script.
  static func append(_ members: [JSONMember], to bytes: inout [UInt8]) {
    append(JSONWriter.compact(JSONNode(.object(members))).dropFirst().dropLast(), to: &bytes)
  }

  /// Appends a value; escapes everything that could end a script.
  static func append(_ node: JSONNode, to bytes: inout [UInt8]) { append(JSONWriter.compact(node)[...], to: &bytes) }

  private static func append(_ json: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    for byte in json {
      switch byte {
      case UInt8(ascii: "<"): bytes += "\\u003c".utf8
      case UInt8(ascii: ">"): bytes += "\\u003e".utf8
      case UInt8(ascii: "&"): bytes += "\\u0026".utf8
      default: bytes.append(byte)
      }
    }
  }
}
