public import Foundation
import Link

/// A dictionary under way to the counterpart.
open class WCSessionUserInfoTransfer: NSObject, NSSecureCoding {
  private let sent: [String: Any]
  let ticket: TransferTicket

  init(userInfo: [String: Any], ticket: TransferTicket) {
    sent = userInfo
    self.ticket = ticket
  }

  /// Creates one that no session knows, for an app's own tests to derive from.
  public override init() {
    sent = [:]
    ticket = TransferTicket()
  }

  /// What is sent.
  open var userInfo: [String: Any] { sent }

  /// Whether it is the complication's current update: a later one takes that from it, and leaves it queued.
  open var isCurrentComplicationInfo: Bool { ticket.isCurrentComplication }
  /// Whether it is still under way.
  open var isTransferring: Bool { ticket.isTransferring }

  /// Withdraws it; of no effect once it is over.
  open func cancel() { ticket.cancel() }

  // MARK: Archiving

  open class var supportsSecureCoding: Bool { true }

  /// A transfer that was archived is a record of one: it is not under way, and cannot be cancelled.
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
