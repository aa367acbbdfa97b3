package import Console
import TraceTools
import Foundation

/// Results as JUnit XML for CI systems.
package enum JUnitReport {
  /// The option of commands that write one.
  package static let option = Option.output("--junit", "FILE", "write the results here as JUnit XML")

  /// The whole document.
  package static func text(_ results: [CaseResult]) -> String {
    let failures = results.count { $0.status == 1 }
    let stopped = results.count { $0.wasStopped }
    let skipped = stopped + results.count { $0.unjudged != nil }
    let errors = results.count { $0.status > 1 } - stopped
    let time = seconds(results.reduce(0) { $0 + $1.wallSeconds })
    let counts = "tests=\"\(results.count)\" failures=\"\(failures)\" errors=\"\(errors)\" time=\"\(time)\""
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sim-runner\" \(counts)>\n"
    text += "  <testsuite name=\"scenarios\" skipped=\"\(skipped)\" \(counts)>\n"
    var named: [String: Int] = [:]
    for result in results { named[result.name, default: 0] += 1 }
    for var result in results {
      // GitLab shows only one of two cases with the same name.
      if named[result.name, default: 0] > 1 { result.name += " (\(result.path))" }
      append(result, to: &text)
    }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private static func append(_ result: CaseResult, to text: inout String) {
    text += "    <testcase classname=\"scenarios\" name=\"\(escaped(result.name))\" file=\"\(escaped(result.path))\""
    text += " time=\"\(seconds(result.wallSeconds))\">\n"
    var properties: [(name: String, value: String)] = []
    if let seed = result.seed { properties.append(("seed", String(seed))) }
    if let trace = result.tracePath { properties.append(("trace", trace)) }
    properties += result.warnings.map { ("warning", $0) }
    if !properties.isEmpty {
      let lines = properties.map { "        <property name=\"\($0.name)\" value=\"\(escaped($0.value))\"/>\n" }
      text += "      <properties>\n\(lines.joined())      </properties>\n"
    }
    if let reason = result.wasStopped ? "stopped" : result.unjudged {
      text += "      <skipped message=\"\(escaped(reason))\"/>\n    </testcase>\n"
      return
    }
    if result.status != 0 {
      let element = result.status == 1 ? "failure" : "error"
      let type = result.status == 1 ? result.causes.first?.check ?? "judgement" : "status \(result.status)"
      let findings = result.plainFindings.isEmpty ? result.findings : result.plainFindings
      text += "      <\(element) message=\"\(escaped(result.reason))\" type=\"\(type)\">"
      text += escaped(findings.joined(separator: "\n\n")) + "</\(element)>\n"
    }
    var output = result.story.map { $0.rendered() } + result.warnings.map { "warning: \($0)" }
    // A line of this form is an attachment for Jenkins (junit-attachments) and GitLab, and plain text elsewhere.
    if let trace = result.tracePath { output.append("[[ATTACHMENT|\(trace)]]") }
    if !output.isEmpty {
      text += "      <system-out>\(escaped(output.joined(separator: "\n")))</system-out>\n"
    }
    text += "    </testcase>\n"
  }

  /// Escapes text for an element or a double-quoted attribute; characters that XML cannot contain become U+FFFD.
  static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;".unicodeScalars
      case "<": escaped += "&lt;".unicodeScalars
      case ">": escaped += "&gt;".unicodeScalars
      case "\"": escaped += "&quot;".unicodeScalars
      case "\n", "\t": escaped.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped.append("\u{FFFD}")
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }
}
