/// A page with `{{name}}` where values belong.
package enum PageTemplate {
  /// Returns the page with its values.
  ///
  /// - Parameter value: The value of a name; every name of the page has one.
  package static func fill(_ template: [UInt8], _ value: (String) -> [UInt8]?) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = template[...]
    while let open = rest.firstRange(of: Array("{{".utf8)), let close = rest.firstRange(of: Array("}}".utf8)) {
      bytes += rest[..<open.lowerBound]
      let name = String(decoding: rest[open.upperBound..<close.lowerBound], as: UTF8.self)
      guard let filling = value(name) else { preconditionFailure("a page has a placeholder without a value: \(name)") }
      bytes += filling
      rest = rest[close.upperBound...]
    }
    return bytes + rest
  }
}

extension PageTemplate {
  /// The page of a command's results, with its style.
  package static var results: [UInt8] { PackageResources.results_html }
  package static var resultsStyle: String { String(decoding: PackageResources.results_css, as: UTF8.self) }
  /// The element with the script of the list of scenarios and of the seeds.
  package static var resultsScript: String {
    "<script>\n\"use strict\";\n\(String(decoding: PackageResources.results_js, as: UTF8.self))</script>"
  }
}
