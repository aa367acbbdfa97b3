import PairScreen
import Testing

/// Requests of browsers: read within limits, answered for the one page alone.
@Suite struct `Page gate` {
  private static let token = String(repeating: "ab", count: 24)
  private let gate = PageGate(port: 4_000, token: token)

  private func request(_ text: String) throws -> HTTPRequest? {
    var reader = HTTPRequestReader()
    return try reader.append(Array(text.utf8))
  }

  /// The answer to a request with some headers.
  private func answer(
    _ line: String, host: String = "127.0.0.1:4000", _ more: [String] = [], body: String = ""
  ) throws -> PageGate.Answer {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    let head = ["\(line) HTTP/1.1", "Host: \(host)"] + more + length
    let request = try #require(try request(head.joined(separator: "\r\n") + "\r\n\r\n" + body))
    return try gate.answer(request)
  }

  private func status(_ body: () throws -> Void) -> Int? {
    do {
      try body()
      return nil
    } catch { return (error as? HTTPRefusal)?.status }
  }

  @Test func `the page, its files and its stream are answered`() throws {
    #expect(try answer("GET /\(Self.token)/") == .file(""))
    #expect(try answer("GET /\(Self.token)/style.css?x") == .file("style.css"))
    #expect(try answer("GET /\(Self.token)/events", host: "LOCALHOST:4000") == .stream)
  }

  @Test func `an act needs the page's origin and JSON`() throws {
    let line = "POST /\(Self.token)/act"
    let json = "Content-Type: application/json"
    #expect(
      try answer(line, ["Origin: http://127.0.0.1:4000", json], body: "{}") == .act(Array("{}".utf8)))
    #expect(status { _ = try answer(line, [json], body: "{}") } == 403)
    #expect(status { _ = try answer(line, ["Origin: http://127.0.0.1:4000"], body: "{}") } == 415)
    #expect(status { _ = try answer(line, ["Origin: http://127.0.0.1:4001", json], body: "{}") } == 403)
    #expect(status { _ = try answer(line, ["Origin: null", json], body: "{}") } == 403)
  }

  @Test func `another token, another host and another site get nothing`() throws {
    let path = "GET /\(Self.token)/"
    #expect(status { _ = try answer("GET /") } == 404)
    #expect(status { _ = try answer("GET /\(Self.token.dropLast())0/") } == 404)
    #expect(status { _ = try answer("GET /\(Self.token)") } == 404)
    #expect(status { _ = try answer(path, host: "evil.example:4000") } == 421)
    #expect(status { _ = try answer(path, host: "127.0.0.1:4001") } == 421)
    #expect(status { _ = try answer(path, ["Origin: http://evil.example"]) } == 403)
    #expect(status { _ = try answer(path, ["Sec-Fetch-Site: cross-site"]) } == 403)
    #expect(try answer(path, ["Sec-Fetch-Site: same-origin"]) == .file(""))
    #expect(status { _ = try answer("PUT /\(Self.token)/act") } == 405)
  }

  @Test func `a request is read byte by byte`() throws {
    let text = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    var reader = HTTPRequestReader()
    var request: HTTPRequest?
    for byte in text.utf8 {
      #expect(request == nil)
      request = try reader.append([byte])
    }
    #expect(request?.body == Array("abc".utf8))
    #expect(request?["host"] == "a")
  }

  @Test(arguments: [
    ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2\r\n\r\n", 400), ("GET x HTTP/1.1\r\n\r\n", 400),
    ("G3T / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nContent-Length: 65537\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
  ])
  func `what is no request of ours is refused`(text: String, expected: Int) {
    #expect(status { _ = try request(text) } == expected)
  }

  @Test func `a head without end is refused at its limit`() {
    var reader = HTTPRequestReader()
    let piece = Array(repeating: UInt8(ascii: "a"), count: 1_000)
    var count = 0
    let found = status {
      while count < 100 {
        count += 1
        _ = try reader.append(piece)
      }
    }
    #expect(found == 431)
    #expect(count == 9)
  }

  @Test func `too many headers are refused`() {
    let headers = (0...HTTPRequestReader.headersMax).map { "X-\($0): y\r\n" }.joined()
    #expect(status { _ = try request("GET / HTTP/1.1\r\n\(headers)\r\n") } == 431)
  }
}
