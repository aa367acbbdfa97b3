package import Console
import Foundation
package import Link
import LinkTransport
package import Simulator
import Synchronization
import TraceTools

/// One scenario among those that `test` runs.
package struct ScenarioCase: Sendable {
  /// How a case's findings are laid out.
  package struct Layout: Sendable {
    package var isColored: Bool
    package var columns: Int

    package init(isColored: Bool, columns: Int) { (self.isColored, self.columns) = (isColored, columns) }
  }

  /// The content of its file.
  package enum Content: Sendable {
    case scenario(Scenario)
    /// What is wrong with it.
    case unreadable(String)
  }

  let path: String
  package let content: Content
  /// The planted bugs, in addition to the scenario's.
  let plants: Plants
  /// Its trace's file, if any.
  package var tracePath: String?

  /// Whether a warning is a failure.
  private let isStrict: Bool
  /// The command line's arguments about programs and truth.
  private let appWords: [String]

  /// Reads a file; an unreadable one becomes a case that fails.
  ///
  /// - Parameter arguments: The command line, for programs that play nodes.
  package init(_ path: String, plants: Plants = [], _ arguments: Arguments? = nil) throws(Failure) {
    self.path = path
    self.plants = plants
    appWords = arguments.map { AppOptions.words($0) + TruthOption.words($0) } ?? []
    isStrict = arguments?.has("--strict") ?? false
    var scenario: Scenario
    do throws(Failure) { scenario = try Scenario.load(path) } catch {
      content = .unreadable(error.text)
      return
    }
    scenario.plant(plants)
    if let seed = try arguments?.unsigned("--seed") { scenario.seed = seed }
    if let arguments {
      try AppOptions.apply(arguments, to: &scenario)
      TruthOption.apply(arguments, to: &scenario)
    }
    content = .scenario(scenario)
  }

  /// The scenario's name; the path of an unreadable one.
  package var name: String {
    switch content {
    case .scenario(let scenario): TerminalText.escape(scenario.name)
    case .unreadable: path
    }
  }

  /// Whether its name, its path or one of its search words contains a text.
  package func matches(_ text: String) -> Bool {
    guard !name.contains(text), !path.contains(text) else { return true }
    guard case .scenario(let scenario) = content else { return false }
    return scenario.tags.contains { $0.contains(text) }
  }

  /// Its result if a signal came before it started.
  package var skipped: CaseResult {
    var result = CaseResult(path: path, name: name, status: 128 + (StopSignal.number ?? 2), text: "stopped")
    if case .scenario(let scenario) = content { result.seed = scenario.seed }
    return result
  }

  /// Runs it.
  ///
  /// - Parameter onProgress: Called now and then with the progress.
  package func run(
    mode: RunOptions.Mode, layout: Layout, onProgress: ((String) -> Void)? = nil
  ) -> CaseResult {
    switch content {
    case .unreadable(let text):
      return CaseResult(path: path, name: name, status: 2, text: "cannot be read", findings: [text])
    case .scenario(let scenario):
      do throws(Failure) {
        return try run(scenario, mode, layout, OutputFile(named: tracePath, as: .trace), onProgress)
      } catch {
        let text = error.status == 2 ? "cannot be run" : "the environment failed"
        return CaseResult(
          path: path, name: name, seed: scenario.seed, status: error.status, text: text, findings: [error.text])
      }
    }
  }

  private func run(
    _ scenario: Scenario, _ mode: RunOptions.Mode, _ layout: Layout, _ file: OutputFile?,
    _ onProgress: ((String) -> Void)?
  ) throws(Failure) -> CaseResult {
    var result = CaseResult(path: path, name: name, seed: scenario.seed)
    let text = TraceText()
    var teller = Storyteller(header: scenario.header)
    var watched = RunWarnings(scenario)
    var options = RunOptions()
    options.mode = mode
    options.isStoppable = true
    options.showsPrograms = false
    options.output = { bytes in
      text.append(bytes)
      try file?.write(bytes)
    }
    options.onEvent = { event, line in
      result.story += teller.observe(event, line: line)
      watched.observe(event)
    }
    if let onProgress {
      options.onProgress = { instant in onProgress("\(scenario.name): \(StoryText.clock(instant))") }
    }
    let outcome = try ScenarioRun.run(scenario, options)
    if let file, outcome.traceError == nil {
      try file.commit()
      result.tracePath = tracePath
    }
    result.status = outcome.status
    result.wallSeconds = outcome.wallSeconds
    result.text =
      outcome.status == 0
      ? "\(StoryText.length(outcome.simulated, places: 0)), \(StoryText.count(outcome.events, "event")), \(outcome.verdictText)"
      : outcome.verdictText
    let again =
      [Terminal.program, CommandName.run, path, "--seed", String(scenario.seed)]
      + (scenario.programs.isEmpty ? ["--mode", mode.rawValue] : []) + appWords + PlantCatalog.words(plants)
    result.repeatCommand = CommandWords.join(again)
    let findings = RunFindings(
      outcome: outcome, path: path, header: scenario.header, text: text, repeatCommand: result.repeatCommand)
    result.findings = findings.paragraphs(isColored: layout.isColored, columns: layout.columns - 6)
    result.plainFindings = layout.isColored ? findings.paragraphs() : result.findings
    result.causes = findings.causes
    if !outcome.wasStopped { warn(watched.finish(outcome.expectations), in: &result) }
    return result
  }
}

