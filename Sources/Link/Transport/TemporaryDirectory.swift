import Glibc

/// A new directory with mode 0700 that is removed with its contents when the value is destroyed.
///
/// `exit` destroys no values: a program must leave its scopes first. The next process that creates a directory in the
/// same place removes what a killed process left behind (``Leftovers``).
public struct TemporaryDirectory: ~Copyable, Sendable {
  /// Its path.
  public let path: String
  /// Holds the lock that marks the directory as in use.
  private let descriptor: CInt

  /// Creates a directory whose path leaves room for a socket's name.
  ///
  /// - Parameter root: The parent; nil for `$TMPDIR` if that is short enough, otherwise `/tmp`.
  public init(in root: String? = nil) throws(SystemCallError) {
    let shortEnough = UnixAddress.pathBytesMax - Self.name.utf8.count - UnixListener.socketName.utf8.count - 2
    let wanted = root ?? getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let usable = wanted.hasPrefix("/") && wanted.utf8.count <= shortEnough && access(wanted, W_OK | X_OK) == 0
    guard usable || root == nil else { throw SystemCallError("mkdtemp", ENAMETOOLONG, on: wanted) }
    let folder = usable ? wanted : "/tmp"
    Leftovers.sweep(folder, kind: S_IFDIR)
    while true {
      var template = Array("\(folder)/\(Self.name)".utf8CString)
      guard let made = mkdtemp(&template).map({ String(cString: $0) }) else {
        throw SystemCallError("mkdtemp", errno, on: folder)
      }
      let opened = open(made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      // Another process may have removed it before it was locked.
      if opened < 0, errno == ENOENT { continue }
      guard opened >= 0 else {
        let code = errno
        rmdir(made)
        throw SystemCallError("open", code, on: made)
      }
      guard Leftovers.claim(opened) else {
        close(opened)
        continue
      }
      path = made
      descriptor = opened
      return
    }
  }

  deinit {
    Self.removeAll(path)
    close(descriptor)
  }

  private static let name = Leftovers.prefix + "XXXXXX"

  /// Removes a directory with its contents, as far as possible; symbolic links are not followed.
  static func removeAll(_ path: String) {
    if let directory = opendir(path) {
      for name in DirectoryNames(directory: directory) where name != "." && name != ".." {
        let child = "\(path)/\(name)"
        var status = stat()
        guard lstat(child, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR { removeAll(child) } else { unlink(child) }
      }
      closedir(directory)
    }
    rmdir(path)
  }
}
