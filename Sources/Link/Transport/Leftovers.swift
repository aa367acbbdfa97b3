public import Glibc
import Link
import Synchronization

/// Temporary files and folders of processes that were killed, and how to distinguish them from those in use.
///
/// Who makes one holds a lock on it (`flock`) for as long as it lives; the kernel drops the lock when the process dies.
/// So what bears one of our names, belongs to this user, and can be locked, is left over. Names hold the computer's name,
/// because on a network file system locks of other computers may be invisible.
public enum Leftovers {
  /// What the names of this computer's temporary files and folders begin with.
  public static let prefix = "wristwire-\(hostMark)-"

  /// Locks a file or folder that this process has just made.
  ///
  /// - Returns: False when ``sweep(_:prefix:suffix:kind:)`` of another process was quicker and removed it: make another
  ///   one. True also where the file system has no locks; there nothing is ever swept.
  public static func claim(_ descriptor: CInt) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return errno != EWOULDBLOCK }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// Removes what dead processes of this user left in a folder; once for each folder in the life of a process.
  ///
  /// - Parameters:
  ///   - folder: Where to look, not below it.
  ///   - prefix: What a name begins with.
  ///   - suffix: What it ends with.
  ///   - kind: `S_IFREG` or `S_IFDIR`; links are never followed.
  public static func sweep(_ folder: String, prefix: String = prefix, suffix: String = "", kind: mode_t) {
    let key = "\(kind) \(prefix) \(suffix) \(folder)"
    guard swept.withLock({ $0.insert(key).inserted }), let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
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
    // What was locked must be what the name still leads to.
    var named = stat()
    guard fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0, named.st_ino == status.st_ino,
      named.st_dev == status.st_dev
    else { return }
    if kind == S_IFDIR { TemporaryDirectory.removeAll(path) } else { unlinkat(folder, name, 0) }
  }

  private static let swept = Mutex<Set<String>>([])

  /// Eight hexadecimal digits for this computer's name.
  private static let hostMark: String = {
    var system = utsname()
    uname(&system)
    let name = withUnsafeBytes(of: &system.nodename) { bytes in Array(bytes.prefix { $0 != 0 }) }
    return String(Digest.text(Digest.prefix(name)).prefix(8))
  }()
}
