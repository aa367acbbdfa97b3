import Link
import Testing

@testable import PhoneSim

@Suite struct ScriptTrailTests {
  private func trail(_ points: [(Double, Double)]) -> Trail {
    var trail = Trail()
    for (elapsed, distance) in points { trail.add(elapsed: elapsed, distance: distance) }
    return trail
  }

  @Test(arguments: [(9_999, nil), (10_000, 100), (15_000, 150), (20_000, 200), (20_500, 200.5), (25_000, 205)])
  func `a distance lies on the line between its neighbours`(milliseconds: Int64, distance: Double?) {
    var trail = trail([(10, 100), (20, 200), (25, 205)])
    #expect(trail.distance(atMilliseconds: milliseconds) == distance)
  }

  @Test func `the order of questions changes no answer`() {
    let full = trail((0..<200).map { (Double($0), Double($0 * $0)) })
    var asked = full
    for second in [150, 3, 199, 0, 77, 78, 76] as [Int64] {
      #expect(asked.distance(atMilliseconds: second * 1000) == Double(second * second))
    }
    #expect(asked == full, "where it was asked last is no part of what it says")
  }

  @Test func `points keep the order of their elapsed time, whenever they come, and the last of equals counts`() {
    let trail = trail([(10, 100), (30, 300), (20, 200), (20, 210), (5, 50), (30, 310), (10, 101)])
    #expect(trail.points.map(\.milliseconds) == [5000, 10_000, 20_000, 30_000])
    #expect(trail.points.map(\.distance) == [50, 101, 210, 310])
  }

  @Test func `it is bounded, and keeps what lies three minutes back`() {
    var trail = Trail()
    for second in 0..<100_000 {
      trail.add(elapsed: Double(second), distance: Double(second) * 3)
      #expect(trail.points.count <= Trail.countMax)
      if second >= 180 {
        #expect(trail.distance(atMilliseconds: Int64(second - 180) * 1000) == Double(second - 180) * 3)
      }
    }
    for second in 0..<5000 { trail.add(elapsed: Double(100_000 - second), distance: 1) }
    #expect(trail.points.count <= Trail.countMax)
  }

  @Test func `a time past all reason is no point`() {
    #expect(trail([(1e300, 1), (-1e300, 1), (.nan, 1)]).points.isEmpty)
  }
}
