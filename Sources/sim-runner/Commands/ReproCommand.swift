import Experiments
import Simulator
import Console
import Link
import LinkTransport

/// `sim-runner repro`: runs a bundle again, and compares the traces.
enum ReproCommand: Command {
  static let name = "repro"
  static let about = "repeats the run of a bundle, or names what differs"
  static let usage = "BUNDLE [OPTIONS]"
  static let options: [Option] =
    [.output("--trace", "FILE", "write the trace of this machine's original run here"), RunSettings.json]
    + AppOptions.all
  static let details = """
    A bundle (NAME.wristwire) is written by `run --bundle FILE`, by `test --bundles DIR` and for each group of failures of
    `sweep`. It is a tar archive: `tar xf` unpacks it, and its scenarios run where they are unpacked. Its trace must be
    repeated byte for byte; so must that of the shrunk scenario, if it has one. Scenario, seed, verdict and findings
    must be those of its manifest. Programs that play nodes are not inside: --watch-cmd and --phone-cmd name them;
    --run-programs starts those that the bundle names, which are printed first.

    Exit status: 0 repeated, whether the run passed or failed; 1 it differs, and the first difference is printed; 2 the
    file is damaged or no bundle; 3 the environment failed; 130 stopped by Ctrl-C.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the bundle")
    let output = try OutputFile(named: arguments.value("--trace"), as: .trace)
    let reproduction = Reproduction(bundle: try RunBundle(path), path: path, arguments: arguments)
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let results = try reproduction.run()
    if let original = results.first { try output?.finish(original.trace) }
    if results.contains(where: \.outcome.wasStopped) {
      Terminal.error("stopped before the end of the run, so not compared")
      return 128 + (StopSignal.number ?? 2)
    }
    let isRepeated = results.allSatisfy(\.isRepeated)
    let builds = reproduction.buildDifferences(from: .own)
    if arguments.has("--json") {
      JSONOutput.print(members(reproduction, results, builds))
    } else {
      let screen = Screen(onStandardError: false)
      for line in text(reproduction, results, builds, screen) { screen.show(lines: line) }
    }
    return isRepeated ? 0 : 1
  }

  private static func text(
    _ reproduction: Reproduction, _ results: [Reproduction.Result], _ builds: [String], _ screen: Screen
  ) -> [String] {
    let manifest = reproduction.bundle.manifest
    var lines = ["\(TerminalText.escape(manifest.scenario)), seed \(manifest.seed)"]
    for result in results {
      let (word, style): (String, Terminal.Style) = result.isRepeated ? ("repeated", .green) : ("differs", .red)
      let sum = "\(StoryText.count(result.outcome.events, "event")), \(BundledRun.verdict(result.outcome))"
      lines.append(screen.styled(word, style) + "  \(result.name): \(sum)")
      let findings = BundledRun.findings(result.outcome)
      for finding in findings.prefix(RunFindings.violationsMax) {
        lines += wrap(TerminalText.escape(finding), to: screen.columns - 4).map { "    \($0)" }
      }
      lines += result.differences.map { "  \(TerminalText.escape($0))" }
    }
    // Another build may well repeat a run; it explains one that differs.
    guard results.contains(where: { !$0.isRepeated }) else { return lines }
    return lines
      + (builds.isEmpty ? ["  the same program made the bundle"] : builds.map { "  \(TerminalText.escape($0))" })
  }

  private static func members(
    _ reproduction: Reproduction, _ results: [Reproduction.Result], _ builds: [String]
  ) -> JSONFields {
    let manifest = reproduction.bundle.manifest
    return [
      "scenario": .string(manifest.scenario), "seed": .string(String(manifest.seed)),
      "verdict": .string(results.allSatisfy(\.isRepeated) ? "repeated" : "different"),
      "command": .string(manifest.command),
      "runs": .objects(results) { result in
        [
          "run": .string(result.name), "repeated": .bool(result.isRepeated),
          "verdict": .string(BundledRun.verdict(result.outcome)), "traceDigest": .text(result.outcome.traceDigest),
          "expectedDigest": .string(result.recorded.digest), "findings": .texts(BundledRun.findings(result.outcome)),
          "differences": .texts(result.differences),
        ]
      }, "buildDifferences": .texts(builds),
    ]
  }
}
