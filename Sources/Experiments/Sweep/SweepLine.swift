import Console
import Link

/// The result of one seed: a line of a sweep's results.
package struct SweepLine: Equatable, Sendable {
  var scenario: String
  var seed: UInt64
  package var hasPassed: Bool
  /// SHA-256 of the trace's bytes; nil if none was made.
  package var traceDigest: String?
  /// The failures, in the order of time.
  var violations: [Finding] = []
  /// The scenario's situations in its order; empty if it declares none, or if the simulation died.
  var situations: [ReachedSituation] = []

  /// A failure.
  package struct Finding: Equatable, Sendable {
    /// The invariant's name; `expectation-N` for the N-th expectation; see ``SeedRun`` for others.
    package var invariant: String
    /// In nanoseconds.
    package var time: Int64
    package var detail: String
  }

  /// A situation that a scenario declares, and whether the seed reached it.
  struct ReachedSituation: Equatable, Sendable {
    var name: String
    var isReached: Bool
  }

  /// Limit of findings in a line; the first ones matter most.
  static let findingsMax = 20

  /// The line's text, without a line feed.
  package var text: String {
    JSONOutput.line(
      [JSONMember]([
        "scenario": .string(scenario), "seed": .string(String(seed)), "verdict": .string(hasPassed ? "pass" : "fail"),
        "traceDigest": .text(traceDigest),
        "violations": .objects(violations) { finding in
          ["invariant": .string(finding.invariant), "t": .integer(finding.time), "detail": .string(finding.detail)]
        },
        "situations": situations.isEmpty
          ? nil : .object(situations.map { JSONMember($0.name, .bool($0.isReached)) }),
      ]))
  }
}

extension SweepLine {
  /// Reads a line; skips unknown keys.
  ///
  /// - Throws: With the position in the line.
  init(_ text: String, file: String, line: Int) throws(Failure) {
    let collector = DiagnosticsCollector(file: file)
    let node: JSONNode
    do throws(JSONError) {
      node = try JSONParser.parse(Array(text.utf8), dialect: .json, firstLine: line)
    } catch {
      throw .input("\(file):\(line):\(error.position.column): error: \(error.message)")
    }
    guard let reader = JSONObjectReader(node, into: collector) else { throw Self.failure(collector, file, line) }
    let scenario = reader.string("scenario", required: true)
    let seed = reader.unsigned("seed", required: true)
    let verdict = reader.oneOf("verdict", ["pass", "fail"], required: true)
    let digest = reader.isNull("traceDigest") ? nil : reader.string("traceDigest")
    var violations: [Finding] = []
    for element in reader.array("violations", required: true) ?? [] {
      guard let finding = element.object() else { continue }
      let invariant = finding.string("invariant", required: true)
      let time = finding.integer("t", required: true)
      let detail = finding.string("detail", required: true)
      if let invariant, let time, let detail {
        violations.append(Finding(invariant: invariant, time: time, detail: detail))
      }
    }
    var situations: [ReachedSituation] = []
    if let object = reader.object("situations") {
      if object.members.count > Situation.countMax {
        object.error("found \(object.members.count) situations, expected at most \(Situation.countMax)")
      }
      for member in object.members.prefix(Situation.countMax) {
        guard case .bool(let isReached) = member.node.value else {
          object.error("found another value, expected true or false for each situation")
          continue
        }
        situations.append(ReachedSituation(name: member.key, isReached: isReached))
      }
    }
    guard let scenario, let seed, let verdict, !collector.diagnostics.hasErrors else {
      throw Self.failure(collector, file, line)
    }
    self.init(
      scenario: scenario, seed: seed, hasPassed: verdict == "pass", traceDigest: digest, violations: violations,
      situations: situations)
  }

  private static func failure(_ collector: DiagnosticsCollector, _ file: String, _ line: Int) -> Failure {
    let first = collector.diagnostics.list.first
    return .input(
      "\(file):\(line):\(first?.position.column ?? 1): error: \(TerminalText.escape(first?.message ?? "no line of a sweep"))"
    )
  }
}
