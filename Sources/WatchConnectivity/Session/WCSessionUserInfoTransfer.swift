public import Foundation
import Link

/// A dictionary under way to the counterpart.
public class WCSessionUserInfoTransfer: NSObject, NSSecureCoding {
  /// What is sent.
  public let userInfo: [String: Any]
  let ticket: TransferTicket

  init(userInfo: [String: Any], ticket: TransferTicket) {
    self.userInfo = userInfo
    self.ticket = ticket
  }

  /// Whether it is the complication's current update: a later one takes that from it, and leaves it queued.
  public var isCurrentComplicationInfo: Bool { ticket.isCurrentComplication }
  /// Whether it is still under way.
  public var isTransferring: Bool { ticket.isTransferring }

  /// Withdraws it; of no effect once it is over.
  public func cancel() { ticket.cancel() }

  // MARK: Archiving

  public static var supportsSecureCoding: Bool { true }

  /// A transfer that was archived is a record of one: it is not under way, and cannot be cancelled.
  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "userInfo"),
      let userInfo = Payload.dictionary([UInt8](Data(referencing: data)))
    else { return nil }
    self.userInfo = userInfo
    ticket = TransferTicket()
    ticket.setCurrentComplication(coder.decodeBool(forKey: "isCurrentComplicationInfo"))
  }

  public func encode(with coder: NSCoder) {
    let bytes = Payload.bytes(of: userInfo) ?? []
    coder.encode(NSData(data: Data(bytes)), forKey: "userInfo")
    coder.encode(isCurrentComplicationInfo, forKey: "isCurrentComplicationInfo")
  }
}
