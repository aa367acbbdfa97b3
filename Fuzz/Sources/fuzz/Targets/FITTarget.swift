@testable import WatchSim

/// Header and checksum are made right, since no mutation finds a checksum; the input as it is is read, too.
enum FITTarget: FuzzTarget {
  static let name = "fit"
  static let about = "FIT files: outlines, samples, timeline"
  static let lengthMax = 16_384

  static func seeds(_ tree: SourceTree) -> [[UInt8]] { [FITWriter.run().data, FITWriter.run().file()] }

  static func run(_ bytes: [UInt8]) {
    WorkoutReading.run(bytes, FITImporter.self)
    var writer = FITWriter()
    writer.data = bytes
    WorkoutReading.run(writer.file(), FITImporter.self)
  }
}
