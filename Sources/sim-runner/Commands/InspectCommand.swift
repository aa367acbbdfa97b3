import Foundation
import Link
import LinkStore

/// `sim-runner inspect`: what the devices of a run have kept.
enum InspectCommand: Command {
  static let name = "inspect"
  static let about = "what a state folder holds: runs, queues, transfers, played lines"
  static let usage = "STATE_DIR [--json]"
  static let options: [Option] = [.flag("--json", "one JSON object on standard output")]
  static let details = """
    STATE_DIR is what `run --state-dir` was given, or the folder of one device in it. Nothing in it is changed,
    and what a killed process left behind is read as the next start would find it. Each store is checked as a
    whole; a damaged one is told and ends with exit status 2. Of a queue at most 1,000 entries are listed.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let folder = FilePath.resolve(
      try arguments.onlyOperand("the state folder"), in: FileManager.default.currentDirectoryPath)
    let devices = try StateInspection.devices(in: folder)
    if arguments.has("--json") {
      JSONOutput.print([JSONMember("devices", JSONOutput.objects(devices.map { $0.members }))])
    } else {
      for (index, device) in devices.enumerated() {
        if index > 0 { Terminal.print("") }
        for line in device.lines { Terminal.print(line) }
      }
    }
    return devices.contains { !$0.findings.isEmpty } ? 2 : 0
  }
}
