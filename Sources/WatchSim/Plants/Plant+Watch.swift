package import Link

extension Plant {
  /// Those of the watch's app.
  package static let watch: [Plant] = [
    zombieSession,
    fossilContext,
    lostEnd,
  ]
}
