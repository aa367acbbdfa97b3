import TraceTools

/// The page's files, which are compiled into the program; the devices' drawing is that of the report.
enum PairPage {
  /// The parts of the script, in order; they share one scope.
  private static let script: [[UInt8]] = [
    PairDrawing.script, PackageResources.stream_js, PackageResources.time_js, PackageResources.touch_js,
    PackageResources.main_js,
  ]

  /// A file by the name in its address; nil if there is none of this name.
  static func file(_ name: String) -> (type: String, bytes: [UInt8])? {
    switch name {
    case "": ("text/html; charset=utf-8", PackageResources.pair_html)
    case "style.css": ("text/css; charset=utf-8", PairDrawing.style + PackageResources.pair_css)
    case "script.js":
      (
        "text/javascript; charset=utf-8",
        Array("\"use strict\";\n(() => {\n".utf8) + Array(script.joined()) + Array("})();\n".utf8)
      )
    default: nil
    }
  }
}
