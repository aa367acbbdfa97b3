// The step from a recorded workout to what moves the simulated watch.

extension RecordedMotion {
  /// Lays a recorded workout on whole seconds: distance, heart rate, cadence, pauses and, where it has a route, positions.
  ///
  /// A second before the first fix has the place of the first one. Readings beyond what a watch can hold are cut to it.
  ///
  /// - Throws: `MotionError` when the workout is longer than `distanceMillimetresMax`.
  package init(_ timeline: ReplayTimeline) throws(MotionError) {
    let moments = (0...timeline.wallSeconds).map(timeline.moment(at:))
    var positions: [GeoPosition]?
    if var last = moments.lazy.compactMap(\.position).first {
      positions = moments.map { moment in
        last = moment.position ?? last
        return GeoPosition(
          latitudeE7: Int32((last.latitude * 1e7).rounded()), longitudeE7: Int32((last.longitude * 1e7).rounded()))
      }
    }
    try self.init(
      distanceMillimetres: moments.map(\.distanceMillimetres),
      heartRate: moments.map { UInt8(clamping: $0.heartRate ?? 0) },
      cadence: moments.map { UInt16(clamping: Int(($0.cadence ?? 0).rounded())) },
      isPaused: moments.map { $0.state == .paused },
      positions: positions)
  }
}
