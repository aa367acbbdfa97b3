import CSystem
package import Console
import Foundation
import Link
import LinkTransport

/// What the server asks of the run that it shows.
package protocol PageSource: AnyObject {
  /// A file of the page with its type; nil if there is none of this name.
  func file(_ name: String) -> (type: String, bytes: [UInt8])?
  /// Carries out an act; its answer is JSON.
  func act(_ body: [UInt8]) -> (isRefused: Bool, answer: [UInt8])
  /// The parts of the current state by name, always in the same order.
  func parts() -> [(name: String, json: [UInt8])]
}

/// Serves the page on 127.0.0.1: files, acts, and a stream of what has changed.
///
/// It runs on one thread and never waits for a client: one that reads slowly gets fewer states, one that neither sends
/// nor reads is dropped.
package final class PageServer {
  /// A browser's connection.
  private final class Client {
    let socket: SocketDescriptor
    var reader = HTTPRequestReader()
    /// What is still to be sent.
    var pending: [UInt8] = []
    var sent = 0
    /// Whether it receives changes until it closes.
    var isStream = false
    var isOver = false
    /// Number of bytes after its request.
    var ignored = 0
    /// When it connected, or last read something.
    var lastAt = ContinuousClock.now
    /// The hash of each part as last sent.
    var known: [String: Int] = [:]

    init(_ socket: consuming SocketDescriptor) { self.socket = socket }
  }

  private let listener: LoopbackListener
  private let gate: PageGate
  private unowned let source: any PageSource
  private var clients: [Client] = []

  /// Most connections at a time; a browser has about six.
  static let clientsMax = 32
  /// Timeout for a complete request, and for reading an answer.
  package static let silenceMax = Duration.seconds(10)
  /// Timeout for closing the connection after the answer.
  static let closingMax = Duration.seconds(1)
  /// Limit of bytes after a request, which are ignored.
  static let ignoredMax = 1 << 20

  /// Listens.
  ///
  /// - Parameters:
  ///   - port: 0 for any free one.
  ///   - isInContainer: Whether requests come from outside this computer: from the host of its container.
  package init(port: UInt16, isInContainer: Bool = false, source: any PageSource) throws(Failure) {
    var random = [UInt8](repeating: 0, count: 24)
    let status = cs_random(&random, random.count)
    guard status == 0 else { throw .environment("no random bytes: \(SystemText.of(-status))") }
    do throws(SystemCallError) { listener = try LoopbackListener(port: port, isInContainer: isInContainer) } catch {
      throw .environment("--port: error: \(error)")
    }
    gate = PageGate(port: listener.port, token: Digest.text(random))
    self.source = source
  }

  /// The address of the page.
  package var address: String { gate.address }
  /// Whether a page is open.
  package var isWatched: Bool { clients.contains { $0.isStream } }

  /// Waits for requests up to a timeout, and answers them.
  ///
  /// - Parameter stop: A descriptor that ends the wait when it becomes readable, if any.
  package func serve(seconds: Double, stop: CInt?) {
    var entries = [cs_poll_entry(descriptor: listener.descriptor, wanted: Int16(CS_POLL_READ), ready: 0)]
    for client in clients {
      let wanted = client.sent < client.pending.count ? CS_POLL_READ | CS_POLL_WRITE : CS_POLL_READ
      entries.append(cs_poll_entry(descriptor: client.socket.rawValue, wanted: Int16(wanted), ready: 0))
    }
    if let stop { entries.append(cs_poll_entry(descriptor: stop, wanted: Int16(CS_POLL_READ), ready: 0)) }
    if cs_poll(&entries, entries.count, Int64(seconds * 1e9)) > 0 {
      for (client, entry) in zip(clients, entries.dropFirst()) where entry.ready != 0 {
        if entry.ready & Int16(CS_POLL_READ) != 0 { read(client) }
        flush(client)
        if entry.ready & Int16(CS_POLL_ERROR | CS_POLL_HANG_UP | CS_POLL_INVALID) != 0 { client.isOver = true }
      }
      if entries[0].ready != 0 { accept() }
    }
    let now = ContinuousClock.now
    clients.removeAll { client in
      let isServed = !client.pending.isEmpty && client.sent >= client.pending.count
      // A stream that has read everything is idle.
      if client.isOver || client.isStream && isServed { return client.isOver }
      // A connection carries one request; the client closes it after the answer.
      return client.lastAt.duration(to: now) > (isServed ? Self.closingMax : Self.silenceMax)
    }
  }

  /// Sends every open page what has changed for it.
  ///
  /// - Returns: False if a page still reads an earlier state, and has to get this one later.
  @discardableResult
  package func push() -> Bool {
    let streams = clients.filter(\.isStream)
    let ready = streams.filter { $0.sent >= $0.pending.count }
    guard !ready.isEmpty else { return streams.isEmpty }
    let parts = source.parts()
    for client in ready { send(parts, to: client) }
    return ready.count == streams.count
  }

  private func send(_ parts: [(name: String, json: [UInt8])], to client: Client) {
    var bytes: [UInt8] = []
    for part in parts {
      var hasher = Hasher()
      hasher.combine(part.json)
      let digest = hasher.finalize()
      guard client.known[part.name] != digest else { continue }
      client.known[part.name] = digest
      bytes += Array("event: \(part.name)\ndata: ".utf8) + part.json + Array("\n\n".utf8)
    }
    guard !bytes.isEmpty else { return }
    enqueue(bytes, to: client)
    flush(client)
  }

  private func accept() {
    while let socket = try? listener.acceptPending() {
      guard clients.count < Self.clientsMax else { return }
      clients.append(Client(socket))
    }
  }

  private func read(_ client: Client) {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while !client.isOver {
      var room = bytes.mutableSpan
      do throws(SystemCallError) {
        let count = try client.socket.receive(into: &room, isWaiting: false)
        guard count > 0 else {
          client.isOver = true
          return
        }
        guard client.pending.isEmpty, !client.isStream else {
          client.ignored += count
          client.isOver = client.ignored > Self.ignoredMax
          continue
        }
        handle(bytes[..<count], from: client)
      } catch {
        if error.code != EAGAIN, error.code != EINTR { client.isOver = true }
        return
      }
    }
  }

  private func handle(_ bytes: ArraySlice<UInt8>, from client: Client) {
    do throws(HTTPRefusal) {
      guard let request = try client.reader.append(bytes) else { return }
      switch try gate.answer(request) {
      case .stream:
        client.isStream = true
        enqueue(Self.head(200, "text/event-stream", length: nil), to: client)
        send(source.parts(), to: client)
      case .act(let body):
        let (isRefused, answer) = source.act(body)
        reply(isRefused ? 409 : 200, "application/json", answer, to: client)
      case .file(let name):
        guard let file = source.file(name) else { throw HTTPRefusal(status: 404, text: "nothing here") }
        reply(200, file.type, file.bytes, to: client)
      }
    } catch {
      reply(error.status, "text/plain; charset=utf-8", Array("\(error.text)\n".utf8), to: client)
    }
  }

  private func reply(_ status: Int, _ type: String, _ body: [UInt8], to client: Client) {
    enqueue(Self.head(status, type, length: body.count) + body, to: client)
  }

  private func enqueue(_ bytes: [UInt8], to client: Client) {
    if client.sent >= client.pending.count {
      (client.pending, client.sent) = (bytes, 0)
    } else {
      client.pending += bytes
    }
    client.lastAt = .now
  }

  private func flush(_ client: Client) {
    while client.sent < client.pending.count {
      do throws(SystemCallError) {
        let rest = client.pending.span.extracting(client.sent..<client.pending.count)
        client.sent += try client.socket.send(rest, isWaiting: false)
        client.lastAt = .now
      } catch {
        if error.code != EAGAIN, error.code != EINTR { client.isOver = true }
        return
      }
    }
  }

  private static func head(_ status: Int, _ type: String, length: Int?) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(reasons[status] ?? "Refused")", "Content-Type: \(type)", "Connection: close"]
    if let length { lines.append("Content-Length: \(length)") }
    return Array(((lines + PageGate.headers).joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static let reasons = [200: "OK", 404: "Not Found", 403: "Forbidden", 409: "Conflict", 400: "Bad Request"]
}

/// A request of a browser: what of HTTP/1.1 a page of ours needs.
package struct HTTPRequest: Equatable {
  package var method: String
  /// As sent: a path, perhaps with a query.
  package var target: String
  /// Names in lower case, in the order of the request.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8] = []

  /// The value of a header; nil if it is missing.
  package subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.method == rhs.method && lhs.target == rhs.target && lhs.body == rhs.body
      && lhs.headers.elementsEqual(rhs.headers, by: ==)
  }
}

/// Why a request is refused: a status of HTTP, and a sentence.
package struct HTTPRefusal: Error, Equatable {
  package var status: Int
  package var text: String
}

/// Reads one request from the bytes of a connection, as they arrive.
///
/// Everything is bounded: a connection that sends more is refused, whatever it sends.
package struct HTTPRequestReader {
  /// The largest head: request line and headers, in bytes.
  package static let headMax = 8 << 10
  /// The most headers.
  package static let headersMax = 64
  /// The largest body, in bytes.
  package static let bodyMax = 64 << 10

  private var bytes: [UInt8] = []
  /// The request without its body, and where the body begins; nil while the head is incomplete.
  private var head: (request: HTTPRequest, end: Int, length: Int)?

  package init() {}

  /// Adds bytes, and returns the request once it is complete.
  package mutating func append(_ more: some Sequence<UInt8>) throws(HTTPRefusal) -> HTTPRequest? {
    bytes += more
    if head == nil { head = try readHead() }
    guard let head else { return nil }
    guard bytes.count >= head.end + head.length else { return nil }
    var request = head.request
    request.body = Array(bytes[head.end..<(head.end + head.length)])
    return request
  }

  private func readHead() throws(HTTPRefusal) -> (request: HTTPRequest, end: Int, length: Int)? {
    guard let blank = bytes.prefix(Self.headMax).firstRange(of: Array("\r\n\r\n".utf8)) else {
      guard bytes.count < Self.headMax else {
        throw HTTPRefusal(status: 431, text: "the head has more than \(Self.headMax) bytes")
      }
      return nil
    }
    guard let text = String(validating: bytes[..<blank.lowerBound], as: UTF8.self) else {
      throw HTTPRefusal(status: 400, text: "the head is not UTF-8")
    }
    // One character for Swift: a carriage return and the line feed after it.
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0", words[1].hasPrefix("/"),
      !words[0].isEmpty, words[0].allSatisfy({ $0.isASCII && $0.isLetter })
    else { throw HTTPRefusal(status: 400, text: "the first line is no request") }
    guard lines.count - 1 <= Self.headersMax else {
      throw HTTPRefusal(status: 431, text: "more than \(Self.headersMax) headers")
    }
    var request = HTTPRequest(method: String(words[0]), target: String(words[1]), headers: [])
    for line in lines.dropFirst() { request.headers.append(try Self.header(line)) }
    for name in ["host", "origin", "content-length"] where request.headers.count(where: { $0.name == name }) > 1 {
      throw HTTPRefusal(status: 400, text: "\(name) is there twice")
    }
    guard request["transfer-encoding"] == nil else {
      throw HTTPRefusal(status: 501, text: "a body in chunks is not read")
    }
    return (request, blank.upperBound, try Self.length(request["content-length"]))
  }

  private static func header(_ line: Substring) throws(HTTPRefusal) -> (name: String, value: String) {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty,
      parts[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !parts[1].unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" })
    else { throw HTTPRefusal(status: 400, text: "a header cannot be read") }
    let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let value = parts[1].drop(while: blanks)
    let end = value.lastIndex { !blanks($0) }
    return (parts[0].lowercased(), end.map { String(value[...$0]) } ?? "")
  }

  private static func length(_ text: String?) throws(HTTPRefusal) -> Int {
    guard let text else { return 0 }
    guard text.utf8.count <= 9, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let length = Int(text)
    else { throw HTTPRefusal(status: 400, text: "content-length is no number") }
    guard length <= bodyMax else {
      throw HTTPRefusal(status: 413, text: "the body has more than \(bodyMax) bytes")
    }
    return length
  }
}
