import Foundation
import Link

/// Encodes and decodes an app's dictionaries.
enum Payload {
  /// A dictionary as a binary property list with sorted keys, so that equal ones have equal bytes.
  ///
  /// - Returns: Nil if it is no property list.
  static func bytes(of dictionary: [String: Any]) -> [UInt8]? {
    guard PropertyListSerialization.propertyList(dictionary, isValidFor: .binary),
      let data = try? PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0)
    else { return nil }
    let bytes = [UInt8](data)
    // What our reader does not support, such as integers over 63 bits, stays as Foundation wrote it.
    guard let value = try? PropertyListReader.read(bytes),
      let sorted = try? PropertyListWriter.bytes(of: inOrder(value))
    else { return bytes }
    return sorted
  }

  private static func inOrder(_ value: PropertyListValue) -> PropertyListValue {
    switch value {
    case .dictionary(let entries):
      .dictionary(entries.map { PropertyListEntry($0.key, inOrder($0.value)) }.sorted { $0.key < $1.key })
    case .array(let elements): .array(elements.map { inOrder($0) })
    case .string, .integer, .real, .bool, .data, .date: value
    }
  }

  /// The dictionary of a property list; nil for invalid bytes.
  ///
  /// Numbers are `NSNumber`s, as with the framework: each can be cast to any numeric type that holds it.
  static func dictionary(_ bytes: [UInt8]) -> [String: Any]? {
    if let value = try? PropertyListReader.read(bytes) {
      guard case .dictionary(let entries) = value else { return nil }
      return dictionary(entries)
    }
    return (try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)) as? [String: Any]
  }

  private static func dictionary(_ entries: [PropertyListEntry]) -> [String: Any] {
    Dictionary(entries.map { ($0.key, object($0.value)) }) { _, last in last }
  }

  private static func object(_ value: PropertyListValue) -> Any {
    switch value {
    case .string(let text): text
    case .integer(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .bool(let flag): NSNumber(value: flag)
    case .data(let bytes): Data(bytes)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .array(let elements): elements.map { object($0) }
    case .dictionary(let entries): dictionary(entries)
    }
  }
}
