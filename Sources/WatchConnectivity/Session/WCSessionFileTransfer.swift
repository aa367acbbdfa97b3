public import Foundation
import Link

/// A file on its way to the counterpart.
open class WCSessionFileTransfer: NSObject {
  private let sent: WCSessionFile
  private let received: Progress
  let ticket: TransferTicket

  init(file: WCSessionFile, byteCount: Int64, ticket: TransferTicket) {
    sent = file
    self.ticket = ticket
    received = Progress(totalUnitCount: max(byteCount, 1))
  }

  /// Creates one without a session, for subclasses in an app's tests.
  public override init() {
    sent = WCSessionFile()
    ticket = TransferTicket()
    received = Progress(totalUnitCount: 1)
  }

  /// The sent file.
  open var file: WCSessionFile { sent }
  /// How many of its bytes the counterpart has.
  open var progress: Progress { received }

  /// Updates the progress.
  func setReceived(_ byteCount: Int64) {
    received.completedUnitCount = byteCount
    received.noticeChanges()
  }

  /// Whether it is still in progress.
  open var isTransferring: Bool { ticket.isTransferring }

  /// Withdraws it; no effect once it is over.
  open func cancel() { ticket.cancel() }
}

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
