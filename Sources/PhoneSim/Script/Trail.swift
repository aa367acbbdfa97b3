import CoachProtocol

/// The run's recent positions by elapsed time, from fresh snapshots.
///
/// Bounded by ``countMax`` points; at one a second it reaches back more than eight minutes, of which three are needed.
/// Elapsed time is in whole milliseconds, as the watch rounds it, so "180 s ago" is exact.
package struct Trail: Sendable, Equatable {
  /// Limit of points; beyond it the older half is dropped.
  package static let countMax = 1024

  /// The longest elapsed time that the trail accepts, in milliseconds.
  package static let millisecondsMax: Int64 = 1_000_000_000_000_000
  /// Metres that no run reaches, and seconds that none lasts.
  package static let distanceMax = 1e12

  package struct Point: Sendable, Equatable {
    /// Elapsed time of the run in milliseconds.
    package var milliseconds: Int64
    /// Metres.
    package var distance: Double
  }

  /// In strictly ascending order of elapsed time.
  package private(set) var points: [Point] = []
  /// The index of the last lookup; the next one is nearby.
  private var cursor = 0

  /// Elapsed time in the trail's unit; nil if it is out of bounds.
  @inline(__always)
  static func milliseconds(_ elapsed: Double) -> Int64? {
    abs(elapsed) < 1e12 ? Int64((elapsed * 1000).rounded()) : nil
  }

  func holds(_ milliseconds: Int64) -> Bool {
    if points.last?.milliseconds == milliseconds { return true }
    return points.contains { $0.milliseconds == milliseconds }
  }

  /// Appends a point read from a store.
  mutating func append(_ point: Point) {
    precondition(points.last.map { $0.milliseconds < point.milliseconds } ?? true, "the trail goes on")
    points.append(point)
  }

  /// Adds a snapshot; of several with equal elapsed time the last counts.
  package mutating func add(elapsed: Double, distance: Double) {
    guard let milliseconds = Self.milliseconds(elapsed) else { return }
    let point = Point(milliseconds: milliseconds, distance: distance)
    guard let last = points.last, point.milliseconds <= last.milliseconds else {
      if points.count >= Self.countMax {
        points.removeFirst(Self.countMax / 2)
        cursor = 0
      }
      points.append(point)
      return
    }
    // Elapsed time stood still in a pause, or fell back after a restart of the watch.
    var index = points.count - 1
    while index > 0, points[index - 1].milliseconds >= point.milliseconds { index -= 1 }
    if points[index].milliseconds == point.milliseconds {
      points[index] = point
    } else {
      points.insert(point, at: index)
      if points.count > Self.countMax { points.removeFirst(Self.countMax / 2) }
      cursor = 0
    }
  }

  /// The interpolated distance at an elapsed time; nil before the first point.
  package mutating func distance(atMilliseconds target: Int64) -> Double? {
    guard let first = points.first, first.milliseconds <= target else { return nil }
    while points[cursor].milliseconds > target { cursor -= 1 }
    while cursor + 1 < points.count, points[cursor + 1].milliseconds <= target { cursor += 1 }
    let older = points[cursor]
    guard older.milliseconds < target, cursor + 1 < points.count else { return older.distance }
    let newer = points[cursor + 1]
    let share = Double(target - older.milliseconds) / Double(newer.milliseconds - older.milliseconds)
    return older.distance + (newer.distance - older.distance) * share
  }

  /// Metres over the 180 s before a snapshot in the trail; nil if the run is shorter.
  mutating func trailing(_ snapshot: LiveMetrics) -> Double? {
    guard let milliseconds = Self.milliseconds(snapshot.elapsed) else { return nil }
    return distance(atMilliseconds: milliseconds - 180_000).map { snapshot.distance - $0 }
  }

  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.points == rhs.points }
}
