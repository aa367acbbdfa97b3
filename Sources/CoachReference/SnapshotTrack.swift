/// The fresh snapshots of the trailing 180 seconds of a run, and some before them, since the run's timer may go back.
package struct SnapshotTrack: Sendable {
  private struct Point {
    /// Whole milliseconds, so that "180 s ago" is exact.
    var elapsed: Double
    var distance: Double
  }

  private static let window = 180_000.0

  /// In ascending order of `elapsed`, whenever they came.
  private var points: [Point] = []
  /// The index of the last point at least 180 s before the latest snapshot; 0 if there is none.
  private var head = 0
  /// The latest snapshot; nil before the first, and if its time is past all reason.
  private var latest: Point?

  /// Adds a snapshot, replacing one with equal `elapsed`.
  mutating func append(elapsed: Double, distance: Double) {
    guard abs(elapsed) < 1e12 else {
      latest = nil
      return
    }
    let point = Point(elapsed: (elapsed * 1000).rounded(), distance: distance)
    latest = point
    var index = points.count
    while index > 0, points[index - 1].elapsed >= point.elapsed { index -= 1 }
    if index < points.count, points[index].elapsed == point.elapsed {
      points[index] = point
    } else {
      points.insert(point, at: index)
    }
    let target = point.elapsed - Self.window
    while head > 0, points[head].elapsed > target { head -= 1 }
    while head + 1 < points.count, points[head + 1].elapsed <= target { head += 1 }
    if head > 512 {
      points.removeSubrange(..<256)
      head -= 256
    }
  }

  /// Metres over the last 180 seconds; NaN if no snapshot is that old.
  var trail: Double {
    guard let latest else { return .nan }
    let target = latest.elapsed - Self.window
    let older = points[head]
    guard older.elapsed <= target else { return .nan }
    guard older.elapsed < target, head + 1 < points.count else { return latest.distance - older.distance }
    let newer = points[head + 1]
    let part = (target - older.elapsed) / (newer.elapsed - older.elapsed)
    return latest.distance - (older.distance + (newer.distance - older.distance) * part)
  }
}
