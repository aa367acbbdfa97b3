public import Foundation
import Link

/// A dictionary on its way to the counterpart.
open class WCSessionUserInfoTransfer: NSObject, NSSecureCoding {
  private let sent: [String: Any]
  let ticket: TransferTicket

  init(userInfo: [String: Any], ticket: TransferTicket) {
    sent = userInfo
    self.ticket = ticket
  }

  /// Creates one without a session, for subclasses in an app's tests.
  public override init() {
    sent = [:]
    ticket = TransferTicket()
  }

  /// The sent dictionary.
  open var userInfo: [String: Any] { sent }

  /// Whether it is the complication's current update: a later one replaces it, and leaves it queued.
  open var isCurrentComplicationInfo: Bool { ticket.isCurrentComplication }
  /// Whether it is still in progress.
  open var isTransferring: Bool { ticket.isTransferring }

  /// Withdraws it; no effect once it is over.
  open func cancel() { ticket.cancel() }

  // MARK: Archiving

  open class var supportsSecureCoding: Bool { true }

  /// A decoded transfer is only a record: it is not in progress, and cannot be cancelled.
  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "userInfo"),
      let userInfo = Payload.dictionary([UInt8](Data(referencing: data)))
    else { return nil }
    sent = userInfo
    ticket = TransferTicket()
    ticket.setCurrentComplication(coder.decodeBool(forKey: "isCurrentComplicationInfo"))
  }

  open func encode(with coder: NSCoder) {
    let bytes = Payload.bytes(of: sent) ?? []
    coder.encode(NSData(data: Data(bytes)), forKey: "userInfo")
    coder.encode(isCurrentComplicationInfo, forKey: "isCurrentComplicationInfo")
  }
}
