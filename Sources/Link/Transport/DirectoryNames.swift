import CSystem
import Glibc

/// The names in an open folder, including `.` and `..`, in the order of the file system.
struct DirectoryNames: Sequence, IteratorProtocol {
  /// From `opendir`; the caller closes it.
  let directory: OpaquePointer

  mutating func next() -> String? {
    cs_next_name(directory).map { String(cString: $0) }
  }
}
