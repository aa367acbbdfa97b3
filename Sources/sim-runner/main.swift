import CSystem
import Foundation

// Freed memory is kept: chunks of a file are as large as what would otherwise be returned to and requested from the
// system each time.
cs_keep_freed_memory()
exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
