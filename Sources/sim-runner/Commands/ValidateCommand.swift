import Experiments
import Simulator
import Console
import Foundation
import Link
import PhoneSim

/// `sim-runner validate`: reports all errors in scripts and scenarios.
enum ValidateCommand: Command {
  static let name = "validate"
  static let about = "reports all errors in scripts and scenarios"
  static let usage = "FILE|FOLDER... [--distance M] [--time T] [--explain] [--json]"
  static let options: [Option] = [
    .value("--distance", "M", "judge scripts for a planned distance, in metres"),
    .value("--time", "T", "judge scripts for a planned time: 27m30s, or seconds"),
    .flag("--explain", "say of each expectation under which faults it is judged, and of each key what draws it"),
    .flag("--json", "one JSON object on standard output"),
    CodeQualityReport.option,
  ]
  static let details = """
    A file with a key `scenario` is a scenario in JSON5, one with `messages` is a coaching script in JSON
    (docs/scenarios.md, docs/built-in-apps.md). A folder means every .json5 file in it and below
    it. A scenario is validated with the script and the recorded
    workout it names, and by its own plan. Problems are printed on standard output, one a line, in the order
    of the file: `file:line:column: error|warning: text`.
    Exit status: 0 without errors, warnings or not; 2 with errors.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard !arguments.operands.isEmpty else { throw .input("the file is missing: sim-runner validate \(usage)") }
    let plan = try plan(arguments)
    let isJSON = arguments.has("--json")
    let quality = try CodeQualityReport.file(arguments)
    var files: [InputFile] = []
    var paths: [String] = []
    for path in arguments.operands {
      let found = ScenarioInput.isFolder(path) ? try ScenarioFiles.find([path]) : []
      // A folder without scenarios is an error of its own, beside whatever other operands hold.
      paths += found.isEmpty ? [path] : found
    }
    for path in paths {
      let file = InputFile.validate(path, plan: plan)
      files.append(file)
      guard !isJSON else { continue }
      for problem in file.problems { Terminal.print(problem.text) }
      for omitted in file.omitted { Terminal.print(omitted.text) }
      if arguments.has("--explain") { explain(file) }
    }
    if isJSON { printJSON(files) }
    let errors = files.reduce(0) { $0 + $1.errors }
    let warnings = files.reduce(0) { $0 + $1.warnings }
    Terminal.error(
      "\(PlainText.count(files.count, "file")): \(PlainText.count(errors, "error")), \(PlainText.count(warnings, "warning"))"
    )
    let found = BuildFinding.findings(files)
    if let quality { try CodeQualityReport.write(found, to: quality) }
    GitHubReport(Terminal.environment)?.publish(
      found, title: "sim-runner validate: \(PlainText.count(errors, "error")), \(PlainText.count(warnings, "warning"))",
      table: [])
    return errors == 0 ? 0 : 2
  }

  /// Prints the scope of each expectation, and the generator of each input.
  private static func explain(_ file: InputFile) {
    for input in file.inputs {
      let place = "\(file.path):\(input.position.line):\(input.position.column)"
      Terminal.print(TerminalText.escape("\(place): \(input.path): \(input.origin.text)"))
    }
    for read in file.expectations {
      let text = String(decoding: JSONWriter.compact(read.node), as: UTF8.self)
      let place = "\(file.path):\(read.node.position.line):\(read.node.position.column)"
      Terminal.print(TerminalText.escape("\(place): \(read.scope.rawValue), judged \(read.scope.about): \(text)"))
    }
  }

  private static func plan(_ arguments: Arguments) throws(Failure) -> Plan? {
    var plan = Plan()
    if let text = arguments.value("--distance") {
      guard let distance = Double(text), distance >= 1, distance <= 1_000_000 else {
        throw .input("--distance: found \"\(text)\", expected metres from 1 to 1000000")
      }
      plan.distance = distance
    }
    if let text = arguments.value("--time") {
      guard let span = duration(text), span > .zero else {
        throw .input("--time: found \"\(text)\", expected a duration such as 27m30s, or a number of seconds")
      }
      plan.time = span.seconds
    }
    return plan == Plan() ? nil : plan
  }

  private static func duration(_ text: String) -> VirtualTime.Span? {
    if let seconds = Double(text) {
      return seconds.isFinite ? try? DurationText.seconds(seconds.description) : nil
    }
    return try? DurationText.parse(text)
  }

  private static func printJSON(_ files: [InputFile]) {
    JSONOutput.print([
      "valid": .bool(files.allSatisfy { $0.errors == 0 }),
      "files": .objects(files) { file in
        [
          "file": .string(file.path), "kind": .string(file.kind.rawValue), "errors": .count(file.errors),
          "warnings": .count(file.warnings),
          "expectations": .objects(file.expectations) { read in
            [
              "line": .count(read.node.position.line), "column": .count(read.node.position.column),
              "scope": .string(read.scope.rawValue),
            ]
          },
          "inputs": .objects(file.inputs) { input in
            [
              "line": .count(input.position.line), "column": .count(input.position.column), "key": .string(input.path),
              "origin": .string(input.origin.text),
            ]
          },
          "problems": .objects(file.problems) { problem in
            let position = problem.diagnostic.position
            let isPlaced = position.line > 0
            return [
              "file": .string(problem.file), "line": .count(isPlaced ? position.line : nil),
              "column": .count(isPlaced ? position.column : nil),
              "severity": .string(problem.diagnostic.severity.rawValue), "text": .string(problem.diagnostic.message),
            ]
          },
        ]
      },
    ])
  }
}
