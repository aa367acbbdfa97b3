import Simulator
import Console
import Foundation
import Link
import LinkTransport

/// `bench`: ratios measured in one run, compared with their goals.
enum BenchCommand: Command {
  static let name = "bench"
  static let about = "the benchmark: figures as ratios measured in one run"
  static let usage = "[--quick] [--only NAME]... [--json]"
  static let options: [Option] = [
    .flag("--quick", "fewer rounds: about 20 s instead of one to two minutes"),
    .flag("--tiny", "one short round of each: a smoke test without meaningful figures"),
    .value("--only", "NAME", "only this part; repeat the option for several"),
    .value("--peers", "DIR", "where the peers' programs are: simpy/pair.py; out/ns3_pair or build/ns3_pair"),
    .flag("--json", "one JSON object on standard output"),
  ]
  static let details = """
    Except for comparisons of processors, figures are measured pinned to one processor, and again with processes placed
    by the scheduler. A figure is the median of several rounds, in which the compared variants take turns; a ratio is
    the median of the rounds' ratios. Ratios decide: an absolute figure depends on the machine as much as on the
    program. Benchmarks/README.md explains the table. The exit status is 0 whether goals are met or not, and 3
    if the benchmark cannot run.

    \(parts)
    """

  private static let parts = wrap(
    "Parts: \(BenchCatalog.all.map { $0.name }.joined(separator: ", ")).", to: 116
  ).joined(separator: "\n")

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard arguments.operands.isEmpty else {
      throw .input("found \"\(arguments.operands[0])\", expected only options (--help lists them)")
    }
    var setting = BenchSetting()
    setting.length = arguments.has("--tiny") ? .tiny : arguments.has("--quick") ? .quick : .full
    setting.peers = arguments.value("--peers")
    let isJSON = arguments.has("--json")
    var report = BenchReport(setting: setting)
    for measurement in try chosen(arguments) {
      if !isJSON, Terminal.errorIsTerminal { Terminal.error("\(measurement.name): \(measurement.about) ...") }
      let rows = try measurement.measurePlaced(setting)
      if !rows.isEmpty {
        report.parts.append(BenchReport.Part(name: measurement.name, about: measurement.about, rows: rows))
      }
    }
    if isJSON {
      JSONOutput.print(report.members())
    } else {
      for line in report.table() { Terminal.print(line) }
    }
    return 0
  }

  private static func chosen(_ arguments: Arguments) throws(Failure) -> [any BenchMeasurement.Type] {
    let names = arguments.values("--only")
    let known = BenchCatalog.all.map { $0.name }
    if let stranger = names.first(where: { !known.contains($0) }) {
      throw .input("bench: found \"\(TerminalText.escape(stranger))\"\(PlainText.hint(for: stranger, among: known))")
    }
    return BenchCatalog.all.filter { names.isEmpty || names.contains($0.name) }
  }
}