extension ScenarioCase {
  /// Adds warnings about what could not matter in a run; with `--strict` they fail it.
  private func warn(_ found: [RunWarnings.Warning], in result: inout CaseResult) {
    guard !found.isEmpty else { return }
    result.warnings = found.map { TerminalText.escape($0.text) }
    result.text += ", \(StoryText.count(found.count, "warning"))"
    guard isStrict else { return }
    result.status = max(result.status, 1)
    let warnings = result.warnings.map { "warning: \($0)" }
    result.findings += warnings
    if !result.plainFindings.isEmpty || result.findings.count > warnings.count { result.plainFindings += warnings }
  }
}

/// The result of one scenario's run.
package struct CaseResult: Sendable {
  var path: String
  package var name: String
  package var seed: UInt64?
  /// As an exit status.
  package var status: Int32 = 0
  /// Whether a signal came before it was over.
  package var wasStopped: Bool { status > 128 }
  /// What could not matter in it: an expectation that nothing put to the test, a fault that never struck.
  package var warnings: [String] = []
  /// Why it was not judged; nil if it was.
  var unjudged: String?
  /// The verdict in a word, for tables.
  package var verdict: String { status == 0 ? "pass" : status == 1 ? "FAIL" : wasStopped ? "stopped" : "ERROR" }
  /// What failed, and for an expectation or invariant why, in one line; the summary if nothing of the kind failed.
  package var reason: String {
    guard let first = causes.first else { return text }
    return first.text + (causes.count > 1 ? " (and \(causes.count - 1) more)" : "")
  }
  /// A short summary.
  package var text = ""
  /// What went wrong, a paragraph each, as the screen shows it.
  package var findings: [String] = []
  /// The same without colours; empty if they are the same.
  package var plainFindings: [String] = []
  /// The broken invariants and unmet expectations; empty if it failed otherwise.
  var causes: [CaseCause] = []
  var story: [StoryLine] = []
  var wallSeconds = 0.0
  /// The file of its trace; nil if none was written.
  package var tracePath: String?
  /// The command that repeats it.
  package var repeatCommand = ""
  /// The file of its bundle; nil if none was written.
  package var bundlePath: String?
}

/// One reason why a run failed: a broken invariant, or an expectation that is not met.
package struct CaseCause: Sendable, Equatable {
  /// The invariant's name, or `expectation`.
  var check: String
  /// What is wrong, such as `not met: Within 7 s after the link is back, ...`.
  var title: String
  /// Why, with the nearest miss if there is one.
  var reason: String
  /// The expectation as the scenario has it; nil for an invariant.
  var expectation: String?
  /// Where the scenario's file has the expectation; nil for an invariant.
  var position: TextPosition?
  /// The reason with the lines of the trace that show it, and the story around them.
  var details: String

  /// In one line.
  var text: String { "\(title): \(reason)" }
}

/// Runs cases on several threads and passes on their results in the order of the cases.
package final class CaseQueue: Sendable {
  private struct State {
    /// The index of the next case to start.
    var next = 0
    var results: [CaseResult?]
  }

  private let cases: [ScenarioCase]
  private let state: Mutex<State>
  /// Signalled for every finished case.
  private let done = DispatchSemaphore(value: 0)

  package init(_ cases: [ScenarioCase]) {
    self.cases = cases
    state = Mutex(State(results: cases.map { _ in nil }))
  }

  /// Runs all cases.
  ///
  /// - Parameters:
  ///   - jobs: How many at a time, at least 1.
  ///   - run: Runs one; called on several threads at once.
  ///   - take: Receives each result in the order of the cases.
  package func run(jobs: Int, _ run: @escaping @Sendable (ScenarioCase) -> CaseResult, take: (CaseResult) -> Void) {
    for _ in 0..<min(jobs, cases.count) {
      let thread = Thread { [self] in
        while let index = begin() { end(index, run(cases[index])) }
      }
      // Like the main thread's: the limit of a scenario's nesting assumes it.
      thread.stackSize = 8 << 20
      thread.start()
    }
    for index in cases.indices {
      while true {
        if let result = state.withLock({ $0.results[index].take() }) {
          take(result)
          break
        }
        done.wait()
      }
    }
  }

  private func begin() -> Int? {
    state.withLock { state in
      guard state.next < cases.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  private func end(_ index: Int, _ result: CaseResult) {
    state.withLock { $0.results[index] = result }
    done.signal()
  }
}
