package import Simulator
import TraceTools
package import Console
import Foundation
import Link
import LinkTransport

/// Runs a bundle's scenarios again, and compares their traces with the bundle's.
package struct Reproduction {
  /// The result of one run.
  package struct Result {
    /// `original` or `shrunk`.
    package var name: String
    package var recorded: BundleManifest.Run
    package var outcome: RunOutcome
    /// The trace of this machine.
    package var trace: [UInt8]
    /// How traces and results differ, a line each; empty if they do not.
    package var differences: [String]

    package var isRepeated: Bool { differences.isEmpty }
  }

  package let bundle: RunBundle
  /// The bundle's file, for messages.
  package let path: String
  /// The command line, for programs that are elsewhere on this machine.
  package let arguments: Arguments

  package init(bundle: RunBundle, path: String, arguments: Arguments) {
    (self.bundle, self.path, self.arguments) = (bundle, path, arguments)
  }

  /// Runs the original, then the shrunk scenario.
  ///
  /// - Throws: ``Failure/input(_:)`` for a scenario in the bundle that cannot be read or run.
  package func run() throws(Failure) -> [Result] {
    let folder: TemporaryDirectory
    do throws(SystemCallError) { folder = try TemporaryDirectory() } catch { throw .environment("repro: \(error)") }
    try bundle.unpack(to: folder.path)
    var results: [Result] = []
    for (name, recorded) in bundle.manifest.runs {
      let (outcome, trace, scenario) = try run(recorded.scenario, in: folder.path)
      var differences: [String] = []
      if !outcome.wasStopped, Digest.text(Digest.sha256(trace)) != recorded.digest {
        differences = TraceComparison.differences(bundle[recorded.trace] ?? [], trace)
      }
      if !outcome.wasStopped { differences += resultDifferences(recorded, outcome, scenario) }
      results.append(
        Result(name: name, recorded: recorded, outcome: outcome, trace: trace, differences: differences))
      if outcome.wasStopped { break }
    }
    withExtendedLifetime(folder) {}
    return results
  }

  private func run(
    _ file: String, in folder: String
  ) throws(Failure) -> (outcome: RunOutcome, trace: [UInt8], scenario: Scenario) {
    var used = Scenario()
    do throws(Failure) {
      let (outcome, trace) = try BundledRun.run("\(folder)/\(file)") { (scenario) throws(Failure) in
        // A bundle is anyone's, whatever mark its scenario has.
        try AppOptions.apply(arguments, to: &scenario, isForeign: true)
        used = scenario
      }
      return (outcome, trace, used)
    } catch {
      // The user has the bundle, and not the folder that it was unpacked to.
      let prefix = "\(folder)/"
      switch error {
      case .input(let text): throw .input(text.replacing(prefix, with: "\(path)/"))
      case .problems(let lines): throw .problems(lines.map { $0.replacing(prefix, with: "\(path)/") })
      case .environment(let text): throw .environment(text.replacing(prefix, with: "\(path)/"))
      }
    }
  }

  /// What the manifest says of a run that is not so, a line each: a reader may have looked at nothing else.
  private func resultDifferences(
    _ recorded: BundleManifest.Run, _ outcome: RunOutcome, _ scenario: Scenario
  ) -> [String] {
    var lines: [String] = []
    func compare(_ what: String, _ before: String, _ now: String) {
      if before != now { lines += ["\(what) was  \(before)", "\(what) is   \(now)"] }
    }
    if recorded == bundle.manifest.original {
      compare("scenario", bundle.manifest.scenario, scenario.name)
      compare("seed", String(bundle.manifest.seed), String(scenario.seed))
    }
    compare("verdict", recorded.verdict, BundledRun.verdict(outcome))
    let (before, now) = (recorded.findings, BundledRun.findings(outcome))
    lines += before.filter { !now.contains($0) }.map { "finding was  \($0)" }
    lines += now.filter { !before.contains($0) }.map { "finding is   \($0)" }
    return lines
  }

  /// How this program differs from the one that made the bundle, a line each.
  package func buildDifferences(from own: BuildIdentity) -> [String] {
    let made = bundle.manifest.build
    var lines: [String] = []
    func compare(_ what: String, _ before: String?, _ now: String?) {
      guard before != now else { return }
      lines.append("\(what): \(before ?? "unknown") made the bundle, this is \(now ?? "unknown")")
    }
    compare("version", made.version, own.version)
    compare("commit", made.commit, own.commit)
    compare("program's SHA-256", made.digest.map { "\($0.prefix(16))..." }, own.digest.map { "\($0.prefix(16))..." })
    return lines
  }
}

/// Finds where two traces of the same scenario diverge.
enum TraceComparison {
  /// Characters of a quoted line.
  private static let lineMax = 300

  /// The differences; none if only the commands of the header's programs differ, whose digests are the same.
  static func differences(_ before: [UInt8], _ after: [UInt8]) -> [String] {
    let feed = UInt8(ascii: "\n")
    var (first, second) = (before.split(separator: feed)[...], after.split(separator: feed)[...])
    var number = 1
    while let old = first.first, let new = second.first {
      guard old == new || number == 1 && areAlike(old, new) else {
        return ["line \(number) was  \(quoted(old))", "line \(number) is   \(quoted(new))"] + decisions(before, after)
      }
      first.removeFirst()
      second.removeFirst()
      number += 1
    }
    if let old = first.first { return ["line \(number) was  \(quoted(old))", "line \(number) is   missing"] }
    if let new = second.first { return ["line \(number) was  missing", "line \(number) is   \(quoted(new))"] }
    return []
  }

  /// Whether two headers differ only in the commands of apps of the same digest.
  private static func areAlike(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
    guard let old = withoutCommands(first), let new = withoutCommands(second) else { return false }
    return old == new
  }

  private static func withoutCommands(_ line: ArraySlice<UInt8>) -> JSONNode? {
    guard let node = try? JSONParser.parse(Array(line), dialect: .json), case .object(var members) = node.value,
      let index = members.firstIndex(where: { $0.key == ProgramsHeader.key }),
      case .object(var programs) = members[index].node.value
    else { return nil }
    for place in programs.indices {
      // Without a digest the programs cannot be compared.
      guard case .object(let fields) = programs[place].node.value, fields.contains(where: { $0.key == "sha256" }) else {
        return nil
      }
      programs[place].node.value = .object(fields.filter { $0.key != "command" })
    }
    members[index].node.value = .object(programs)
    return try? JSONParser.parse(JSONWriter.compact(JSONNode(.object(members))), dialect: .json)
  }

  /// The first decision that differs; none if all are the same.
  private static func decisions(_ before: [UInt8], _ after: [UInt8]) -> [String] {
    guard let old = try? RecordedTrace("the bundle", before), let new = try? RecordedTrace("this run", after) else {
      return []
    }
    let difference = TraceDifference(Decision.all(of: old), Decision.all(of: new))
    guard let first = difference.firstDifference else { return ["every decision is the same"] }
    let step = difference.steps[first]
    return ["the first decision that differs is at \(StoryText.clock(step.time)):"]
      + [("was", step.before), ("is", step.after)].map { word, decision in
        "  \(word)  \(decision.map { quoted(($0.text + $0.place).utf8) } ?? "missing")"
      }
  }

  private static func quoted(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.count > lineMax ? text.prefix(lineMax) + "..." : text
  }
}
