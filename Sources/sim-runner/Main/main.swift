import CSystem
import Commands
import Foundation
import LinkTransport

// Freed memory is kept: chunks of a file are as large as what would otherwise be returned to and requested from the
// system each time.
cs_keep_freed_memory()
FileSizeSignal.ignore()
CommandLineTool.setGuard()
let status = CommandLineTool.run(Array(CommandLine.arguments.dropFirst()))
Orphans.kill()
exit(status)
