/// The fresh snapshots of the trailing 180 seconds of a run, and one before them.
package struct SnapshotTrack: Sendable {
  private struct Point {
    var elapsed: Double
    var distance: Double
  }

  /// From `head` on, in ascending order of `elapsed`.
  private var points: [Point] = []
  private var head = 0

  /// Adds a snapshot, replacing one with equal `elapsed`.
  mutating func append(elapsed: Double, distance: Double) {
    while let last = points.last, points.count > head, last.elapsed >= elapsed { points.removeLast() }
    points.append(Point(elapsed: elapsed, distance: distance))
    while head + 1 < points.count, points[head + 1].elapsed <= elapsed - 180 { head += 1 }
    if head > 256 {
      points.removeSubrange(..<head)
      head = 0
    }
  }

  /// Metres over the last 180 seconds; NaN if no snapshot is that old.
  var trail: Double {
    guard points.count > head, let latest = points.last else { return .nan }
    let target = latest.elapsed - 180
    let older = points[head]
    guard older.elapsed <= target else { return .nan }
    guard older.elapsed < target, head + 1 < points.count else { return latest.distance - older.distance }
    let newer = points[head + 1]
    let part = (target - older.elapsed) / (newer.elapsed - older.elapsed)
    return latest.distance - (older.distance + (newer.distance - older.distance) * part)
  }
}
