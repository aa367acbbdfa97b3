import Simulator
package import Console
import Link

/// The results of `test` as the one JSON object of `--json`.
package enum TestJSON {
  /// The object's members.
  ///
  /// - Parameter seconds: The real time that all took.
  package static func members(_ results: [CaseResult], seconds: Double) -> JSONFields {
    [
      "version": JSONOutput.version, "passed": .count(results.count { $0.status == 0 }),
      "failed": .count(results.count { $0.status != 0 && !$0.wasStopped }),
      "stopped": .count(results.count { $0.wasStopped }), "wallSeconds": .decimal(seconds),
      "scenarios": .objects(results, members),
    ]
  }

  /// The scenarios that would run, as `--list` has them.
  package static func members(listing cases: [ScenarioCase]) -> JSONFields {
    [
      "scenarios": .objects(cases) { scenario in
        switch scenario.content {
        case .scenario(let content):
          [
            "scenario": .string(scenario.name), "file": .string(scenario.path), "seed": .string(String(content.seed)),
            "about": .string(content.about),
          ]
        case .unreadable(let text):
          ["scenario": .string(scenario.name), "file": .string(scenario.path), "error": .string(text)]
        }
      }
    ]
  }

  private static func members(_ cause: CaseCause) -> JSONFields {
    [
      "check": .string(cause.check), "title": .string(cause.title), "reason": .string(cause.reason),
      "expectation": cause.expectation.map { .string($0) },
      "line": cause.position.flatMap { $0.line > 0 ? .count($0.line) : nil },
    ]
  }

  private static func members(_ result: CaseResult) -> JSONFields {
    let verdict = result.wasStopped ? "stopped" : result.status == 0 ? "pass" : result.status == 1 ? "fail" : "error"
    let findings = result.plainFindings.isEmpty ? result.findings : result.plainFindings
    return [
      "scenario": .string(result.name), "file": .string(result.path), "seed": .text(result.seed.map { String($0) }),
      "verdict": .string(verdict), "exitStatus": .count(result.status), "text": .string(result.text),
      "wallSeconds": .decimal(result.wallSeconds), "causes": .objects(result.causes, members),
      "findings": .texts(findings),
      "warnings": result.warnings.isEmpty ? nil : .texts(result.warnings), "trace": .text(result.tracePath),
      "bundle": .text(result.bundlePath),
    ]
  }
}
