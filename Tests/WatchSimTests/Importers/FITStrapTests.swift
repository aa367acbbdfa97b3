import Testing

@testable import WatchSim

/// Heart rates of a chest strap, in `hr` messages.
struct FITStrapTests {
  /// A swim of a record a second without heart rates.
  private func swim(seconds: UInt32 = 20) -> FITWriter {
    var writer = FITWriter()
    writer.fileID()
    for second in 0..<seconds { writer.record(FITWriter.morning + second, distance: second * 100) }
    writer.session(
      start: FITWriter.morning, sport: 5, elapsed: (seconds - 1) * 1_000, timer: (seconds - 1) * 1_000,
      distance: (seconds - 1) * 100)
    return writer
  }

  /// A message that ties the strap's time, in 1,024ths of a second, to the watch's.
  private func anchor(_ writer: inout FITWriter, at time: UInt32, ticks: UInt32, rate: UInt8, fraction: UInt16 = 0) {
    writer.message(132, [.uint32(253, time), .uint16(0, fraction), .uint8(6, rate), .uint32(9, ticks)])
  }

  /// A message of several readings, each with the low 12 bits of its time.
  private func packed(_ writer: inout FITWriter, _ readings: [(ticks: UInt32, rate: UInt8)]) {
    precondition(readings.count.isMultiple(of: 2))
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: readings.count, by: 2) {
      let pair = readings[index].ticks & 0xFFF | (readings[index + 1].ticks & 0xFFF) << 12
      bytes += (0..<3).map { UInt8(truncatingIfNeeded: pair >> ($0 * 8)) }
    }
    writer.message(
      132,
      [
        .init(number: 6, type: 0x02, bytes: readings.map(\.rate)), .init(number: 10, type: 0x0D, bytes: bytes),
      ])
  }

  @Test func `readings are placed by the strap's clock, through the rolling over of its 12 bits`() throws {
    var strap = FITWriter()
    // 4,000 ticks: the first step rolls over. A reading a second, 96 ticks (94 ms) before the record of that second.
    anchor(&strap, at: FITWriter.morning + 2, ticks: 4_000, rate: 100)
    var readings: [(ticks: UInt32, rate: UInt8)] = []
    for step in UInt32(1)...8 { readings.append((4_000 + step * 1_024 - 96, 100 + UInt8(step))) }
    packed(&strap, readings)
    let workout = try FITImporter.read(swim().file() + strap.file(), fileName: "x")
    let filled: [Int?] = [100, 101, 102, 103, 104, 105, 106, 107, 108]
    #expect(Array(workout.samples.map(\.heartRate)[2..<11]) == filled)
    #expect(workout.samples.count { $0.heartRate != nil } == 9)
    #expect(workout.findings.contains("9 samples have their heart rates from a chest strap's own recording"))
  }

  @Test func `a sample has the mean of the readings since the one before`() throws {
    var strap = FITWriter()
    anchor(&strap, at: FITWriter.morning + 5, ticks: 10_000, rate: 0xFF, fraction: 16_384)
    // Half a second past 5: readings at 5.5, 5.6 and 6.2 s.
    packed(&strap, [(10_000, 120), (10_102, 131), (10_717, 150), (0, 0xFF)])
    let workout = try FITImporter.read(swim().file() + strap.file(), fileName: "x")
    #expect(workout.samples[6].heartRate == 126, "the mean of 120 and 131, rounded")
    #expect(workout.samples[7].heartRate == 150)
    #expect(workout.samples.count { $0.heartRate != nil } == 2)
  }

  @Test func `what the watch heard itself stays`() throws {
    var strap = FITWriter()
    anchor(&strap, at: FITWriter.morning + 10, ticks: 5, rate: 199)
    let workout = try FITImporter.read(FITWriter.run().file() + strap.file(), fileName: "x")
    #expect(workout.maximumHeartRate == 150)
    #expect(!workout.findings.contains { $0.contains("chest strap") })
  }

  @Test func `readings that nothing ties to the watch's clock, or of another day, are findings`() throws {
    var loose = FITWriter()
    packed(&loose, [(100, 120), (1_124, 121)])
    #expect(
      try FITImporter.read(swim().file() + loose.file(), fileName: "x").findings.contains(
        "1 heart-rate message of a chest strap without a time was left out"))
    var stranger = FITWriter()
    anchor(&stranger, at: FITWriter.morning + 90_000, ticks: 5, rate: 120)
    let workout = try FITImporter.read(swim().file() + stranger.file(), fileName: "x")
    #expect(workout.findings.contains("the chest strap's recording is of another time than the samples"))
    #expect(workout.averageHeartRate == nil)
  }
}
