// The intended kind of a file, and all of its problems.

import Console
package import Link
package import PhoneSim

/// A script or a scenario, validated.
package struct InputFile {
  /// The intended kind of a file.
  package enum Kind: String {
    case script
    case scenario
  }

  /// The file's name as it was given.
  package var path: String
  package var kind: Kind
  /// The problems of the file, and of the files it names; sorted within each.
  package var problems: [Problem]
  /// How many further problems were not kept, by file and severity.
  package var omitted: [Omitted]
  /// The expectations of a scenario, as far as they could be read.
  package private(set) var expectations: [ReadExpectation] = []
  /// The inputs of a scenario, and which generator draws each in a sweep.
  package private(set) var inputs: [(path: String, position: TextPosition, origin: InputOrigin)] = []

  /// A problem with its position.
  package struct Problem {
    package var file: String
    package var diagnostic: Diagnostic

    /// `file:line:column: error: text`.
    package var text: String { TerminalText.escape(diagnostic.rendered(file: file)) }
  }

  /// Problems that were counted and not kept.
  package struct Omitted {
    var file: String
    var severity: Diagnostic.Severity
    var count: Int

    /// `file: warning: and 7 more`.
    package var text: String { TerminalText.escape("\(file): \(severity.rawValue): and \(count) more") }
  }

  package var errors: Int { count(of: .error) }
  package var warnings: Int { count(of: .warning) }

  private func count(of severity: Diagnostic.Severity) -> Int {
    problems.count { $0.diagnostic.severity == severity }
      + omitted.reduce(0) { $1.severity == severity ? $0 + $1.count : $0 }
  }

  /// Validates a file.
  ///
  /// - Parameter plan: The plan for a script; nil if unknown. A scenario contains its own.
  package static func validate(_ path: String, plan: Plan?) -> InputFile {
    let bytes: [UInt8]
    do throws(Failure) { bytes = try FilePath.read(path) } catch {
      return unreadable(path, error)
    }
    let kind = kind(of: bytes, path: path)
    switch kind {
    case .script:
      let dialect: JSONDialect = path.hasSuffix(".json5") ? .json5 : .json
      return InputFile(path, kind, [ScriptValidator.validate(bytes, file: path, plan: plan, dialect: dialect)])
    case .scenario:
      let (scenario, found) = Scenario.read(bytes, file: path, folder: FilePath.folder(of: path))
      var file = InputFile(path, kind, found)
      file.expectations = scenario.expectations
      if let node = try? JSONParser.parse(bytes, dialect: .json5) { file.inputs = InputOrigin.inputs(of: node) }
      for (index, workout) in scenario.workouts.enumerated() {
        let isList = !scenario.laterWorkouts.isEmpty
        file.checkFile(of: workout.source, at: isList ? "workouts[\(index)]" : "workout", number: index, named: bytes)
      }
      file.checkPrograms(of: scenario, named: bytes)
      return file
    }
  }
}

extension InputFile {
  private init(_ path: String, _ kind: Kind, _ found: [Diagnostics]) {
    self.init(path: path, kind: kind, problems: [], omitted: [])
    for diagnostics in found {
      problems += diagnostics.inOrder.map { Problem(file: diagnostics.file, diagnostic: $0) }
      omitted += diagnostics.omitted.map { Omitted(file: diagnostics.file, severity: $0.severity, count: $0.count) }
    }
  }

  private static func unreadable(_ path: String, _ failure: Failure) -> InputFile {
    // The failure's text begins with file and severity, like a problem's.
    let prefix = "\(path): error: "
    let text = failure.text.hasPrefix(prefix) ? String(failure.text.dropFirst(prefix.count)) : failure.text
    let problem = Problem(file: path, diagnostic: Diagnostic(at: .nowhere, .error, text))
    return InputFile(path: path, kind: kindByName(path), problems: [problem], omitted: [])
  }

  /// Decides by the content, or by the name if the content is inconclusive.
  private static func kind(of bytes: [UInt8], path: String) -> Kind {
    guard let node = try? JSONParser.parse(bytes, dialect: .json5), case .object(let members) = node.value else {
      return kindByName(path)
    }
    if members.contains(where: { $0.key == "scenario" }) { return .scenario }
    if members.contains(where: { $0.key == "messages" }) { return .script }
    return kindByName(path)
  }

  private static func kindByName(_ path: String) -> Kind { path.hasSuffix(".json") ? .script : .scenario }

  /// Adds a warning for each program that a scenario names and that is not there.
  ///
  /// A warning, because `--phone-cmd` and `--watch-cmd` may name another one, and a program may be built later.
  private mutating func checkPrograms(of scenario: Scenario, named bytes: [UInt8]) {
    for role in [NodeRole.watch, .phone] {
      guard let program = scenario.programs[role], let obstacle = ProgramImage.obstacle(to: program.words[0]) else {
        continue
      }
      let node = try? JSONParser.parse(bytes, dialect: .json5)
      let place = node?.node(at: [role.text, "command"])?.position ?? .nowhere
      insert(Diagnostic(at: place, .warning, "\(role.text).command: \(obstacle), expected a program"))
    }
  }

  /// Inserts a problem among those of the scenario's own file, in the order of the text.
  private mutating func insert(_ diagnostic: Diagnostic) {
    let place = diagnostic.position
    let later = problems.firstIndex {
      $0.file == path && ($0.diagnostic.position.line, $0.diagnostic.position.column) > (place.line, place.column)
    }
    let end = problems.firstIndex { $0.file != path } ?? problems.count
    problems.insert(Problem(file: path, diagnostic: diagnostic), at: later ?? end)
  }

  /// Adds the problems of the recorded workout, or the trace, that a scenario names.
  private mutating func checkFile(of source: WorkoutPlan.Source, at path: String, number: Int, named bytes: [UInt8]) {
    guard let (key, workout) = source.file else { return }
    do throws(Failure) { try RecordedRun.check(source) } catch {
      let node = try? JSONParser.parse(bytes, dialect: .json5)
      let object = node?.node(at: ["workout"]) ?? node?.node(at: ["workouts"])?.element(number)
      let place = object?.node(at: ["source", key])?.position ?? .nowhere
      // The text is a message of its own, with the file and a severity before it.
      let text = error.text.replacing("\(workout): error: ", with: "\(workout): ")
      insert(Diagnostic(at: place, .error, "\(path).source.\(key): \(text)"))
    }
  }
}

extension Diagnostics {
  /// In the order of the text; problems at the same position in the order of finding.
  fileprivate var inOrder: [Diagnostic] {
    list.enumerated().sorted {
      let (a, b) = ($0.element.position, $1.element.position)
      return (a.line, a.column, $0.offset) < (b.line, b.column, $1.offset)
    }.map(\.element)
  }
}

extension JSONNode {
  /// The N-th element of an array, from 0, if any.
  fileprivate func element(_ index: Int) -> JSONNode? {
    guard case .array(let elements) = value, index < elements.count else { return nil }
    return elements[index]
  }
}
