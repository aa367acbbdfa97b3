/// A request as received by the edge.
public struct UplinkRequest: Sendable, Equatable {
  /// Its identifier.
  public var id: Identifier
  /// The call: `/chat-reply`.
  public var path: String
  /// Its body.
  public var body: JSONNode
  /// The length of the body's text, in bytes.
  public var byteCount: Int
  /// The first 64 bits of the SHA-256 of the body's text.
  public var digest: UInt64

  init?(_ id: Identifier, _ reader: JSONObjectReader) {
    let path = reader.string("path", required: true)
    let body = reader.value("body", required: true)?.node
    guard let path, let body else { return nil }
    let text = JSONWriter.compact(body)
    self.id = id
    self.path = path
    self.body = body
    byteCount = text.count
    digest = Digest.prefix(text)
  }
}

/// The content of an answer.
public enum UplinkContent: Sendable, Equatable {
  /// JSON text.
  case body([UInt8])
  /// Text that is not JSON.
  case text(String)

  /// The length in bytes, before escaping.
  public var count: Int {
    switch self {
    case .body(let bytes): bytes.count
    case .text(let text): text.utf8.count
    }
  }
}

/// An answer as received by the phone.
public struct UplinkResponse: Sendable, Equatable {
  /// The request's identifier.
  public var id: Identifier
  /// An HTTP status: 200 for success.
  public var status: Int
  /// The body; nil if the answer is not JSON.
  public var body: JSONNode?
  /// The answer if it is not JSON; otherwise nil.
  public var text: String?
  /// Whether the request is pending; false for an abandoned one, and for one of an earlier start or attempt.
  public var isAwaited: Bool

  init?(_ id: Identifier, isAwaited: Bool, _ reader: JSONObjectReader) {
    let status = reader.integer("status", in: 100...599, required: true)
    let body = reader.value("body")?.node
    let text = reader.string("text")
    guard let status else { return nil }
    guard (body == nil) != (text == nil) else {
      reader.error("found \(body == nil ? "neither body nor text" : "body and text"), expected one of them")
      return nil
    }
    self.id = id
    self.status = Int(status)
    self.body = body
    self.text = text
    self.isAwaited = isAwaited
  }
}
