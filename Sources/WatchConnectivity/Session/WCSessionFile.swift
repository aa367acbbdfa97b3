public import Foundation

/// A file that is sent, or was received.
open class WCSessionFile: NSObject {
  private let url: URL
  private let content: [String: Any]?

  init(fileURL: URL, metadata: [String: Any]?) {
    url = fileURL
    content = metadata
  }

  /// Creates one without a session, for subclasses in an app's tests.
  public override init() {
    url = URL(fileURLWithPath: "/")
    content = nil
  }

  /// Its location; a received file is deleted when the delegate's method returns.
  open var fileURL: URL { url }
  /// The sender's metadata.
  open var metadata: [String: Any]? { content }
}
