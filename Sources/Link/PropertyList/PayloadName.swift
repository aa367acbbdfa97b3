/// The name that a payload has by itself: what apps usually tell messages apart by.
///
/// That is the word under a key such as `kind` or `type`; the case of an enumeration that Swift has encoded, which is the
/// only key of an object; or a raw value alone. `Data` on the way is read as JSON.
public struct PayloadName: Sendable, Equatable {
  /// Nil if it has none.
  public private(set) var text: String?
  /// The bytes that no form was found in, which an app's own decoder may read; nil for none.
  public private(set) var undecoded: [UInt8]?

  /// The keys that usually have a message's kind, in the order in which they are looked for.
  public static let keys = [
    "kind", "type", "event", "action", "command", "cmd", "messageType", "msgType", "msg", "message",
  ]
  /// The limit of a name, in bytes.
  public static let bytesMax = 40
  /// The most bytes of JSON that are read.
  private static let jsonBytesMax = 65_536

  /// - Parameters:
  ///   - payload: The bytes of the payload.
  ///   - isDictionary: Whether it is a property list.
  public init(of payload: [UInt8], isDictionary: Bool) {
    if !isDictionary { read(payload) }
    guard isDictionary, case .dictionary(let entries)? = try? PropertyListReader.read(payload) else { return }
    for key in Self.keys {
      guard let value = entries.last(where: { $0.key == key })?.value, take(value, under: key) else { continue }
      return
    }
    // One that is nothing but bytes is named by them.
    let data = entries.sorted { $0.key < $1.key }.compactMap { entry -> [UInt8]? in
      guard case .data(let bytes) = entry.value else { return nil }
      return bytes
    }
    if let first = data.first {
      read(first)
      if text != nil { return }
    }
    if entries.count == 1, let only = entries.first, Self.isWord(only.key) { text = only.key }
  }

  private mutating func read(_ bytes: [UInt8]) {
    guard bytes.count <= Self.jsonBytesMax, let node = try? JSONParser.parse(bytes, dialect: .json) else {
      undecoded = bytes
      return
    }
    switch node.value {
    case .string(let word) where Self.isWord(word): text = word
    case .object(let members):
      for key in Self.keys {
        guard let value = members.last(where: { $0.key == key })?.node.value, let name = Self.name(value, under: key)
        else { continue }
        text = name
        return
      }
      if members.count == 1, Self.isWord(members[0].key) { text = members[0].key }
    default: break
    }
  }

  /// Whether a value of a property list is a name.
  private mutating func take(_ value: PropertyListValue, under key: String) -> Bool {
    switch value {
    case .string(let word) where Self.isWord(word): text = word
    case .integer(let number): text = "\(key) \(number)"
    case .dictionary(let entries) where entries.count == 1 && Self.isWord(entries[0].key): text = entries[0].key
    case .data(let bytes): read(bytes)
    default: break
    }
    return text != nil
  }

  private static func name(_ value: JSONValue, under key: String) -> String? {
    switch value {
    case .string(let word) where isWord(word): word
    case .integer(let number): "\(key) \(number)"
    case .object(let members) where members.count == 1 && isWord(members[0].key): members[0].key
    default: nil
    }
  }

  /// Whether a text tells kinds apart, and is no text of a user's.
  private static func isWord(_ text: String) -> Bool {
    (1...bytesMax).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: ":"), 0x80...:
          true
        default: false
        }
      }
  }
}
