internal import Glibc
internal import Link

/// A file that is open, until its last user lets go of it.
final class OpenFile {
  /// How a file is opened.
  enum Purpose {
    /// To be read; it must be there.
    case reading
    /// To be written; it is made where it is missing.
    case writing
    /// To be written; it must not be there.
    case making
  }

  let path: String
  private let descriptor: Int32

  /// Opens a file for nobody's eyes but the user's; nil where it should be there and is not, or the other way round.
  init?(_ path: String, for purpose: Purpose) throws(StoreError) {
    let flags =
      switch purpose {
      case .reading: O_RDONLY
      case .writing: O_RDWR | O_CREAT
      case .making: O_RDWR | O_CREAT | O_EXCL
      }
    descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600)
    self.path = path
    guard descriptor >= 0 else {
      if errno == ENOENT, purpose == .reading { return nil }
      if errno == EEXIST, purpose == .making { return nil }
      throw FileSystem.error("open \(path)")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Its length, in bytes.
  func byteCount() throws(StoreError) -> UInt64 {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileSystem.error("look at \(path)") }
    return UInt64(status.st_size)
  }

  /// Reads so many bytes from an offset on, or those up to the end.
  func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    var failure: StoreError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let piece = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, Int(offset) + filled)
        if piece > 0 {
          filled += piece
        } else if piece == 0 {
          return
        } else if errno != EINTR {
          failure = FileSystem.error("read \(path)")
          return
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes bytes at an offset.
  func write(_ bytes: [UInt8], at offset: UInt64) throws(StoreError) {
    let isWritten = unsafe bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let piece = unsafe pwrite(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done, Int(offset) + done)
        if piece >= 0 { done += piece } else if errno != EINTR { return false }
      }
      return true
    }
    guard isWritten else { throw FileSystem.error("write \(path)") }
  }

  /// Cuts it off.
  func truncate(to byteCount: UInt64) throws(StoreError) {
    guard ftruncate(descriptor, Int(byteCount)) == 0 else { throw FileSystem.error("cut off \(path)") }
  }

  /// Waits until the disk has it.
  func sync() throws(StoreError) {
    guard fdatasync(descriptor) == 0 else { throw FileSystem.error("write \(path) out") }
  }
}

/// What is done with files by their names.
enum FileSystem {
  /// What a path leads to.
  enum Kind { case nothing, file, folder, other }

  /// What a path leads to.
  static func kind(of path: String) throws(StoreError) -> Kind {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return .nothing }
      throw error("look at \(path)")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// A file's length, in bytes.
  static func byteCount(of path: String) throws(StoreError) -> UInt64 {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw error("look at \(path)") }
    return UInt64(status.st_size)
  }

  /// Makes a folder for nobody's eyes but the user's, where it is missing.
  static func makeFolder(_ path: String) throws(StoreError) {
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw error("make folder \(path)") }
  }

  /// Renames a file, over another one of that name.
  ///
  /// - Returns: Whether it was there.
  static func rename(_ path: String, to other: String) throws(StoreError) -> Bool {
    if unsafe Glibc.rename(path, other) == 0 { return true }
    if errno == ENOENT { return false }
    throw error("rename \(path) to \(other)")
  }

  /// Removes a file, where it is there.
  static func remove(_ path: String) throws(StoreError) {
    if unsafe unlink(path) != 0, errno != ENOENT { throw error("remove \(path)") }
  }

  /// Waits until the disk has the names in a folder.
  static func sync(folder: String) throws(StoreError) {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error("open \(folder)") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw error("write \(folder) out") }
  }

  /// The names in a folder, in order.
  static func names(in folder: String) throws(StoreError) -> [String] {
    guard let directory = unsafe opendir(folder) else { throw error("list \(folder)") }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The error of the last system call.
  static func error(_ action: String) -> StoreError {
    let code = errno
    let isFull = code == ENOSPC || code == EDQUOT
    return StoreError(isFull ? .full : .system, "\(action): \(systemText(code))")
  }

  /// What an error number of the system means, and where it helps how to get out of it.
  static func systemText(_ code: Int32) -> String {
    let text = unsafe String(cString: strerror(code))
    return code == EMFILE ? "\(text) in one process; raise the limit with ulimit -n" : text
  }
}
