import CSystem
public import Glibc
import Link
import Synchronization

/// Temporary files and folders of killed processes, and how to distinguish them from those in use.
///
/// The creator of a temporary item holds a lock on it (`flock`) until it exits; the kernel releases the lock when the
/// process dies. So an item with one of our names that belongs to this user and can be locked is a leftover. Names
/// contain the computer's name, because locks of other computers may be invisible on a network file system.
public enum Leftovers {
  /// The prefix of this computer's temporary files and folders.
  public static let prefix = "wristwire-\(hostMark)-"

  /// Locks a file or folder that this process has just created.
  ///
  /// - Returns: False if another process removed it first with ``sweep(_:prefix:suffix:kind:)``: create another one.
  ///   Also true on a file system without locks, where nothing is ever removed.
  public static func claim(_ descriptor: CInt) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return errno != EWOULDBLOCK }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// Removes what dead processes of this user left in a folder; once per folder and process.
  ///
  /// - Parameters:
  ///   - folder: The folder; subfolders are not searched.
  ///   - prefix: The prefix of names.
  ///   - suffix: The suffix of names.
  ///   - kind: `S_IFREG` or `S_IFDIR`; symbolic links are never followed.
  public static func sweep(_ folder: String, prefix: String = prefix, suffix: String = "", kind: mode_t) {
    let key = "\(kind) \(prefix) \(suffix) \(folder)"
    guard swept.withLock({ $0.insert(key).inserted }), let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    for name in DirectoryNames(directory: directory) {
      guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { continue }
      remove(name, in: dirfd(directory), path: "\(folder)/\(name)", kind: kind)
    }
  }

  private static func remove(_ name: String, in folder: CInt, path: String, kind: mode_t) {
    let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == kind, status.st_uid == geteuid(),
      kind == S_IFDIR || status.st_nlink == 1, flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    // The locked item must be the one that the name still refers to.
    var named = stat()
    guard fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0, named.st_ino == status.st_ino,
      named.st_dev == status.st_dev
    else { return }
    if kind == S_IFDIR { TemporaryDirectory.removeAll(path) } else { unlinkat(folder, name, 0) }
  }

  private static let swept = Mutex<Set<String>>([])

  /// Eight hexadecimal digits derived from this computer's name.
  private static let hostMark: String = {
    var text = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    gethostname(&text, text.count)
    let name = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(Digest.text(Digest.prefix(name)).prefix(8))
  }()
}

/// The names in an open folder, including `.` and `..`, in the order of the file system.
struct DirectoryNames: Sequence, IteratorProtocol {
  /// From `opendir`; the caller closes it.
  let directory: OpaquePointer

  mutating func next() -> String? {
    cs_next_name(directory).map { String(cString: $0) }
  }
}
