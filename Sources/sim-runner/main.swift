import CSystem
import Foundation

// The chunks of a file come and go, and are as large as what is otherwise taken from the system each time.
cs_keep_freed_memory()
exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
