import Foundation
import LinkTransport

/// The home folder of a user program that plays a device: for documents, caches, temporary files and `UserDefaults`.
///
/// It is in the device's state folder, so phone and watch do not share it, no other run sees it, and it survives
/// restarts of the app within the run.
struct DeviceHome {
  /// An absolute path.
  let path: String

  /// - Parameter state: The device's state folder.
  init(in state: String) { path = URL(fileURLWithPath: state, isDirectory: true).appending(path: "home").path }

  /// Creates the folders that an app expects at its first start; existing ones stay as they are.
  func makeFolders() throws(SystemCallError) {
    for folder in [path, documents, temporary, caches] {
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemCallError("mkdir", errno, on: folder) }
    }
  }

  /// The variables by which Foundation and other libraries find the home folder.
  ///
  /// `HOME` alone is not enough: Foundation asks the user database unless `CFFIXED_USER_HOME` is set, and follows the
  /// user's `XDG` variables for caches, application support and `UserDefaults`.
  var environment: [(name: String, value: String)] {
    [
      ("HOME", path), ("CFFIXED_USER_HOME", path), ("TMPDIR", temporary), ("XDG_CACHE_HOME", caches),
      ("XDG_CONFIG_HOME", "\(path)/.config"), ("XDG_DATA_HOME", "\(path)/.local/share"),
      ("XDG_STATE_HOME", "\(path)/.local/state"),
    ]
  }

  private var documents: String { "\(path)/Documents" }
  private var temporary: String { "\(path)/tmp" }
  private var caches: String { "\(path)/.cache" }
}
