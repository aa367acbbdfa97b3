import Glibc

/// The names in an open folder, including `.` and `..`, in the order of the file system.
struct DirectoryNames: Sequence, IteratorProtocol {
  /// From `opendir`; the caller closes it.
  let directory: OpaquePointer

  mutating func next() -> String? {
    guard let entry = readdir(directory) else { return nil }
    return withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
