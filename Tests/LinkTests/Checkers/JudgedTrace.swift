@testable import LinkCheckers
import Link
import LinkTestSupport
import Testing

/// Judges lines after a header, each with the fields that it lacks; `t` is in milliseconds to keep them short.
func judge(
  _ lines: String, checkers: [any Checker.Type] = CheckerCatalog.all, ends: Bool = true
) throws -> Judgement {
  var parser = TraceLineParser()
  var judge = Judge(header: TraceHeader(scenario: "s", seed: 1, duration: .seconds(60)), checkers: checkers)
  var number = 1
  var last = VirtualTime.start
  for line in lines.split(separator: "\n") {
    number += 1
    var event = try parser.parse(Array(line.utf8)[...], line: number)
    event.time.nanoseconds *= 1_000_000
    last = max(last, event.time)
    judge.observe(event.completed, line: number)
  }
  if ends, !lines.contains("\"event\":\"end\"") {
    judge.observe(TraceEvent("end", at: last, on: .runner, [.init("outstanding", .json("[]"))]), line: number + 1)
  }
  return judge.finish()
}

/// The names of the invariants that lines break, each once, in the order of the alphabet.
func broken(
  _ lines: String, checkers: [any Checker.Type] = CheckerCatalog.all, ends: Bool = true
) throws -> [String] {
  Set(try judge(lines, checkers: checkers, ends: ends).violations.map(\.invariant)).sorted()
}
