internal import Glibc
internal import Link

/// An open file; closed when its last reference is released.
final class OpenFile {
  /// The purpose of opening a file.
  enum Purpose {
    /// Reading; the file must exist.
    case reading
    /// Writing; the file is created if missing.
    case writing
    /// Writing; the file must not exist.
    case making
  }

  let path: String
  private let descriptor: Int32

  /// Opens a file with permissions for the user only; nil if its existence does not match the purpose.
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

  /// Its length in bytes.
  func byteCount() throws(StoreError) -> UInt64 {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileSystem.error("look at \(path)") }
    return UInt64(status.st_size)
  }

  /// Reads `count` bytes from an offset, or fewer at the end.
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

  /// Truncates it.
  func truncate(to byteCount: UInt64) throws(StoreError) {
    guard ftruncate(descriptor, Int(byteCount)) == 0 else { throw FileSystem.error("truncate \(path)") }
  }

  /// Waits until it is on the disk.
  func sync() throws(StoreError) {
    guard fdatasync(descriptor) == 0 else { throw FileSystem.error("write \(path) out") }
  }
}

/// Operations on files by path.
enum FileSystem {
  /// The type of a file.
  enum Kind { case nothing, file, folder, other }

  /// The type of the file at a path.
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

  /// The length of a file in bytes.
  static func byteCount(of path: String) throws(StoreError) -> UInt64 {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw error("look at \(path)") }
    return UInt64(status.st_size)
  }

  /// Creates a folder with permissions for the user only, if missing.
  static func makeFolder(_ path: String) throws(StoreError) {
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw error("make folder \(path)") }
  }

  /// Renames a file, replacing one with the new name.
  ///
  /// - Returns: Whether it existed.
  static func rename(_ path: String, to other: String) throws(StoreError) -> Bool {
    if unsafe Glibc.rename(path, other) == 0 { return true }
    if errno == ENOENT { return false }
    throw error("rename \(path) to \(other)")
  }

  /// Gives a file a second name, which must be free; where the file system has no second names, copies it.
  ///
  /// - Returns: Whether it existed.
  static func link(_ path: String, as other: String) throws(StoreError) -> Bool {
    if unsafe Glibc.link(path, other) == 0 { return true }
    if errno == ENOENT { return false }
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw error("link \(path) as \(other)") }
    return try copy(path, as: other)
  }

  /// Copies a file to a free name.
  ///
  /// - Returns: Whether it existed.
  static func copy(_ path: String, as other: String) throws(StoreError) -> Bool {
    guard let source = try OpenFile(path, for: .reading) else { return false }
    guard let target = try OpenFile(other, for: .making) else {
      throw StoreError(.system, "\(other): found a file, expected none")
    }
    var offset: UInt64 = 0
    while true {
      let piece = try source.read(at: offset, count: 1 << 17)
      guard !piece.isEmpty else { break }
      try target.write(piece, at: offset)
      offset += UInt64(piece.count)
    }
    try target.sync()
    return true
  }

  /// Removes a file if it exists.
  static func remove(_ path: String) throws(StoreError) {
    if unsafe unlink(path) != 0, errno != ENOENT { throw error("remove \(path)") }
  }

  /// Waits until a folder's entries are on the disk.
  static func sync(folder: String) throws(StoreError) {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error("open \(folder)") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw error("write \(folder) out") }
  }

  /// The sorted names in a folder.
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
    let isFull = code == ENOSPC || code == EDQUOT || code == EFBIG
    return StoreError(isFull ? .full : .system, "\(action): \(systemText(code))")
  }

  /// How many bytes a file of this process may have (`ulimit -f`); nil for no limit.
  static var fileBytesLimit: UInt64? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return nil }
    return limit.rlim_cur == .max ? nil : UInt64(limit.rlim_cur)
  }

  /// The system's message for an error number, with advice for some.
  static func systemText(_ code: Int32) -> String {
    let text = unsafe String(cString: strerror(code))
    return switch code {
    case EMFILE: "\(text) in one process; raise the limit with ulimit -n"
    case EFBIG: "\(text); raise the limit with ulimit -f"
    default: text
    }
  }
}
