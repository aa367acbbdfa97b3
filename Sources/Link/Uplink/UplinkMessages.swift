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

/// The payloads of the uplink: one JSON object each, in UTF-8, with keys in a fixed order.
enum UplinkText {
  /// `{"id":UUID,"path":TEXT,"body":BODY}`.
  ///
  /// - Parameter body: JSON text.
  static func request(_ id: Identifier, path: String, body: [UInt8]) -> [UInt8] {
    var bytes = head(id, room: body.count + path.utf8.count + 80)
    bytes += ",\"path\":".utf8
    JSONWriter.append(path, to: &bytes)
    bytes += ",\"body\":".utf8
    bytes += body
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// `{"id":UUID,"status":NUMBER,"body":BODY}`, or `"text":TEXT` if the body is not JSON.
  static func response(_ id: Identifier, status: Int, _ content: UplinkContent) -> [UInt8] {
    var bytes = head(id, room: content.count + 80)
    bytes += ",\"status\":\(status)".utf8
    switch content {
    case .body(let body):
      bytes += ",\"body\":".utf8
      bytes += body
    case .text(let text):
      bytes += ",\"text\":".utf8
      JSONWriter.append(text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private static func head(_ id: Identifier, room: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(room)
    bytes += "{\"id\":\"\(id.text)\"".utf8
    return bytes
  }

  /// Reads a payload.
  ///
  /// - Parameter read: Reads all known keys except `id`; nil after reporting an error.
  /// - Throws: The first error.
  static func reading<Value>(
    _ frame: Frame, _ read: (JSONObjectReader) -> Value?
  ) throws(UplinkTextError) -> Value {
    let collector = DiagnosticsCollector(file: "payload")
    var found: Value?
    do throws(JSONError) {
      let node = try JSONParser.parse(frame.payload, dialect: .json)
      if let reader = JSONObjectReader(node, into: collector) {
        let id = reader.value("id", required: true)
        if let id, let text = id.string(), Identifier(text: text) != frame.transfer {
          id.error("found \"\(text)\", expected \"\(frame.transfer.text)\" as in the frame's header")
        }
        found = read(reader)
        reader.finish()
      }
    } catch {
      collector.diagnostics.add(error)
    }
    if let first = collector.diagnostics.list.first { throw UplinkTextError(text: first.message) }
    guard let found else { throw UplinkTextError(text: "found an incomplete object, expected all keys") }
    return found
  }
}

/// Why a payload of the uplink cannot be decoded.
struct UplinkTextError: Error {
  /// One sentence: what was found and what was expected.
  var text: String
}

extension Frame {
  /// The receiver's line about a payload that it cannot decode.
  func undecodable(_ error: UplinkTextError, at now: VirtualTime, on role: NodeRole) -> TraceEvent {
    TraceEvent(UplinkUndecodable.self, at: now, on: role.place) {
      $0.id = transfer
      $0.epoch = Int64(epoch.rawValue)
      $0.seq = Int64(clamping: seq.rawValue)
      $0.digest = EventDigest(bits: Digest.prefix(payload))
      $0.error = error.text
    }
  }

  /// The receiver's line about a frame that no correct peer sends.
  func refused(why: String, at now: VirtualTime, on role: NodeRole) -> TraceEvent {
    TraceEvent(FrameRefused.self, at: now, on: role.place) {
      $0.kind = kind
      $0.channel = channel
      $0.epoch = Int64(epoch.rawValue)
      $0.seq = Int64(clamping: seq.rawValue)
      $0.why = why
    }
  }
}
