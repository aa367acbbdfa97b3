import CSystem
import Console
import Simulator

/// One measurement of `bench`: one file and a line in ``BenchCatalog``.
protocol BenchMeasurement: SendableMetatype {
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
  static var hasFreeFigures: Bool { true }
  static var needsAllProcessors: Bool { false }

  /// Measures on one processor, then with free placement, and combines the figures.
  static func measurePlaced(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    if needsAllProcessors {
      var free = setting
      free.isPinned = false
      return try measure(free)
    }
    var rows = try pinned { () throws(Failure) in try measure(setting) }
    guard hasFreeFigures else { return rows }
    var free = setting
    free.isPinned = false
    let others = try measure(free)
    for index in rows.indices { rows[index].free = others.first { $0.name == rows[index].name }?.figure }
    return rows
  }

  private static func pinned<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let pin = ProcessorPin()
    defer { pin?.undo() }
    return try body()
  }
}

/// All measurements.
enum BenchCatalog {
  /// In the order of the table.
  static let all: [any BenchMeasurement.Type] = [
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
