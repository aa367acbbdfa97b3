import Foundation
import Link

/// Encodes and decodes an app's dictionaries.
enum Payload {
  /// A dictionary as a binary property list with sorted keys, so that equal ones have equal bytes.
  ///
  /// - Returns: Nil if it is no property list.
  static func bytes(of dictionary: [String: Any]) -> [UInt8]? {
    if let value = plainValue(of: dictionary), let bytes = try? PropertyListWriter.bytes(of: value) { return bytes }
    return foundationBytes(of: dictionary)
  }

  /// The same by Foundation, which takes every type of a property list, and twenty times as long.
  static func foundationBytes(of dictionary: [String: Any]) -> [UInt8]? {
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

  /// A value of Swift's own types, with sorted keys; nil if there is any other in it.
  ///
  /// The types are compared exactly, since a cast would make integers of Booleans.
  private static func plainValue(of value: Any) -> PropertyListValue? {
    let type = type(of: value)
    if type == String.self { return (value as? String).map { .string($0) } }
    if type == Int.self { return (value as? Int).map { .integer(Int64($0)) } }
    if type == Double.self { return (value as? Double).map { .real($0) } }
    if type == CGFloat.self { return (value as? CGFloat).map { .real(Double($0)) } }
    if type == Bool.self { return (value as? Bool).map { .bool($0) } }
    if type == Data.self { return (value as? Data).map { .data([UInt8]($0)) } }
    if type == Date.self { return (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) } }
    if type == [Any].self { return (value as? [Any]).flatMap { plainArray(of: $0) } }
    if type == [String: Any].self { return (value as? [String: Any]).flatMap { plainValue(of: $0) } }
    return nil
  }

  private static func plainValue(of dictionary: [String: Any]) -> PropertyListValue? {
    var entries: [PropertyListEntry] = []
    entries.reserveCapacity(dictionary.count)
    for (key, value) in dictionary {
      guard let plain = plainValue(of: value) else { return nil }
      entries.append(PropertyListEntry(key, plain))
    }
    return .dictionary(entries.sorted { $0.key < $1.key })
  }

  private static func plainArray(of elements: [Any]) -> PropertyListValue? {
    var values: [PropertyListValue] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      guard let plain = plainValue(of: element) else { return nil }
      values.append(plain)
    }
    return .array(values)
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
