public import Link

/// Files in memory, with the rules of files on disk; they outlive a crash.
public struct WholeFiles: FileBox, Equatable, Sendable {
  /// A file to be sent.
  public enum Source: Equatable, Sendable {
    case bytes([UInt8])
    case content(FileContent)
  }

  /// Files to be sent.
  public private(set) var outgoing: [Identifier: Source] = [:]
  /// Files that are being received.
  public private(set) var incoming: [Identifier: [UInt8]] = [:]
  /// Whole files in the session's inbox.
  public private(set) var placed: [Identifier: [UInt8]] = [:]
  /// What the app kept, by the name it gave it.
  public private(set) var kept: [String: [UInt8]] = [:]

  /// Creates an empty folder.
  public init() {}

  /// Puts a file at the path of one to be sent.
  public mutating func put(_ transfer: Identifier, _ bytes: [UInt8]) { outgoing[transfer] = .bytes(bytes) }

  public mutating func carryOut(_ order: FileOrder) throws(StoreError) {
    switch order {
    case .create(let transfer, let content):
      outgoing[transfer] = .content(content)
    case .write(let transfer, let offset, let bytes):
      let there = incoming[transfer]?.count ?? 0
      guard offset <= UInt64(there) else { throw StoreError(.system, "a write at \(offset) behind the end \(there)") }
      if Int(offset) < there { incoming[transfer, default: []].removeLast(there - Int(offset)) }
      incoming[transfer, default: []] += bytes
    case .moveToInbox(let transfer):
      if let bytes = incoming.removeValue(forKey: transfer) { placed[transfer] = bytes }
      guard placed[transfer] != nil else { throw StoreError(.system, "nothing to place") }
    case .keep(let transfer, let name):
      if let bytes = placed.removeValue(forKey: transfer) { kept[name] = bytes }
      guard kept[name] != nil else { throw StoreError(.system, "nothing to keep as \(name)") }
    case .make(let content, let name): kept[name] = content.bytes(offset: 0, count: Int(content.byteCount))
    case .remove(let name): kept[name] = nil
    case .discardOutgoing(let transfer): outgoing[transfer] = nil
    case .discardIncoming(let transfer):
      incoming[transfer] = nil
      placed[transfer] = nil
    }
  }

  public func read(_ transfer: Identifier, offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    switch outgoing[transfer] {
    case .bytes(let bytes): return Array(bytes.dropFirst(Int(min(offset, UInt64(bytes.count)))).prefix(count))
    case .content(let content): return content.bytes(offset: offset, count: count)
    case nil: throw StoreError(.system, "no file to send")
    }
  }
}
