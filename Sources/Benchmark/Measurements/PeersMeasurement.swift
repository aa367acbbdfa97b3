import Console
import Foundation
import Link

/// Other simulators on a similar pair, if their programs are given.
enum PeersMeasurement: BenchMeasurement {
  package static let name = "peers"
  package static let about = "other simulators on a like pair, with --peers"
  package static let hasFreeFigures = false

  package static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    guard let folder = setting.peers else { return [] }
    let python = ProcessInfo.processInfo.environment["SIMPY_PYTHON"] ?? "python3"
    let hours = setting.pick(tiny: "0.1", quick: "4", full: "20")
    let rounds = setting.pick(tiny: 1, quick: 3, full: 5)
    return [
      try row("SimPy", [python, "\(folder)/simpy/pair.py", hours], rounds),
      try row("SimPy, JSON a second", [python, "\(folder)/simpy/pair.py", hours, "json"], rounds),
      try row("ns-3", ["\(folder)/out/ns3_pair", hours], rounds),
    ]
  }

  private static func row(_ name: String, _ words: [String], _ rounds: Int) throws(Failure) -> BenchRow {
    var speeds: [Double] = []
    for _ in 0..<rounds {
      // Each prints one JSON object; `sim_hours_per_s` is its own measure, without its start.
      guard let text = try? TimedChild.output(["sh", "-c", "exec \"$@\" >&3 2>/dev/null", "sh"] + words),
        let node = try? JSONParser.parse(text, dialect: .json), case .object(let members) = node.value,
        let value = members.first(where: { $0.key == "sim_hours_per_s" })?.node.value
      else {
        return BenchRow(name, "x real time", nil, note: "not measured: \(words.joined(separator: " ")) printed nothing")
      }
      switch value {
      case .integer(let hours): speeds.append(Double(hours) * 3_600)
      case .number(let hours): speeds.append(hours * 3_600)
      default: return BenchRow(name, "x real time", nil, note: "not measured: no speed in the output")
      }
    }
    return BenchRow(name, "x real time", Spread(speeds))
  }
}
