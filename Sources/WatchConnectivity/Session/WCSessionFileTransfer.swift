public import Foundation
import Link

/// A file under way to the counterpart.
open class WCSessionFileTransfer: NSObject {
  private let sent: WCSessionFile
  private let received: Progress
  let ticket: TransferTicket

  init(file: WCSessionFile, byteCount: Int64, ticket: TransferTicket) {
    sent = file
    self.ticket = ticket
    received = Progress(totalUnitCount: max(byteCount, 1))
  }

  /// Creates one that no session knows, for an app's own tests to derive from.
  public override init() {
    sent = WCSessionFile()
    ticket = TransferTicket()
    received = Progress(totalUnitCount: 1)
  }

  /// What is sent.
  open var file: WCSessionFile { sent }
  /// How many of its bytes the counterpart has.
  open var progress: Progress { received }

  /// Notes how much has arrived.
  func setReceived(_ byteCount: Int64) {
    received.completedUnitCount = byteCount
    received.noticeChanges()
  }

  /// Whether it is still under way.
  open var isTransferring: Bool { ticket.isTransferring }

  /// Withdraws it; of no effect once it is over.
  open func cancel() { ticket.cancel() }
}
