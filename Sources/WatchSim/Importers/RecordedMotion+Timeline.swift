import CoachProtocol

// Converts a recorded workout to the motion of the simulated watch.

extension RecordedMotion {
  /// Samples a recorded workout at whole seconds: distance, heart rate, cadence, pauses and, if it has a route,
  /// positions with altitudes.
  ///
  /// Seconds before the first fix have its position. Readings beyond the watch's ranges are clamped. Energy is the
  /// device's own figure, spread over the timer; without one a runner's follows from the distance (later, by the motion
  /// source) and another sport's is estimated.
  ///
  /// - Throws: `MotionError` if the workout is longer than `distanceMillimetresMax`.
  package init(_ timeline: ReplayTimeline) throws(MotionError) {
    let moments = (0...timeline.wallSeconds).map(timeline.moment(at:))
    var positions: [GeoPosition]?
    if var last = moments.lazy.compactMap(\.position).first {
      positions = moments.map { moment in
        last = moment.position ?? last
        return GeoPosition(
          latitudeE7: Int32((last.latitude * 1e7).rounded()), longitudeE7: Int32((last.longitude * 1e7).rounded()),
          altitudeMillimetres: Int32((min(max(moment.altitude ?? 0, -1_000), 20_000) * 1_000).rounded()))
      }
    }
    try self.init(
      distanceMillimetres: moments.map(\.distanceMillimetres),
      heartRate: moments.map { UInt8(clamping: $0.heartRate ?? 0) },
      cadence: moments.map { UInt16(clamping: Int(($0.cadence ?? 0).rounded())) },
      isPaused: moments.map { $0.state == .paused },
      positions: positions, energyDecikilocalories: Self.energy(of: timeline, moments),
      sport: timeline.sport ?? Self.unknownSport, parts: timeline.parts)
  }

  /// The highest plausible device figure, kilocalories: days of cycling.
  private static let energyKcalMax = 100_000.0

  private static func energy(of timeline: ReplayTimeline, _ moments: [ReplayTimeline.Moment]) -> [Int64]? {
    let timer = moments.last?.timerMilliseconds ?? 0
    // Devices that cannot measure it write 0.
    if let stated = timeline.energyKcal, stated > 0, stated <= energyKcalMax, timer > 0 {
      let total = Int64((stated * 10).rounded())
      return moments.map { CountedDistance.share(of: total, $0.timerMilliseconds, outOf: timer) }
    }
    // Without a sport it counts as a run, which is what the app records.
    let sport = timeline.sport.map { Sport(named: $0) } ?? .running
    guard sport != .running else { return nil }
    return moments.map {
      sport.activeDecikilocalories(millimetres: $0.distanceMillimetres, milliseconds: $0.timerMilliseconds)
    }
  }
}
