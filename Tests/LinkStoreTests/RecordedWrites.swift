import Foundation
import Link

/// What SQLite wrote and synced, and what a loss of power leaves of it.
struct RecordedWrites {
  /// One operation, in order.
  enum Operation {
    case write(file: String, offset: Int, bytes: [UInt8])
    case truncate(file: String, length: Int)
    case sync(file: String)
    case delete(file: String)
    case mark(UInt64)
  }

  let operations: [Operation]

  /// Reads a journal of `WriteRecorder`.
  init(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var operations: [Operation] = []
    var place = 0
    func number(_ count: Int) -> UInt64 {
      defer { place += count }
      return (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64($1 * 8) }
    }
    while place < bytes.count {
      let kind = UInt8(number(1))
      let nameCount = Int(number(4))
      let file = String(decoding: bytes[place..<place + nameCount], as: UTF8.self)
      place += nameCount
      let value = number(8)
      let count = Int(number(4))
      let content = Array(bytes[place..<place + count])
      place += count
      switch kind {
      case UInt8(ascii: "w"): operations.append(.write(file: file, offset: Int(value), bytes: content))
      case UInt8(ascii: "t"): operations.append(.truncate(file: file, length: Int(value)))
      case UInt8(ascii: "s"): operations.append(.sync(file: file))
      case UInt8(ascii: "d"): operations.append(.delete(file: file))
      default: operations.append(.mark(value))
      }
    }
    self.operations = operations
  }

  /// A file: what is on the disk, and the changes that may be.
  private struct File {
    var content: [UInt8] = []
    var unsynced: [Operation] = []

    mutating func apply(_ operation: Operation, byteCount: Int = .max) {
      switch operation {
      case .write(_, let offset, let bytes):
        let written = bytes.prefix(byteCount)
        if written.isEmpty { return }
        let end = offset + written.count
        if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
        content.replaceSubrange(offset..<end, with: written)
      case .truncate(_, let length):
        if length < content.count { content.removeSubrange(length...) }
      case .sync, .delete, .mark: break
      }
    }

    mutating func sync() {
      for operation in unsynced { apply(operation) }
      unsynced = []
    }
  }

  /// The files that a loss of power before an operation leaves, by name.
  ///
  /// Of the last unsynced write of a file a drawn number of sectors of 512 bytes survives; every other unsynced change
  /// survives or does not.
  func files(cutAt index: Int, random: RandomStream) -> [String: [UInt8]] {
    var files: [String: File] = [:]
    for operation in operations[..<index] {
      switch operation {
      case .write(let file, _, _), .truncate(let file, _): files[file, default: File()].unsynced.append(operation)
      case .sync(let file): files[file]?.sync()
      case .delete(let file): files[file] = nil
      case .mark: break
      }
    }
    var key: UInt64 = 0
    var result: [String: [UInt8]] = [:]
    for name in files.keys.sorted() {
      guard var file = files[name] else { continue }
      // Often nothing is lost before the last write, so that the torn one is looked at.
      let isWhole = random.number(below: 3, for: 1 << 40 + key) == 0
      for (place, operation) in file.unsynced.enumerated() {
        key += 1
        if place == file.unsynced.count - 1, case .write(_, _, let bytes) = operation {
          let sectors = random.number(below: UInt64(bytes.count / 512 + 2), for: key)
          file.apply(operation, byteCount: Int(sectors) * 512)
        } else if isWhole || random.number(below: 2, for: key) == 1 {
          file.apply(operation)
        }
      }
      result[name] = file.content
    }
    return result
  }
}
