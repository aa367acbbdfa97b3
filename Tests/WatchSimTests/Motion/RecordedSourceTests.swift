import Testing
@testable import WatchSim

@Suite struct `Recorded source` {
  func motion(_ distance: [Int64], paused: [Bool]? = nil, positions: [GeoPosition]? = nil) throws -> RecordedMotion {
    try RecordedMotion(
      distanceMillimetres: distance, heartRate: (0..<distance.count).map { UInt8(100 + $0) },
      cadence: [UInt16](repeating: 170, count: distance.count),
      isPaused: paused ?? [Bool](repeating: false, count: distance.count), positions: positions)
  }

  @Test func `replays each second as it was recorded, and interpolates distance between two`() throws {
    var source = RecordedSource(try motion([0, 3_000, 7_000], paused: [false, true, false]))
    #expect(source.advance(toMilliseconds: 0).distanceMillimetres == 0)
    #expect(source.advance(toMilliseconds: 500).distanceMillimetres == 1_500)
    let middle = source.advance(toMilliseconds: 1_000)
    #expect(middle.distanceMillimetres == 3_000 && middle.heartRate == 101 && middle.isPaused && !middle.isFinished)
    #expect(source.advance(toMilliseconds: 1_250).distanceMillimetres == 4_000)
    #expect(source.advance(toMilliseconds: 2_000).isFinished)
  }

  @Test func `stays at its end when asked past it`() throws {
    var source = RecordedSource(try motion([0, 3_000]))
    let end = source.advance(toMilliseconds: 3_600_000)
    #expect(end.distanceMillimetres == 3_000 && end.isFinished && end.heartRate == 101)
  }

  @Test func `says where the runner was, where that is known`() throws {
    let places = [GeoPosition(latitudeE7: 1, longitudeE7: 2), GeoPosition(latitudeE7: 3, longitudeE7: 4)]
    var source = RecordedSource(try motion([0, 3_000], positions: places))
    #expect(source.advance(toMilliseconds: 1_000).position == places[1])
    var blind = RecordedSource(try motion([0, 3_000]))
    #expect(blind.advance(toMilliseconds: 1_000).position == nil)
  }

  @Test func `a stretch of a recording begins at 0 and keeps what was recorded`() throws {
    let whole = try motion([0, 3_000, 7_000, 7_000, 12_000], paused: [false, false, true, false, false])
    let cut = try whole.cut(to: RecordedStretch(from: 1, to: 3))
    #expect(cut.distanceMillimetres == [0, 4_000, 4_000])
    #expect(cut.heartRate == [101, 102, 103] && cut.isPaused == [false, true, false])
    #expect(try whole.cut(to: RecordedStretch(from: 2, to: 900)).distanceMillimetres == [0, 0, 5_000])
    #expect(try whole.cut(to: .whole) == whole)
    for stretch in [RecordedStretch(from: 4), RecordedStretch(from: -1), RecordedStretch(from: 3, to: 3)] {
      #expect(throws: MotionError.self) { try whole.cut(to: stretch) }
    }
  }

  @Test func `a recording that makes no sense is refused with what is wrong`() {
    func key(_ distance: [Int64], heartRates: Int? = nil) -> String? {
      let count = distance.count
      do {
        _ = try RecordedMotion(
          distanceMillimetres: distance, heartRate: [UInt8](repeating: 0, count: heartRates ?? count),
          cadence: [UInt16](repeating: 0, count: count), isPaused: [Bool](repeating: false, count: count))
        return nil
      } catch { return error.key }
    }
    #expect(key([0, 4]) == nil)
    #expect(key([]) == "distance")
    #expect(key([5, 4]) == "distance")
    #expect(key([-1, 4]) == "distance")
    #expect(key([0, .max]) == "distance")
    #expect(key([0, 4], heartRates: 1) == "heartRate")
  }
}
