import Testing

@testable import WatchSim

/// FIT activities, built byte by byte.
struct FITImporterTests {
  private let start = Double(FITWriter.morning) + 631_065_600

  @Test func `a run's figures are those that were written`() throws {
    let workout = try FITImporter.read(FITWriter.run().file(), fileName: "x")
    #expect(workout.sport == "running")
    #expect(workout.start == start)
    #expect(TimeText.format(unixSeconds: start) == "2026-04-12T06:30:00Z")
    #expect(workout.elapsedSeconds == 660)
    #expect(workout.timerSeconds == 600)
    #expect(workout.distanceMeters == 1_800)
    #expect(workout.sampleCount == 602)
    #expect(workout.averageHeartRate == 145)
    #expect(workout.maximumHeartRate == 150)
    #expect(workout.pauses == [.init(from: start + 300, to: start + 360, kind: .manual)])
    #expect(
      workout.laps == [.init(start: start, elapsed: 660, timer: 600, distance: 1_800, trigger: "session end")])
    #expect(workout.samples[0].cadence == 170, "85 strides are 170 steps")
    #expect(workout.summary.device == "garmin")
    #expect(workout.findings == [])
  }

  @Test func `big endian tells the same run`() throws {
    var little = FITWriter()
    var big = FITWriter()
    big.isBigEndian = true
    for second in UInt32(0)..<20 {
      little.record(FITWriter.morning + second, distance: second * 300, heartRate: 120)
      big.record(FITWriter.morning + second, distance: second * 300, heartRate: 120)
    }
    let samples = try FITImporter.read(little.file(), fileName: "x").samples
    #expect(try FITImporter.read(big.file(), fileName: "x").samples == samples)
    #expect(samples.last?.distance == 57)
  }

  @Test func `compressed time stamps roll over`() throws {
    var writer = FITWriter()
    // The low five bits of the first time are 30: the next offsets 31, 0 and 2 are 1, 2 and 4 seconds later.
    let first = FITWriter.morning & ~0x1F | 30
    writer.record(first, heartRate: 100)
    writer.define(20, [(3, 1, 0x02)], local: 1)
    for (offset, heartRate) in [(31, 101), (0, 102), (2, 103)] as [(UInt8, UInt8)] {
      writer.data += [0x80 | 1 << 5 | offset, heartRate]
    }
    let samples = try FITImporter.read(writer.file(), fileName: "x").samples
    #expect(samples.map { ($0.time ?? 0) - 631_065_600 - Double(first) } == [0, 1, 2, 4])
    #expect(samples.map(\.heartRate) == [100, 101, 102, 103])
  }

  @Test func `developer fields, even empty ones, shift nothing`() throws {
    var writer = FITWriter()
    writer.define(20, [(253, 4, 0x86), (3, 1, 0x02)], developer: [(0, 2, 0), (1, 0, 0)])
    for second in UInt32(0)..<3 {
      writer.values([.uint32(253, FITWriter.morning + second), .uint8(3, 100 + UInt8(second)), .uint16(0, 0xABCD)])
    }
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.samples.map(\.heartRate) == [100, 101, 102])
    #expect(!workout.findings.contains { $0.contains("undefined") })
  }

  @Test func `a field whose size does not fit its type is skipped and the others keep their places`() throws {
    var writer = FITWriter()
    writer.define(20, [(253, 4, 0x86), (5, 1, 0x86), (3, 1, 0x02)])
    for second in UInt32(0)..<3 {
      writer.values([.uint32(253, FITWriter.morning + second), .uint8(5, 77), .uint8(3, 120)])
    }
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.samples.map(\.heartRate) == [120, 120, 120])
    #expect(workout.samples.allSatisfy { $0.distance == nil })
    #expect(workout.findings.contains("1 field's length does not fit its type; left out"))
  }

  @Test func `an undefined local type ends the reading there`() throws {
    var writer = FITWriter.run()
    let goodCount = writer.data.count
    writer.data += [0x0F, 1, 2, 3]
    writer.record(FITWriter.morning + 999, heartRate: 200)
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.sampleCount == 602)
    #expect(workout.findings == ["message of undefined type 15 at byte \(14 + goodCount); what came before was read"])
  }

  @Test func `a cut file gives what is complete`() throws {
    let file = FITWriter.run().file()
    let workout = try FITImporter.read(Array(file.prefix(5_000)), fileName: "x")
    #expect((50..<602).contains(workout.sampleCount))
    #expect(workout.findings.contains("the file is cut: \(file.count - 2 - 5_000) bytes of its data are missing"))
    #expect(workout.findings.contains("no session summary: totals come from the records"))
    #expect(workout.elapsedSeconds == Double(workout.sampleCount - 1))
    #expect(workout.isReplayable)
  }

  @Test func `wrong and missing checksums are findings`() throws {
    let file = FITWriter.run().file()
    var wrongHeader = file
    wrongHeader[12] ^= 1
    // The checksum of the file covers the header's.
    #expect(
      try FITImporter.read(wrongHeader, fileName: "x").findings
        == ["the header's checksum is wrong", "the file's checksum is wrong"])
    #expect(
      try FITImporter.read(Array(file.dropLast(2)), fileName: "x").findings == ["the file's checksum is missing"])
    var absent = Array(file.dropLast(2))
    absent[12] = 0
    absent[13] = 0
    #expect(try FITImporter.read(absent + FITWriter.checksum(absent), fileName: "x").findings == [])
    #expect(try FITImporter.read(FITWriter.run().file(headerSize: 12), fileName: "x").findings == [])
  }

  @Test func `a recording that was never finished is read to the end`() throws {
    let file = FITWriter.run().file(declared: 0)
    let workout = try FITImporter.read(Array(file.dropLast(2)), fileName: "x")
    #expect(workout.sampleCount == 602)
    #expect(workout.findings == ["the header gives no length: the recording was never finished"])
  }

  @Test func `chained files are one workout, and definitions do not outlive their file`() throws {
    var strap = FITWriter()
    strap.message(132, [.uint32(253, FITWriter.morning), .uint8(6, 120)])
    let chained = try FITImporter.read(FITWriter.run().file() + strap.file(), fileName: "x")
    #expect(chained.sampleCount == 602)
    #expect(chained.findings == ["2 files are chained; they were read as one workout"])
    var orphan = FITWriter()
    orphan.values([.uint32(253, 1)])
    let leaking = try FITImporter.read(FITWriter.run().file() + orphan.file(), fileName: "x")
    #expect(leaking.findings.contains { $0.hasPrefix("message of undefined type 0") })
  }

  @Test func `a course is refused by name`() {
    var writer = FITWriter()
    writer.fileID(type: 6)
    writer.record(FITWriter.morning)
    do {
      _ = try FITImporter.read(writer.file(), fileName: "tour.fit")
      Issue.record("a course was read")
    } catch {
      #expect(
        error.description == "tour.fit: error: found a FIT file of kind 'course', expected one of kind 'activity'")
    }
  }

  @Test func `what is no FIT file is refused at byte 0`() {
    do {
      _ = try ImporterCatalog.read([1, 2, 3], fileName: "a.fit")
      Issue.record("three bytes were read")
    } catch {
      #expect(
        error.description
          == "a.fit: byte 0: error: found 3 bytes, expected a header of 12 or 14 bytes with the mark '.FIT'")
    }
  }

  @Test(arguments: [1, 4, 8, 9] as [UInt8])
  func `every word for stopping the timer makes a pause, said twice or once`(type: UInt8) throws {
    var writer = FITWriter()
    let time = FITWriter.morning
    // The events are in a block in front of the records, as some programs write them, and out of order.
    writer.timer(time + 20, type: 0)
    writer.timer(time + 10, type: type, auto: true)
    writer.timer(time + 12, type: type)
    writer.timer(time, type: 0)
    writer.timer(time + 30, type: type)
    writer.timer(time + 33, type: type)
    for second in UInt32(0)...29 { writer.record(time + second, distance: second) }
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.pauses == [.init(from: start + 10, to: start + 20, kind: .auto)])
    #expect(workout.end == start + 30, "the first of the last stops is the end")
  }

  @Test func `gaps between records are pauses only where no event says otherwise`() throws {
    var writer = FITWriter()
    for second in [0, 1, 2, 100, 101] as [UInt32] { writer.record(FITWriter.morning + second, distance: second / 100) }
    #expect(try FITImporter.read(writer.file(), fileName: "x").pauseCount == 1)
    writer.timer(FITWriter.morning + 101, type: 4)
    #expect(try FITImporter.read(writer.file(), fileName: "x").pauseCount == 0)
  }

  @Test func `a clock that was never set is described and not replayed`() throws {
    var writer = FITWriter()
    for second in UInt32(0)..<10 { writer.record(1_000 + second, distance: second * 300) }
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.replayObstacle == .clockNeverSet)
    #expect(workout.elapsedSeconds == 9)
    #expect(workout.makeTimeline() == nil)
  }

  @Test func `pool records without times get those of the lengths`() throws {
    var writer = FITWriter()
    for length in UInt32(0)..<4 {
      writer.message(
        101,
        [.uint32(2, FITWriter.morning + length * 40), .uint32(3, 38_000), .enumeration(12, length == 2 ? 0 : 1)])
      writer.message(20, [.uint32(5, (length + 1) * 2_500)])
    }
    writer.session(start: FITWriter.morning, sport: 5)
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.samples.map(\.time) == [38, 78, 118, 158].map { start + $0 })
    #expect(workout.lengths.map(\.isActive) == [true, true, false, true])
    #expect(workout.isReplayable)
  }

  @Test func `packed distance rolls over every 256 m`() throws {
    var writer = FITWriter()
    writer.define(20, [(253, 4, 0x86), (8, 3, 0x0D)])
    // 250 cm/s, and 100 m each record: 1600, 3200, 4800 - 4096 = 704 sixteenths.
    for (second, count) in [(0, 0), (40, 1_600), (80, 3_200), (120, 704)] as [(UInt32, UInt32)] {
      let packed = 250 | count << 12
      writer.values([.uint32(253, FITWriter.morning + second)])
      writer.data += (0..<3).map { UInt8(truncatingIfNeeded: packed >> ($0 * 8)) }
    }
    let samples = try FITImporter.read(writer.file(), fileName: "x").samples
    #expect(samples.map(\.distance) == [0, 100, 200, 300])
    #expect(samples.map(\.speed) == [2.5, 2.5, 2.5, 2.5])
  }

  @Test func `a heart rate of 0 is no reading`() throws {
    var writer = FITWriter()
    for second in UInt32(0)..<4 {
      writer.record(FITWriter.morning + second, distance: second, heartRate: second == 3 ? 150 : 0)
    }
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.averageHeartRate == 150)
    #expect(workout.findings.contains("3 heart rates of 0 are no readings"))
  }

  @Test func `totals far from the records give way to them`() throws {
    var writer = FITWriter()
    for second in UInt32(0)...100 { writer.record(FITWriter.morning + second, distance: second * 300) }
    writer.session(start: FITWriter.morning, elapsed: 0, timer: 0, distance: 493)
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.elapsedSeconds == 100)
    #expect(workout.timerSeconds == 100)
    #expect(workout.distanceMeters == 300)
    #expect(workout.summary.distance == 4.93, "the claim stays to be seen")
    #expect(workout.findings.contains("the device's distance of 4.9 m is unusable, its samples say 300 m"))
  }

  @Test func `a distance that starts again is joined and a small fall is held`() throws {
    var writer = FITWriter()
    for (second, distance) in ([0, 1_000, 990, 2_000, 0, 500] as [UInt32]).enumerated() {
      writer.record(FITWriter.morning + UInt32(second), distance: distance)
    }
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.samples.map(\.distance) == [0, 10, 10, 20, 20, 25])
  }

  @Test func `loss of carriage returns is recognised`() throws {
    var writer = FITWriter.run()
    // Eight pairs in a message of their own, whose loss makes the rest unreadable.
    writer.data = []
    writer.fileID()
    writer.record(FITWriter.morning, heartRate: 100)
    writer.record(FITWriter.morning + 1, heartRate: 101)
    writer.define(200, [(0, 16, 0x0D)], local: 2)
    writer.data += [2] + (0..<8).flatMap { _ in [0x0D, 0x0A] as [UInt8] }
    for second in UInt32(2)..<40 { writer.record(FITWriter.morning + second, heartRate: 0x0F) }
    var damaged: [UInt8] = []
    for byte in writer.file() {
      if byte == 0x0A, damaged.last == 0x0D { damaged.removeLast() }
      damaged.append(byte)
    }
    let workout = try FITImporter.read(damaged, fileName: "x")
    #expect(workout.sampleCount >= 2)
    #expect(workout.findings.contains("damaged in transfer: sent as text, it has lost its carriage returns"))
  }

  @Test func `more messages than the limit are refused`() {
    var writer = FITWriter()
    writer.define(200, [])
    writer.data += [UInt8](repeating: 0, count: FITDecoder.messagesMax + 1)
    #expect(throws: ImportError.self) { try FITImporter.read(writer.file(), fileName: "x") }
  }
}
