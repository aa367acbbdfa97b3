public import Foundation

/// A file that is sent, or was received.
public class WCSessionFile: NSObject {
  /// Where it is; a received one is deleted when the delegate's method returns.
  public let fileURL: URL
  /// What its sender says of it.
  public let metadata: [String: Any]?

  init(fileURL: URL, metadata: [String: Any]?) {
    self.fileURL = fileURL
    self.metadata = metadata
  }
}
