import Link

/// One scenario among those that `test` runs.
struct ScenarioCase {
  /// What its file holds.
  enum Content {
    case scenario(Scenario)
    /// What is wrong with it.
    case unreadable(String)
  }

  let path: String
  let content: Content

  /// Reads a file; one that cannot be read becomes a case that fails.
  init(_ path: String) {
    self.path = path
    do throws(Failure) { content = .scenario(try Scenario.load(path)) } catch { content = .unreadable(error.text) }
  }

  /// The scenario's name; the path of one that cannot be read.
  var name: String {
    switch content {
    case .scenario(let scenario): StoryText.tame(scenario.name)
    case .unreadable: path
    }
  }

  /// Whether its name or its path holds a text.
  func matches(_ text: String) -> Bool { name.contains(text) || path.contains(text) }

  /// Runs it.
  func run(mode: RunOptions.Mode, screen: Screen) -> CaseResult {
    switch content {
    case .unreadable(let text): CaseResult(path: path, name: name, status: 2, text: "cannot be read", findings: [text])
    case .scenario(let scenario): run(scenario, mode: mode, screen: screen)
    }
  }

  private func run(_ scenario: Scenario, mode: RunOptions.Mode, screen: Screen) -> CaseResult {
    var result = CaseResult(path: path, name: name, seed: scenario.seed)
    let text = TraceText()
    var teller = Storyteller(header: scenario.header)
    var options = RunOptions()
    options.mode = mode
    options.isStoppable = true
    options.output = { text.append($0) }
    options.onEvent = { event, line in result.story += teller.observe(event, line: line) }
    options.onProgress = { instant in screen.progress { "\(scenario.name): \(StoryText.clock(instant))" } }
    let outcome: RunOutcome
    do throws(Failure) {
      outcome = try ScenarioRun.run(scenario, options)
    } catch {
      result.status = error.status
      result.text = error.status == 2 ? "cannot be run" : "the environment failed"
      result.findings = [error.text]
      return result
    }
    result.status = outcome.status
    result.wallSeconds = outcome.wallSeconds
    result.text =
      outcome.status == 0
      ? "\(StoryText.length(outcome.simulated, places: 0)), \(StoryText.count(outcome.events, "event")), \(outcome.verdictText)"
      : outcome.verdictText
    let again = [Terminal.program, RunCommand.name, path, "--seed", String(scenario.seed), "--mode", mode.rawValue]
    let findings = Findings(
      outcome: outcome, story: result.story, text: text, repeatCommand: CommandWords.join(again))
    result.findings = findings.paragraphs(isColored: screen.isColored, columns: screen.columns - 6)
    result.plainFindings = screen.isColored ? findings.paragraphs() : result.findings
    return result
  }
}

/// What a run of one scenario came to.
struct CaseResult {
  var path: String
  var name: String
  var seed: UInt64?
  /// As an exit status.
  var status: Int32 = 0
  /// In a few words.
  var text = ""
  /// What went wrong, a paragraph each, as the screen shows it.
  var findings: [String] = []
  /// The same without colours; empty where they are the same.
  var plainFindings: [String] = []
  var story: [StoryLine] = []
  var wallSeconds = 0.0
}
