/// One thing that `bench` measures: a file of its own and a line in ``BenchCatalog``.
protocol Measurement: SendableMetatype {
  /// What `--only` names.
  static var name: String { get }
  /// What it measures, in a few words.
  static var about: String { get }
  /// Whether it is measured a second time where the scheduler places the processes.
  static var hasFreeFigures: Bool { get }
  /// Whether it is about several processors, so that one says nothing.
  static var needsAllProcessors: Bool { get }

  /// Measures, and sets the figures against the goals.
  ///
  /// - Throws: When it cannot run at all; a figure that cannot be had on this machine is a row without one.
  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow]
}

extension Measurement {
  static var hasFreeFigures: Bool { true }
  static var needsAllProcessors: Bool { false }
}

/// Every measurement there is.
enum BenchCatalog {
  /// In the order of the table.
  static let all: [any Measurement.Type] = [
    HourMeasurement.self,
    ProcessesMeasurement.self,
    AppsMeasurement.self,
    FramesMeasurement.self,
    LatencyMeasurement.self,
    StartMeasurement.self,
    DemoMeasurement.self,
    MemoryMeasurement.self,
    StoreMeasurement.self,
    OpenStoreMeasurement.self,
    QueueMeasurement.self,
    FileMeasurement.self,
    ImportMeasurement.self,
    SweepMeasurement.self,
    JobsMeasurement.self,
    PeersMeasurement.self,
  ]
}
