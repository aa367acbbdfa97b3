import TraceTools
import Console
import Foundation
import Link
import LinkStore
import PhoneSim

/// `sim-runner inspect`: the stored state of a run's devices.
enum InspectCommand: Command {
  static let name = "inspect"
  static let about = "prints the content of a state folder: runs, queues, transfers, played lines"
  static let usage = "STATE_DIR [--artifact ID] [--json]"
  static let options: [Option] = [
    .value("--artifact", "ID", "only what a training session shares, as JSON; all for every session"),
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
}
