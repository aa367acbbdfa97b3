package import Console

/// One measurement of `bench`: one file and a line in ``BenchCatalog``.
package protocol BenchMeasurement: SendableMetatype {
  /// The name for `--only`.
  static var name: String { get }
  /// A short description.
  static var about: String { get }
  /// Whether it is repeated with processes placed by the scheduler.
  static var hasFreeFigures: Bool { get }
  /// Whether it compares several processors, so that one is meaningless.
  static var needsAllProcessors: Bool { get }

  /// Measures, and compares the figures with the goals.
  ///
  /// - Throws: If it cannot run at all; a figure that this machine cannot give is a row without a figure.
  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow]
}

extension BenchMeasurement {
  package static var hasFreeFigures: Bool { true }
  package static var needsAllProcessors: Bool { false }
}

/// All measurements.
package enum BenchCatalog {
  /// In the order of the table.
  package static let all: [any BenchMeasurement.Type] = [
    HourMeasurement.self,
    ProcessesMeasurement.self,
    AppsMeasurement.self,
    ExampleMeasurement.self,
    FramesMeasurement.self,
    LatencyMeasurement.self,
    StartMeasurement.self,
    DemoMeasurement.self,
    MemoryMeasurement.self,
    RewindMeasurement.self,
    StoreMeasurement.self,
    OpenStoreMeasurement.self,
    QueueMeasurement.self,
    FileMeasurement.self,
    ImportMeasurement.self,
    SessionsMeasurement.self,
    IngestMeasurement.self,
    MigrateMeasurement.self,
    SweepMeasurement.self,
    JobsMeasurement.self,
    PeersMeasurement.self,
  ]
}
