import Foundation
import Testing

@testable import WatchSim

/// What every importer keeps to.
struct ImporterConformanceTests {
  private static let folder = RealTraces.packageRoot.appendingPathComponent("Sources/WatchSim/Importers")
    .resolvingSymlinksInPath()

  /// A small good file for each format, by the importer's name.
  static let examples: [String: [UInt8]] = [
    "FIT": FITWriter.run().file(),
    "GPX": GPXText.document([(0..<60).map { GPXText.point($0, north: $0) }]),
    "TCX": TCXText.document([TCXText.activity(points: (0..<60).map { TCXText.point($0, metres: 3 * $0) })]),
    "Apple Health": HealthText.document(
      HealthText.rates(60) + HealthText.distances(60) + HealthText.workout(seconds: 60, metres: 180)),
    "CSV": CSVImporterTests.document(),
  ]

  @Test func `the catalogue lists every importer in the folder`() throws {
    let files = try #require(FileManager.default.enumerator(atPath: Self.folder.path))
    let inFolder = files.compactMap { ($0 as? String)?.split(separator: "/").last.map(String.init) }
      .filter { $0.hasSuffix("Importer.swift") && $0 != "WorkoutImporter.swift" }
    let listed = ImporterCatalog.all.map { "\($0).swift" }
    #expect(listed.sorted() == inFolder.sorted())
    #expect(Set(ImporterCatalog.all.map { $0.name }).count == listed.count)
  }

  @Test(arguments: ImporterCatalog.all.indices)
  func `an importer recognises and reads its own example only`(index: Int) throws {
    let importer = ImporterCatalog.all[index]
    let example = try #require(Self.examples[importer.name], "no example for \(importer.name)")
    let head = Array(example.prefix(ImporterCatalog.headBytes))
    let recognised = importer.canRead(head, fileName: "unnamed")
    #expect(recognised)
    let workout = try importer.read(example, fileName: "x")
    #expect(workout.format == importer.name)
    #expect(workout.isReplayable)
    #expect(workout.findings == [])
    for other in ImporterCatalog.all where other.name != importer.name {
      let isMistaken = other.canRead(head, fileName: "x.\(other.fileExtension)")
      #expect(!isMistaken, "\(other.name) takes a \(importer.name) file")
    }
  }

  @Test(arguments: ImporterCatalog.all.indices)
  func `reading twice gives the same workout`(index: Int) throws {
    let importer = ImporterCatalog.all[index]
    let example = try #require(Self.examples[importer.name])
    let first = try importer.read(example, fileName: "x")
    let second = try importer.read(example, fileName: "x")
    #expect(first == second)
    #expect(first.makeTimeline() == second.makeTimeline())
  }

  @Test(arguments: ImporterCatalog.all.indices)
  func `every cut of a good file ends in a workout or an error`(index: Int) throws {
    let importer = ImporterCatalog.all[index]
    let example = try #require(Self.examples[importer.name])
    var sampleCount = 0
    for length in stride(from: 0, through: example.count, by: 19) {
      if let workout = HostileBytes.read(Array(example.prefix(length)), fileName: "x.\(importer.fileExtension)") {
        // A longer piece never holds less.
        #expect(workout.sampleCount >= sampleCount)
        sampleCount = workout.sampleCount
      }
    }
    #expect(sampleCount > 50)
  }

  @Test(arguments: ImporterCatalog.all.indices, [UInt64](0..<60))
  func `a good file with flipped bytes ends in a workout or an error`(index: Int, seed: UInt64) throws {
    let importer = ImporterCatalog.all[index]
    let example = try #require(Self.examples[importer.name])
    HostileBytes.read(HostileBytes.flip(example, seed: seed), fileName: "x.\(importer.fileExtension)")
  }

  @Test(arguments: ImporterCatalog.all.indices, [UInt64](0..<40))
  func `noise ends in a workout or an error`(index: Int, seed: UInt64) throws {
    let importer = ImporterCatalog.all[index]
    let example = try #require(Self.examples[importer.name])
    var noise = HostileBytes.Noise(seed: seed)
    // The beginning is kept so that the noise gets past the front door.
    let bytes = Array(example.prefix(64)) + (0..<4_000).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
    HostileBytes.read(bytes, fileName: "x.\(importer.fileExtension)")
  }

  @Test func `a file that is not a workout is refused by its kind`() {
    let cases: [([UInt8], String)] = [
      ([], "an empty file"),
      ([0x50, 0x4B, 0x03, 0x04, 0], "a zip archive (unpack it first)"),
      ([0x1F, 0x8B, 8], "gzip data"),
      (
        Array("<?xml version='1.0'?><ClinicalDocument/>".utf8),
        "XML with the root element 'ClinicalDocument'"
      ),
      (Array("a\u{1B}[31mhello".utf8), "'a?[31mhello'"),
    ]
    for (bytes, found) in cases {
      do {
        _ = try ImporterCatalog.read(bytes, fileName: "w.bin")
        Issue.record("\(found) was read")
      } catch {
        #expect(error.found == found)
        #expect(
          error.description
            == "w.bin: error: found \(found), expected a recorded workout (\(ImporterCatalog.formats))")
      }
    }
  }

  @Test func `a path that is no file is refused`() throws {
    #expect(throws: ImportError.self) { try ImporterCatalog.read(path: "/nowhere/at/all.fit") }
    #expect(throws: ImportError.self) { try ImporterCatalog.read(path: NSTemporaryDirectory()) }
    #expect(throws: ImportError.self) { try ImporterCatalog.read(path: "/dev/zero") }
  }

  @Test func `a file is read from its path`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("wristwire-import-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let example = try #require(Self.examples["FIT"])
    try Data(example).write(to: url)
    #expect(try ImporterCatalog.read(path: url.path) == FITImporter.read(example, fileName: "x"))
  }
}
