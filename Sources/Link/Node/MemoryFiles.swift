/// Files of a simulated device in memory, without their bytes.
///
/// Keeps descriptions of sent files, and lengths of received ones.
public struct MemoryFiles: FileBox, Sendable, Equatable {
  private var outgoing: [Identifier: FileContent] = [:]
  private var partial: [Identifier: UInt64] = [:]
  private var inbox: [Identifier: UInt64] = [:]
  /// The lengths of the app's files in bytes, by name.
  public private(set) var kept: [String: UInt64] = [:]

  public init() {}

  public mutating func carryOut(_ order: FileOrder) {
    switch order {
    case .create(let transfer, let content): outgoing[transfer] = content
    case .write(let transfer, let offset, let bytes):
      let byteCount = partial[transfer] ?? 0
      precondition(offset <= byteCount, "\(transfer.text) holds \(byteCount) bytes and is written at \(offset)")
      partial[transfer] = offset + UInt64(bytes.count)
    case .moveToInbox(let transfer):
      if let byteCount = partial.removeValue(forKey: transfer) { inbox[transfer] = byteCount }
      precondition(inbox[transfer] != nil, "\(transfer.text) is moved to the inbox, but was never received")
    case .keep(let transfer, let name):
      precondition(Self.isName(name), "a file cannot have the name \"\(name)\"")
      if let byteCount = inbox[transfer] { kept[name] = byteCount }
      precondition(kept[name] != nil, "\(transfer.text) is kept, but is not in the inbox")
    case .make(let content, let name):
      precondition(Self.isName(name), "a file cannot have the name \"\(name)\"")
      kept[name] = content.byteCount
    case .remove(let name): kept[name] = nil
    case .discardOutgoing(let transfer): outgoing[transfer] = nil
    case .discardIncoming(let transfer):
      partial[transfer] = nil
      inbox[transfer] = nil
    }
  }

  public func read(_ transfer: Identifier, offset: UInt64, count: Int) -> [UInt8] {
    guard let content = outgoing[transfer] else { preconditionFailure("\(transfer.text) is read, but does not exist") }
    precondition(offset <= content.byteCount, "\(transfer.text) is read at \(offset), past its end")
    return content.bytes(offset: offset, count: count)
  }

  /// Removes files that no transfer needs, as after a crash.
  public mutating func removeOrphans(isOwned: (Identifier) -> Bool) {
    outgoing = outgoing.filter { isOwned($0.key) }
    partial = partial.filter { isOwned($0.key) }
    inbox = inbox.filter { isOwned($0.key) }
  }

  public mutating func takeBack(_ transfer: Identifier) -> UInt64 {
    let byteCount = partial[transfer] ?? inbox.removeValue(forKey: transfer) ?? 0
    partial[transfer] = byteCount
    return byteCount
  }

  public func keptNames() -> [String] { kept.keys.sorted() }

  /// Whether an app's file can have a name: one path component of at most 200 bytes that is not hidden.
  public static func isName(_ name: String) -> Bool {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= 200, bytes.first != UInt8(ascii: ".") else { return false }
    return !bytes.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }
}
