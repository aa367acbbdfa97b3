import CSimulation
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

/// The app's names for what it sends and receives: the `kind` of lines about messages, contexts and transfers.
struct PayloadNaming {
  /// Where a payload has its name; nil to look where apps usually have it.
  let path: PayloadPath?
  /// The names of messages without an outcome, by number, and of owed transfers.
  private var messages: [UInt64: String] = [:]
  private var transfers: [Identifier: String] = [:]
  /// Errors of the app's own decoder since the last call of ``takeProblems()``, without repetitions.
  private var problems: [String] = []

  /// The limit of a name, in bytes.
  private static let nameBytesMax = 256
  /// The limit of messages without an outcome.
  private static let messagesMax = 10_000

  init(_ path: PayloadPath?) { self.path = path }

  /// The name of a payload; nil if it has none.
  mutating func name(_ payload: [UInt8], isDictionary: Bool) -> String? {
    let name: String?
    if let path {
      name = path.name(in: payload, isDictionary: isDictionary) ?? (isDictionary ? nil : decodedName(payload))
    } else {
      let found = PayloadName(of: payload, isDictionary: isDictionary)
      // A key is the last resort: the app's decoder knows more.
      name = found.undecoded.flatMap { decodedName($0) } ?? found.text
    }
    return name.map { String(decoding: $0.utf8.prefix(Self.nameBytesMax), as: UTF8.self) }
  }

  /// The name that the app's own decoder gives a payload.
  private mutating func decodedName(_ payload: [UInt8]) -> String? {
    let size = 1_024
    var text = [CChar](repeating: 0, count: size)
    let count = wristwire_simulation_name_payload(payload, payload.count, &text, size)
    let end = count == -2 ? text.firstIndex(of: 0) ?? 0 : max(0, min(count, size))
    let found = String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if count == -2, problems.count < 100 { problems.append(found) }
    return count >= 0 ? found : nil
  }

  /// Removes and returns the errors of the app's own decoder.
  mutating func takeProblems() -> [String] {
    defer { problems = [] }
    return problems
  }

  private static func transfer(_ event: TraceEvent) -> Identifier? {
    guard case .uuid(let high, let low)? = event["transfer"] else { return nil }
    return Identifier(high: high, low: low)
  }

  // MARK: Lines

  /// Remembers a message that will have an outcome.
  mutating func remember(_ seq: SequenceNumber, _ name: String) {
    if messages.count >= Self.messagesMax { messages.removeAll() }
    messages[seq.rawValue] = name
  }

  mutating func forget(_ seq: SequenceNumber) { messages[seq.rawValue] = nil }

  /// Remembers a transfer that is owed.
  mutating func remember(_ entry: QueueEntry) {
    if let name = name(of: entry.lane, entry.payload) { transfers[entry.transfer] = name }
  }

  /// The name of a queued payload; of a file by its metadata.
  mutating func name(of lane: Lane, _ payload: [UInt8]) -> String? {
    guard lane == .file else { return name(payload, isDictionary: true) }
    guard let offer = FileOffer(payload), !offer.metadata.isEmpty else { return nil }
    return name(offer.metadata, isDictionary: true)
  }

  /// Adds names to lines that contain only numbers and no payload.
  mutating func complete(_ items: inout [Turn.Item], sent: [UInt8]?, received: [UInt8]?) {
    for index in items.indices {
      guard case .event(let event) = items[index] else { continue }
      if let known = event["kind"]?.text {
        // Its later lines have the number alone.
        if event.name.text == "transfer.queued", let transfer = Self.transfer(event) { transfers[transfer] = known }
        continue
      }
      let name: String?
      switch event.name.text {
      case "message.failed": name = (event["seq"]?.integer).flatMap { messages[UInt64(clamping: $0)] }
      case "transfer.finished", "transfer.failed", "transfer.cancelled":
        name = Self.transfer(event).flatMap { transfers.removeValue(forKey: $0) }
      case "context.set": name = sent.flatMap { self.name($0, isDictionary: true) }
      case "context.received": name = received.flatMap { self.name($0, isDictionary: true) }
      default: name = nil
      }
      guard let name else { continue }
      let fields = event.fields + [.init("kind", .string(name))]
      items[index] = .event(TraceEvent(event.name, at: event.time, on: event.place, fields))
    }
  }
}
