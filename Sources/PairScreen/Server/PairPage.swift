/// The page's files, which are compiled into the program.
enum PairPage {
  /// The parts of the script, in order; they share one scope.
  private static let script: [[UInt8]] = [
    PackageResources.dom_js, PackageResources.stream_js, PackageResources.link_js, PackageResources.watch_js,
    PackageResources.phone_js, PackageResources.screens_js, PackageResources.time_js, PackageResources.touch_js,
    PackageResources.main_js,
  ]

  /// A file by the name in its address; nil if there is none of this name.
  static func file(_ name: String) -> (type: String, bytes: [UInt8])? {
    switch name {
    case "": ("text/html; charset=utf-8", PackageResources.pair_html)
    case "style.css": ("text/css; charset=utf-8", PackageResources.pair_css)
    case "script.js":
      (
        "text/javascript; charset=utf-8",
        Array("\"use strict\";\n(() => {\n".utf8) + Array(script.joined()) + Array("})();\n".utf8)
      )
    default: nil
    }
  }
}
