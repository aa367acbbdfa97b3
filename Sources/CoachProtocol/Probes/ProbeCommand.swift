public import Link

/// A scenario's command for test traffic on a channel; the same on both devices.
public enum ProbeCommand: Sendable, Equatable {
  /// Send `count` messages of `bytes` each.
  case sendMessage(count: Int, bytes: Int, wantsReply: Bool, payload: ProbePayload = .probe)
  /// Set a context of `bytes`.
  case updateApplicationContext(bytes: Int, payload: ProbePayload = .probe)
  /// Queue `count` user infos of `bytes` each.
  case transferUserInfo(count: Int, bytes: Int, payload: ProbePayload = .probe)
  /// Queue `count` complication transfers of `bytes` each.
  case transferCurrentComplicationUserInfo(count: Int, bytes: Int)
  /// Queue a file; by default its name is its number.
  case transferFile(bytes: Int, name: String?)
  /// Cancel all queued transfers.
  case cancelTransfers

  /// The values of a scenario's `do`, in the order of a reference page.
  public static let words = [
    "sendMessage", "updateApplicationContext", "transferUserInfo", "transferCurrentComplicationUserInfo",
    "transferFile", "cancelTransfers",
  ]
  public static let countMax = 10_000
  /// The largest payload in bytes: beyond every channel's limit, so that refusals can be tested.
  public static let bytesMax = 524_288
  /// Limit in bytes for all payloads of one command, which are in memory together.
  public static let totalBytesMax = 67_108_864
  public static let fileBytesMax = 67_108_864
  public static let bytesDefault = 256
  /// The longest file name, in bytes of UTF-8.
  public static let nameBytesMax = 255

  /// Reads the members of a scenario's event besides `at` and `do`.
  ///
  /// - Parameters:
  ///   - word: The event's `do`.
  ///   - reader: The event; collects errors.
  /// - Returns: Nil for a `do` that is not in ``words``, and after reporting errors.
  public init?(_ word: String, _ reader: JSONObjectReader) {
    switch word {
    case "sendMessage", "transferUserInfo", "transferCurrentComplicationUserInfo":
      reader.allow(["count"])
      let count = reader.has("count") ? reader.integer("count", in: 1...Int64(Self.countMax)) : 1
      let bytes = Self.bytes(reader)
      let wantsReply = word == "sendMessage" ? reader.bool("wantsReply") ?? false : false
      let payload = word == "transferCurrentComplicationUserInfo" ? .probe : Self.payload(reader)
      guard let count, let bytes, let payload else { return nil }
      guard Int(count) * bytes <= Self.totalBytesMax else {
        reader.error("found \(count) times \(bytes) bytes, expected at most \(Self.totalBytesMax) bytes in one command")
        return nil
      }
      switch word {
      case "sendMessage":
        self = .sendMessage(count: Int(count), bytes: bytes, wantsReply: wantsReply, payload: payload)
      case "transferUserInfo": self = .transferUserInfo(count: Int(count), bytes: bytes, payload: payload)
      default: self = .transferCurrentComplicationUserInfo(count: Int(count), bytes: bytes)
      }
    case "updateApplicationContext":
      guard let bytes = Self.bytes(reader), let payload = Self.payload(reader) else { return nil }
      self = .updateApplicationContext(bytes: bytes, payload: payload)
    case "transferFile":
      let bytes = reader.integer("bytes", in: 0...Int64(Self.fileBytesMax), required: true)
      let name = reader.string("name")
      guard let bytes, !reader.has("name") || name != nil else { return nil }
      if let name, name.isEmpty || name.utf8.count > Self.nameBytesMax {
        reader.error("found a name of \(name.utf8.count) bytes, expected 1 to \(Self.nameBytesMax)")
        return nil
      }
      self = .transferFile(bytes: Int(bytes), name: name)
    case "cancelTransfers": self = .cancelTransfers
    default: return nil
    }
  }

  /// The kind of payload; nil after reporting an unknown one.
  private static func payload(_ reader: JSONObjectReader) -> ProbePayload? {
    guard reader.has("payload") else {
      reader.allow(["payload"])
      return .probe
    }
    return reader.oneOf("payload", ProbePayload.self)
  }

  private static func bytes(_ reader: JSONObjectReader) -> Int? {
    guard reader.has("bytes") else {
      reader.allow(["bytes"])
      return bytesDefault
    }
    return reader.integer("bytes", in: 0...Int64(bytesMax)).map { Int($0) }
  }

  /// Reads a command that reached a device.
  ///
  /// - Returns: Nil for a command of another kind.
  /// - Throws: Errors in its arguments.
  public static func reading(_ command: NodeCommand) throws(CommandRefusal) -> ProbeCommand? {
    guard words.contains(command.name) else { return nil }
    return try command.reading { ProbeCommand(command.name, $0) }
  }
}
