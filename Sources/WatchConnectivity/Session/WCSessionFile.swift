public import Foundation

/// A file that is sent, or was received.
open class WCSessionFile: NSObject {
  private let url: URL
  private let notes: [String: Any]?

  init(fileURL: URL, metadata: [String: Any]?) {
    url = fileURL
    notes = metadata
  }

  /// Creates one that no session knows, for an app's own tests to derive from.
  public override init() {
    url = URL(fileURLWithPath: "/")
    notes = nil
  }

  /// Where it is; a received one is deleted when the delegate's method returns.
  open var fileURL: URL { url }
  /// What its sender says of it.
  open var metadata: [String: Any]? { notes }
}
