import Link

/// The page of a report: markup, style, data and script in one self-contained file.
///
/// The files in `Page` are compiled into the program, so that it needs no other files.
enum ReportPage {
  /// The parts of the script, in order; they share one scope.
  private static let script: [[UInt8]] = [
    PackageResources.data_js, PackageResources.layout_js, PackageResources.drawing_js, PackageResources.frames_js,
    PackageResources.navigation_js, PackageResources.why_js, PackageResources.pages_js,
  ]

  /// Appends the page.
  ///
  /// - Parameters:
  ///   - title: Plain text.
  ///   - data: JSON without a bare `<`.
  static func append(title: String, data: [UInt8], to bytes: inout [UInt8]) {
    bytes += PageTemplate.fill(PackageResources.report_html) { name in
      switch name {
      case "title": Array(Markup.escaped(title).utf8)
      case "style": PackageResources.report_css
      case "data": data
      case "script": Array(script.joined())
      default: nil
      }
    }
  }
}
