import Console
import Foundation
import Link

/// Other simulators on a similar pair, if their programs are there.
enum PeersMeasurement: BenchMeasurement {
  static let name = "peers"
  static let about = "other simulators on a like pair, with --peers"
  static let hasFreeFigures = false

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let python = ProcessInfo.processInfo.environment["SIMPY_PYTHON"] ?? "python3"
    let simpy = PeerProgram.find(["simpy/pair.py"], setting) { [python, $0] }
    return try [
      row("SimPy", simpy, [], setting), row("SimPy, JSON a second", simpy, ["json"], setting),
      row("ns-3", .ns3(setting), [], setting),
    ]
  }

  private static func row(
    _ name: String, _ peer: PeerProgram, _ options: [String], _ setting: BenchSetting
  ) throws(Failure) -> BenchRow {
    let hours = setting.pick(tiny: "0.1", quick: "4", full: "20")
    do throws(PeerProgram.Lack) {
      var speeds: [Double] = []
      for _ in 0..<setting.pick(tiny: 1, quick: 3, full: 5) { speeds.append(try peer.speed(hours: hours, options)) }
      return BenchRow(name, "x real time", Spread(speeds))
    } catch {
      return BenchRow(name, "x real time", nil, note: "not measured: \(error.text)")
    }
  }
}

/// The program of another simulator, which takes a number of hours and prints its speed.
struct PeerProgram {
  /// What a peer that gives no figure lacks.
  struct Lack: Error {
    var text: String
  }

  /// The words that start it; nil if it is not there.
  private var words: [String]?
  /// Where it was searched for.
  private var places: [String]

  /// Searches for the first file there is, in the folder of `--peers` and in the working directory.
  ///
  /// - Parameter start: The words that start a file.
  static func find(_ files: [String], _ setting: BenchSetting, start: (String) -> [String]) -> PeerProgram {
    let folders = setting.peers.map { [$0] } ?? ["."]
    let places = folders.flatMap { folder in files.map { "\(folder)/\($0)" } }
    let found = places.first { FileManager.default.isReadableFile(atPath: $0) }
    return PeerProgram(words: found.map(start), places: places)
  }

  /// ns-3's pair.
  static func ns3(_ setting: BenchSetting) -> PeerProgram {
    find(["out/ns3_pair", "build/ns3_pair"], setting) { [$0] }
  }

  /// How many times faster than real time its own measure is, which leaves out its start.
  func speed(hours: String, _ options: [String] = []) throws(Lack) -> Double {
    guard let words else {
      throw Lack(text: "there is no \(places.joined(separator: " and no ")); --peers DIR names the folder of peers")
    }
    let call = words + [hours] + options
    guard let text = try? TimedChild.allOutput(call) else { throw Lack(text: "\(call[0]) cannot be started") }
    let lines = text.split(separator: "\n")
    for line in lines {
      guard let node = try? JSONParser.parse(String(line), dialect: .json) else { continue }
      switch node["sim_hours_per_s"]?.value {
      case .integer(let hours)?: return Double(hours) * 3_600
      case .number(let hours)?: return hours * 3_600
      default: continue
      }
    }
    let last = lines.last.map { "its last line is \"\($0)\"" } ?? "it printed nothing"
    throw Lack(text: "\(call.joined(separator: " ")) gave no sim_hours_per_s: \(last)")
  }
}
