import Console
import Foundation
import LinkTestSupport
import PairScreen
import Testing

/// The server on a real socket.
@Suite struct `Page server` {
  /// A page of a few bytes.
  private final class Source: PageSource {
    var acts = 0
    var padding = ""
    func file(_ name: String) -> (type: String, bytes: [UInt8])? {
      name.isEmpty ? ("text/html", Array("<!doctype html>".utf8)) : nil
    }
    func act(_ body: [UInt8]) -> (isRefused: Bool, answer: [UInt8]) {
      acts += 1
      return (false, Array("{}".utf8))
    }
    func parts() -> [(name: String, json: [UInt8])] {
      [("time", Array("{\"acts\":\(acts),\"x\":\"\(padding)\"}".utf8))]
    }
  }

  /// A browser's connection.
  private final class Visitor {
    let descriptor: Int32
    let isConnected: Bool
    var heard: [UInt8] = []
    var hasEnded = false
    var text: String { String(decoding: heard, as: UTF8.self) }

    /// - Parameter host: The last byte of an address in 127.0.0.0/8, of which 1 is what the page's address says.
    init(port: UInt16, host: UInt32 = 1) {
      let own = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      descriptor = own
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7F00_0000 + host).bigEndian
      isConnected =
        withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(own, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        } == 0
    }

    deinit { close(descriptor) }

    func say(_ text: String) {
      let bytes = Array(text.utf8)
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    func listen() {
      var room = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
        if count == 0 { hasEnded = true }
        guard count > 0 else { return }
        heard += room[..<count]
      }
    }
  }

  private let source = Source()
  private let server: PageServer
  private let port: UInt16
  private let path: String

  init() throws {
    server = try PageServer(port: 0, source: source)
    let parts = server.address.dropFirst("http://127.0.0.1:".count).split(separator: "/", maxSplits: 1)
    port = try #require(UInt16(parts[0]))
    path = "/" + parts[1]
  }

  /// Serves until a visitor has heard something.
  private func serve(_ visitor: Visitor, until what: String) throws {
    try waitUntil(what) {
      server.serve(seconds: 0.01, stop: nil)
      visitor.listen()
      return visitor.text.contains(what)
    }
  }

  @Test func `the page comes with a strict policy`() throws {
    let visitor = Visitor(port: port)
    visitor.say("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    try serve(visitor, until: "<!doctype html>")
    #expect(visitor.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    for header in [
      "Content-Security-Policy: default-src 'none'; script-src 'self'", "frame-ancestors 'none'", "nosniff",
      "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin", "Cache-Control: no-store",
    ] { #expect(visitor.text.contains(header), "\(header)") }
  }

  @Test func `only in a container other addresses are listened on`() throws {
    #expect(!Visitor(port: port, host: 2).isConnected)
    let inContainer = try PageServer(port: 0, isInContainer: true, source: source)
    let own = try #require(UInt16(inContainer.address.dropFirst("http://127.0.0.1:".count).prefix { $0 != "/" }))
    let visitor = Visitor(port: own, host: 2)
    visitor.say("GET /act HTTP/1.1\r\nHost: 127.0.0.1:\(own)\r\n\r\n")
    try waitUntil("the answer") {
      inContainer.serve(seconds: 0.01, stop: nil)
      visitor.listen()
      return visitor.text.contains("HTTP/1.1 404")
    }
  }

  @Test func `a wrong token, host and origin are refused, and do nothing`() throws {
    let attempts = [
      ("POST /act HTTP/1.1\r\nHost: 127.0.0.1:\(port)", "404"),
      ("POST \(path)act HTTP/1.1\r\nHost: evil.example", "421"),
      ("POST \(path)act HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://evil.example", "403"),
      ("POST \(path)act HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 999999", "413"),
    ]
    for (head, status) in attempts {
      let visitor = Visitor(port: port)
      visitor.say("\(head)\r\nContent-Type: application/json\r\n\r\n{}")
      try serve(visitor, until: "HTTP/1.1 \(status)")
    }
    #expect(source.acts == 0)
  }

  @Test func `a stream gets what has changed, and only that`() throws {
    let visitor = Visitor(port: port)
    visitor.say("GET \(path)events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    try serve(visitor, until: "data: {\"acts\":0,")
    #expect(server.isWatched)
    server.push()
    let before = visitor.heard.count
    server.serve(seconds: 0.01, stop: nil)
    visitor.listen()
    #expect(visitor.heard.count == before)
    source.acts = 7
    server.push()
    try serve(visitor, until: "event: time\ndata: {\"acts\":7,")
  }

  @Test func `a page that does not read gets the last state once it reads again, and nothing in between`() throws {
    let visitor = Visitor(port: port)
    visitor.say("GET \(path)events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    try serve(visitor, until: "data: {\"acts\":0")
    source.padding = String(repeating: "x", count: 1 << 20)
    var behind = 0
    for number in 1...50 {
      source.acts = number
      if !server.push() { behind += 1 }
      server.serve(seconds: 0, stop: nil)
    }
    #expect(behind > 30)
    try waitUntil("the last state") {
      server.push()
      server.serve(seconds: 0.01, stop: nil)
      visitor.listen()
      return visitor.text.contains("{\"acts\":50")
    }
    // Far fewer than fifty states of a megabyte.
    #expect(visitor.heard.count < 20 << 20)
  }

  @Test func `a silent client is dropped, and delays no other`() throws {
    let silent = Visitor(port: port)
    silent.say("GET ")
    let visitor = Visitor(port: port)
    visitor.say("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
    try serve(visitor, until: "<!doctype html>")
    try waitUntil("the silent visitor's end") {
      server.serve(seconds: 0.05, stop: nil)
      silent.listen()
      return silent.hasEnded
    }
    #expect(silent.heard.isEmpty)
  }

  @Test func `who talks without end is dropped`() throws {
    let visitor = Visitor(port: port)
    try waitUntil("the end of the talk") {
      visitor.say(String(repeating: "x", count: 60_000))
      server.serve(seconds: 0.001, stop: nil)
      visitor.listen()
      return visitor.hasEnded || visitor.text.contains("431")
    }
  }

  @Test func `a port that is taken is a failure with its reason`() {
    let failure = #expect(throws: Failure.self) { _ = try PageServer(port: port, source: source) }
    #expect(failure?.text.contains("127.0.0.1:\(port)") == true)
  }
}
