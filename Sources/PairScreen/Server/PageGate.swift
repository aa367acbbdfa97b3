/// Decides which requests are answered: those of the one page that this run has opened.
///
/// The page is for this user's browser alone. Another page in the same browser may send requests here, too, and a
/// name that leads to
/// 127.0.0.1 may hide one: so the address has a token that only the page knows, `Host` must be ours, and `Origin` too
/// where a browser
/// sends it.
package struct PageGate {
  /// The port that the server listens on.
  let port: UInt16
  /// The unguessable first part of every path.
  let token: String

  package init(port: UInt16, token: String) {
    (self.port, self.token) = (port, token)
  }

  /// The address of the page.
  package var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  /// What a request is answered with.
  package enum Answer: Equatable {
    /// A file of the page, by the name in its address; empty for the page itself.
    case file(String)
    /// The stream of what changes.
    case stream
    /// An act of the user, with its JSON.
    case act([UInt8])
  }

  /// The answer of a request.
  ///
  /// - Throws: 404 for any path without the token, with nothing that tells it from another one.
  package func answer(_ request: HTTPRequest) throws(HTTPRefusal) -> Answer {
    guard let host = request["host"], isOurs(host) else {
      throw HTTPRefusal(status: 421, text: "this is \(names[0])")
    }
    if let origin = request["origin"], !names.contains(where: { origin == "http://\($0)" }) {
      throw HTTPRefusal(status: 403, text: "another page has sent this")
    }
    // Browsers say where a request comes from; a page of another site gets nothing, with the token or without.
    if let site = request["sec-fetch-site"], site != "same-origin", site != "none" {
      throw HTTPRefusal(status: 403, text: "another site has sent this")
    }
    let path = request.target.prefix { $0 != "?" }
    let parts = path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isEqual(parts[0], token) else { throw HTTPRefusal(status: 404, text: "nothing here") }
    let name = String(parts[1])
    switch (request.method, name) {
    case ("GET", "events"): return .stream
    case ("GET", _): return .file(name)
    case ("POST", "act"):
      // A form of another page could not set this type without asking first.
      guard request["content-type"] == "application/json" else {
        throw HTTPRefusal(status: 415, text: "an act is JSON")
      }
      guard request["origin"] != nil else { throw HTTPRefusal(status: 403, text: "an act says which page it is of") }
      return .act(request.body)
    default: throw HTTPRefusal(status: 405, text: "\(request.method) is not answered here")
    }
  }

  private var names: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

  private func isOurs(_ host: String) -> Bool { names.contains(host.lowercased()) }

  /// Compares in a time that does not tell how much of it was right.
  private static func isEqual(_ given: Substring, _ token: String) -> Bool {
    let (given, token) = (Array(given.utf8), Array(token.utf8))
    guard given.count == token.count else { return false }
    return zip(given, token).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The headers of every answer: nothing is loaded from elsewhere, kept, framed, or told to another page.
  static let headers = [
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
      + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cache-Control: no-store",
    "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin", "X-Frame-Options: DENY",
  ]
}
