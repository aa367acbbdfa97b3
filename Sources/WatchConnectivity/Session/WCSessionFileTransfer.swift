public import Foundation
import Link

/// A file under way to the counterpart.
public class WCSessionFileTransfer: NSObject {
  /// What is sent.
  public let file: WCSessionFile
  /// How many of its bytes the counterpart has.
  public let progress: Progress
  let ticket: TransferTicket

  init(file: WCSessionFile, byteCount: Int64, ticket: TransferTicket) {
    self.file = file
    self.ticket = ticket
    progress = Progress(totalUnitCount: max(byteCount, 1))
  }

  /// Notes how much has arrived.
  func setReceived(_ byteCount: Int64) {
    progress.completedUnitCount = byteCount
    progress.noticeChanges()
  }

  /// Whether it is still under way.
  public var isTransferring: Bool { ticket.isTransferring }

  /// Withdraws it; of no effect once it is over.
  public func cancel() { ticket.cancel() }
}
