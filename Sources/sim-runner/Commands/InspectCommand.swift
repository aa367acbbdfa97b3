import TraceTools
import CoachProtocol
import Console
import Foundation
import Link
import LinkStore
import PhoneSim

/// `sim-runner inspect`: the stored state of a run's devices.
enum InspectCommand: Command {
  static let name = "inspect"
  static let about = "prints the content of a state folder: runs, queues, transfers, played lines"
  static let usage = "STATE_DIR [--artifact ID] [--from DAY --to DAY --discipline NAME] [--json]"
  static let options: [Option] = [
    .value("--artifact", "ID", "only what a training session shares, as JSON; all for every session"),
    .value("--from", "DAY", "only the training sessions from this day on (UTC), with their totals and skills"),
    .value("--to", "DAY", "the same, up to this day"),
    .value("--discipline", "NAME", "the same, of one discipline"),
    .flag("--json", "one JSON object on standard output"),
  ]
  static let details = """
    STATE_DIR is the folder of `run --state-dir`, or the folder of one device in it. Nothing in it is changed,
    and a store that a killed process left is read as the next start would find it. Each store is checked
    completely; a damaged one is reported, with exit status 2. At most 1,000 entries of a queue are listed.
    An artifact is made from the session when it is asked for: one JSON object a line.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let folder = FilePath.resolve(
      try arguments.onlyOperand("the state folder"), in: FileManager.default.currentDirectoryPath)
    if let wanted = arguments.value("--artifact") {
      let artifacts = try StateInspection.artifacts(in: folder, wanted)
      if arguments.has("--json") {
        JSONOutput.print(["artifacts": .objects(artifacts.map { $0.members })])
      } else {
        for artifact in artifacts { JSONOutput.print(artifact.members) }
      }
      return 0
    }
    if let report = try sessions(arguments, in: folder) {
      if arguments.has("--json") {
        JSONOutput.print(report.members)
      } else {
        for line in report.lines { Terminal.print(line) }
      }
      return 0
    }
    let devices = try StateInspection.devices(in: folder)
    if arguments.has("--json") {
      JSONOutput.print(["version": JSONOutput.version, "devices": .objects(devices.map { $0.members })])
    } else {
      for (index, device) in devices.enumerated() {
        if index > 0 { Terminal.print("") }
        for line in device.lines { Terminal.print(line) }
      }
    }
    return devices.contains { !$0.findings.isEmpty } ? 2 : 0
  }

  /// The training sessions that are asked for; nil if none of the three options is there.
  private static func sessions(
    _ arguments: Arguments, in folder: String
  ) throws(Failure) -> StateInspection.SessionReport? {
    let (from, to) = (try day("--from", arguments), try day("--to", arguments))
    let name = arguments.value("--discipline")
    guard from != nil || to != nil || name != nil else { return nil }
    let discipline = name.flatMap { TrainingDiscipline(rawValue: $0) }
    guard discipline != nil || name == nil else {
      let words = TrainingDiscipline.allCases.map(\.rawValue).joined(separator: ", ")
      throw .input("--discipline: found \"\(TerminalText.escape(name ?? ""))\", expected one of \(words)")
    }
    let first = from ?? LocalDay(text: "1970-01-01") ?? LocalDay(0)
    let last = to ?? LocalDay(text: "2200-01-01") ?? first
    guard first <= last else { throw .input("--to: found \(last.text), expected a day not before \(first.text)") }
    return try StateInspection.sessions(in: folder, days: first...last, discipline)
  }

  private static func day(_ option: String, _ arguments: Arguments) throws(Failure) -> LocalDay? {
    guard let text = arguments.value(option) else { return nil }
    guard let day = LocalDay(text: text) else {
      throw .input("\(option): found \"\(TerminalText.escape(text))\", expected a day such as 2026-05-09")
    }
    return day
  }
}
