import CSystem
import Commands
import Foundation
import LinkTransport

// As in sim-runner's main: a run is measured as it is there.
cs_keep_freed_memory()
FileSizeSignal.ignore()
CommandLineTool.setGuard()
let status = CommandLineTool.run(
  Array(CommandLine.arguments.dropFirst()), adding: [BenchCommand.self, BenchPeerCommand.self])
Orphans.kill()
exit(status)
