import Link

extension AppMessage {
  /// The version of every kind: `v` in the payload.
  public static let version: Int64 = 1
  /// How much of an unknown kind is repeated in errors and traces.
  private static let kindCharactersMax = 64

  /// The message as a binary property list: `kind`, `v`, then the fields in their fixed order.
  public var encoded: [UInt8] {
    if case .liveMetrics(let metrics) = self { metrics.encoded } else { body.plainlyEncoded }
  }

  /// Decodes an untrusted payload.
  public static func reading(_ bytes: [UInt8]) -> Result<AppMessage, MessageError> {
    do throws(MessageError) { return .success(try AppMessage(decoding: bytes)) } catch { return .failure(error) }
  }

  /// Decodes an untrusted payload.
  ///
  /// - Throws: ``MessageError``.
  public init(decoding bytes: [UInt8]) throws(MessageError) {
    var metrics = LiveMetrics.blank
    var workout = IdentifierText.none
    if LiveMetricsTemplate.read(bytes, into: &metrics, workout: &workout) {
      self = .liveMetrics(metrics)
      return
    }
    var cursor: PropertyListCursor
    do throws(PropertyListError) { cursor = try PropertyListCursor(bytes) } catch { throw .unreadable(error) }
    let text = try? cursor.string("kind")
    let version = try? cursor.integer("v")
    let kind = try Self.kind(text, version: version)
    guard version == Self.version else { throw .unknownVersion(kind, version) }
    var fields = MessageFields(kind, cursor)
    self = try kind.read(&fields)
  }

  private static func kind(_ text: String?, version: Int64?) throws(MessageError) -> Kind {
    guard let text else { throw .noKind(version: version) }
    guard let kind = Kind(rawValue: text) else {
      throw .unknownKind(String(text.prefix(kindCharactersMax)), version: version)
    }
    return kind
  }
}

extension AppMessage.Kind {
  /// Decodes the fields of this kind.
  func read(_ fields: inout MessageFields) throws(MessageError) -> AppMessage {
    func read<Body: AppMessageBody>(_ body: Body.Type) throws(MessageError) -> AppMessage {
      try Body(from: &fields).message
    }
    return try read(body)
  }
}

extension AppMessageBody {
  /// The payload, encoded field by field.
  var plainlyEncoded: [UInt8] {
    var writer = PropertyListWriter(entryCount: 2 + fieldCount)
    writer.string("kind", Self.kind.rawValue)
    writer.integer("v", AppMessage.version)
    write(to: &writer)
    return writer.finish()
  }
}
