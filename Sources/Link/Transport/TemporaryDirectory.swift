import Glibc

/// A fresh directory of mode 0700 that is removed with all it holds at the end of its life.
///
/// The end of a life does not come with `exit`: a program leaves its scopes first.
public struct TemporaryDirectory: ~Copyable, Sendable {
  /// Where it is.
  public let path: String

  /// Makes a directory whose path leaves room for a socket's name.
  ///
  /// - Parameter root: Where to make it; nil for `$TMPDIR` when that is short enough, else `/tmp`.
  public init(in root: String? = nil) throws(SystemCallError) {
    let shortEnough = UnixAddress.pathBytesMax - Self.name.utf8.count - UnixListener.socketName.utf8.count - 2
    let wanted = root ?? getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let usable = wanted.hasPrefix("/") && wanted.utf8.count <= shortEnough && access(wanted, W_OK | X_OK) == 0
    guard usable || root == nil else { throw SystemCallError("mkdtemp", ENAMETOOLONG, on: wanted) }
    var template = Array("\(usable ? wanted : "/tmp")/\(Self.name)".utf8CString)
    let made = mkdtemp(&template).map { String(cString: $0) }
    guard let made else { throw SystemCallError("mkdtemp", errno, on: usable ? wanted : "/tmp") }
    path = made
  }

  deinit { Self.removeAll(path) }

  private static let name = "wristwire-XXXXXX"

  /// Removes a directory with all it holds, as far as that is possible; links are not followed.
  static func removeAll(_ path: String) {
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard name != ".", name != ".." else { continue }
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
