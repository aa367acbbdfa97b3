/// A request as the edge gets it.
public struct UplinkRequest: Sendable, Equatable {
  /// Which one.
  public var id: Identifier
  /// What is asked for: `/chat-reply`.
  public var path: String
  /// What it says.
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

/// What an answer says.
public enum UplinkContent: Sendable, Equatable {
  /// JSON text.
  case body([UInt8])
  /// Anything else that came in its place.
  case text(String)

  /// The length in bytes, before anything is escaped.
  public var count: Int {
    switch self {
    case .body(let bytes): bytes.count
    case .text(let text): text.utf8.count
    }
  }
}

/// An answer as the phone gets it.
public struct UplinkResponse: Sendable, Equatable {
  /// Of which request.
  public var id: Identifier
  /// As in HTTP: 200 for one that was met.
  public var status: Int
  /// What it says; nil where the answer is no JSON.
  public var body: JSONNode?
  /// The answer where it is no JSON; else nil.
  public var text: String?
  /// Whether the request is waited for; false for one that was forgotten, and for one of an earlier start or an earlier
  /// asking.
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
