package import Console
package import Foundation
import Link

/// The address of a real proxy: `--proxy URL`.
package struct ProxyAddress: Equatable {
  /// The URL before the path of a call: `http://localhost:8787`.
  package let url: URL

  /// How long such a run waits after its end for unanswered requests.
  static let drain = VirtualTime.Span.seconds(30)
  /// The fastest pace, in virtual seconds a real second: the coach's shortest deadline leaves a proxy a tenth of a second.
  package static let paceMax = 80.0

  /// Reads the option.
  ///
  /// - Throws: For anything but the address of a web server, and for one with a secret, which would end up in traces.
  package init(_ text: String) throws(Failure) {
    let found = "--proxy: found \"\(TerminalText.escape(text))\""
    guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, let url = parts.url,
      parts.scheme == "http" || parts.scheme == "https"
    else { throw .input("\(found), expected an address such as http://localhost:8787") }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
      throw .input("\(found), expected an address without name, password or query")
    }
    self.url = url
  }

  /// The program that plays the edge with it, beside this one.
  ///
  /// - Parameter pace: Virtual seconds in a real second.
  /// - Throws: If it was not built.
  package func command(pace: Double) throws(Failure) -> [String] {
    let path = (ProcessRun.ownPath.split(separator: "/").dropLast() + ["sim-runner-proxy"]).joined(separator: "/")
    guard FileManager.default.isExecutableFile(atPath: "/\(path)") else {
      throw .environment("/\(path): is missing; swift build -c release --product sim-runner-proxy makes it")
    }
    return ["/\(path)", url.absoluteString, String(pace)]
  }

  /// The header's member: such a run is not repeatable.
  var member: JSONMember {
    JSONMember(
      "proxy",
      .fields(["url": .string(url.absoluteString), "deterministic": .bool(false)]))
  }
}
