import CoachProtocol

// The step from a recorded workout to what moves the simulated watch.

extension RecordedMotion {
  /// Lays a recorded workout on whole seconds: distance, heart rate, cadence, pauses and, where it has a route, positions.
  ///
  /// A second before the first fix has the place of the first one. Readings beyond what a watch can hold are cut to it. The
  /// energy is the device's own figure, spread over the timer; where it states none, a runner's follows from the distance
  /// (which the motion leaves open) and another sport's is estimated.
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
      positions: positions, energyDecikilocalories: Self.energy(of: timeline, moments),
      sport: timeline.sport ?? Self.unknownSport)
  }

  /// The most that a device is believed to have measured, kilocalories: days of cycling.
  private static let energyKcalMax = 100_000.0

  private static func energy(of timeline: ReplayTimeline, _ moments: [ReplayTimeline.Moment]) -> [Int64]? {
    let timer = moments.last?.timerMilliseconds ?? 0
    // Devices that cannot measure it write 0.
    if let stated = timeline.energyKcal, stated > 0, stated <= energyKcalMax, timer > 0 {
      let total = Int64((stated * 10).rounded())
      return moments.map { CountedDistance.share(of: total, $0.timerMilliseconds, outOf: timer) }
    }
    // A file that names no sport is taken for a run, as the app records runs.
    let sport = timeline.sport.map { Sport(named: $0) } ?? .running
    guard sport != .running else { return nil }
    return moments.map {
      sport.activeDecikilocalories(millimetres: $0.distanceMillimetres, milliseconds: $0.timerMilliseconds)
    }
  }
}
