package import Console
import Simulator
import CSystem

extension BenchMeasurement {
  /// Measures on one processor, then with free placement, and combines the figures.
  package static func measurePlaced(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
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
