/// Files of a simulated device whose bytes nobody reads: what is sent is kept as a description, and of what is
/// received, its length.
public struct MemoryFiles: FileBox, Sendable, Equatable {
  private var outgoing: [Identifier: FileContent] = [:]
  private var partial: [Identifier: UInt64] = [:]
  private var inbox: [Identifier: UInt64] = [:]
  /// The lengths of the files that the app kept, in bytes, by their names.
  public private(set) var kept: [String: UInt64] = [:]

  /// Creates an empty box.
  public init() {}

  public mutating func carryOut(_ order: FileOrder) {
    switch order {
    case .create(let transfer, let content): outgoing[transfer] = content
    case .write(let transfer, let offset, let bytes):
      let byteCount = partial[transfer] ?? 0
      precondition(offset <= byteCount, "\(transfer.text) holds \(byteCount) bytes and is written from \(offset) on")
      partial[transfer] = offset + UInt64(bytes.count)
    case .place(let transfer):
      if let byteCount = partial.removeValue(forKey: transfer) { inbox[transfer] = byteCount }
      precondition(inbox[transfer] != nil, "\(transfer.text) is placed, and was never received")
    case .keep(let transfer, let name):
      precondition(Self.isName(name), "no file can be kept as \"\(name)\"")
      if let byteCount = inbox.removeValue(forKey: transfer) { kept[name] = byteCount }
      precondition(kept[name] != nil, "\(transfer.text) is kept, and is not in the inbox")
    case .make(let content, let name):
      precondition(Self.isName(name), "no file can be made as \"\(name)\"")
      kept[name] = content.byteCount
    case .remove(let name): kept[name] = nil
    case .discardOutgoing(let transfer): outgoing[transfer] = nil
    case .discardIncoming(let transfer):
      partial[transfer] = nil
      inbox[transfer] = nil
    }
  }

  public func read(_ transfer: Identifier, offset: UInt64, count: Int) -> [UInt8] {
    guard let content = outgoing[transfer] else { preconditionFailure("\(transfer.text) is read, and does not exist") }
    precondition(offset <= content.byteCount, "\(transfer.text) is read from \(offset) on, behind its end")
    return content.bytes(offset: offset, count: count)
  }

  /// Removes what no transfer needs any more, as after a crash.
  public mutating func removeOrphans(isOwned: (Identifier) -> Bool) {
    outgoing = outgoing.filter { isOwned($0.key) }
    partial = partial.filter { isOwned($0.key) }
    inbox = inbox.filter { isOwned($0.key) }
  }

  /// Whether an app can keep a file under a name: one component of a path, at most 200 bytes, that is not hidden.
  public static func isName(_ name: String) -> Bool {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= 200, bytes.first != UInt8(ascii: ".") else { return false }
    return !bytes.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }
}
