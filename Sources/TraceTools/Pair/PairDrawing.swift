/// The drawing of both devices and of the link between them, for the page of `open` and for the report.
///
/// The script declares `WatchView`, `PhoneView` and `LinkView`. Around it a page provides `state.time`, `isStill`,
/// `act` and `draw`; its parts share one scope with the page's own.
package enum PairDrawing {
  package static var script: [UInt8] {
    [
      PackageResources.dom_js, PackageResources.link_js, PackageResources.watch_js, PackageResources.phone_js,
      PackageResources.screens_js,
    ].flatMap(\.self)
  }

  /// The style sheet, for a page or for a shadow tree.
  package static var style: [UInt8] { PackageResources.devices_css }
}
