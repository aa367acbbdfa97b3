import Link

/// The page of a report: markup, style, data and script in one self-contained file.
///
/// The files in `Page` are compiled into the program, so that it needs no other files.
enum ReportPage {
  /// The script: its parts share one scope, in which the devices' drawing has one of its own.
  private static var script: [UInt8] {
    let drawing = "const devices = (() => {\n".utf8 + PairDrawing.script + PackageResources.stage_js
    return [
      PackageResources.data_js, PackageResources.layout_js, PackageResources.drawing_js, PackageResources.frames_js,
      PackageResources.navigation_js, PackageResources.why_js, drawing + "return { show };\n})();\n".utf8,
      PackageResources.pages_js,
    ].flatMap(\.self)
  }

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
      case "devices": PairDrawing.style + PackageResources.stage_css
      case "script": script
      default: nil
      }
    }
  }
}
