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
