import TraceTools
import Console
import Foundation
import Link

/// `sim-runner profile`: fits a link profile to a capture.
enum ProfileCommand: Command {
  static let name = "profile"
  static let about = "fits a link profile to a capture, and rates the fit"
  static let usage = "CAPTURE [--json]"
  static let options: [Option] = [.flag("--json", "one JSON object on standard output")]
  static let details = """
    CAPTURE is a trace (docs/trace-format.md), an app's recording, or a hand-written file of JSON lines, one
    frame a line (docs/capture.md): t_send and t_recv in seconds, channel, bytes, result.
    Prints `link` and `faults` to paste into a scenario: latency, jitter and distribution, losses (in bursts if these
    explain them better than chance), bytes a second if longer frames take longer, cuts of the link; then how well each
    part fits. A capture of few frames gets warnings. `profiles` lists the named links.
    Exit status: 0 a profile was fitted; 2 the file is no capture.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the capture")
    let capture = try Capture(path)
    let fit = ProfileFit(capture)
    if arguments.has("--json") {
      JSONOutput.print(members(fit))
    } else {
      for line in lines(fit) { Terminal.print(line) }
    }
    for warning in fit.warnings { Terminal.error("\(path): note: \(warning)") }
    return 0
  }

  /// The fit as text: the members to paste into a scenario, and how well each part fits.
  static func lines(_ fit: ProfileFit) -> [String] {
    let block: JSONValue = .fields(["link": link(fit), "faults": .array(faults(fit))])
    let text = JSONWriter.pretty(JSONNode(block), width: 120)
    // The two members without the braces, to paste between others.
    return text.split(separator: "\n").dropFirst().dropLast().map(String.init) + [""]
      + PlainText.columns(rows(fit), indent: 2)
  }

  private static func link(_ fit: ProfileFit) -> JSONValue {
    guard case .object(let members) = fit.profile.params else { return fit.profile.params }
    // The queue's length cannot be seen in a capture.
    return .object(members.filter { $0.key != "queueBytes" })
  }

  private static func faults(_ fit: ProfileFit) -> [JSONNode] {
    fit.outages.map { outage in
      // Relative to the first frame if the capture has dates.
      let at = outage.from -| (fit.begin > 86_400_000_000_000 ? fit.begin : 0)
      return JSONNode(
        .fields([
          "at": .plain(seconds(max(0, at))), "for": outage.length.map { .plain(seconds($0)) },
          "disconnect": .object([]),
        ]))
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> Double { (Double(nanoseconds) / 1e6).rounded() / 1e3 }

  private static func rows(_ fit: ProfileFit) -> [[String]] {
    var rows = [["frames", "\(fit.sent) sent while the link was up, \(fit.lost) lost"]]
    if let delay = fit.delay {
      rows.append([
        "delay",
        "\(delay.distribution.rawValue): at most \(decimal(delay.distance, 4)) from the capture's shares"
          + " (by chance \(decimal(delay.distanceByChance, 4))), \(delay.count) frames",
      ])
    }
    if let bursts = fit.bursts {
      rows.append([
        "loss",
        (bursts.isBursty ? "in bursts" : "independent")
          + ": log-likelihood \(decimal(bursts.logLikelihood, 1)) in bursts,"
          + " \(decimal(bursts.logLikelihoodIndependent, 1)) independent",
      ])
    }
    if let throughput = fit.throughput {
      rows.append([
        "throughput",
        "\(throughput.bytesPerSecond) bytes a second, \(decimal(min(throughput.significance, 1e6), 1)) times its"
          + " uncertainty, \(throughput.count) frames",
      ])
    } else {
      rows.append(["throughput", "no limit is visible: longer frames take no longer, or all have similar sizes"])
    }
    rows.append(["cuts", fit.outages.isEmpty ? "none" : "\(fit.outages.count)"])
    return rows
  }

  /// The fit as JSON members.
  static func members(_ fit: ProfileFit) -> [JSONMember] {
    .init([
      "link": link(fit), "faults": .array(faults(fit)), "frames": .count(fit.sent), "lost": .count(fit.lost),
      "reordered": .count(fit.reordered),
      "delay": fit.delay.map { delay in
        .fields([
          "distribution": .string(delay.distribution.rawValue), "kolmogorovSmirnov": .plain(rounded(delay.distance)),
          "byChance": .plain(rounded(delay.distanceByChance)), "frames": .count(delay.count),
        ])
      },
      "loss": fit.bursts.map { bursts in
        .fields([
          "isBursty": .bool(bursts.isBursty), "logLikelihood": .plain(rounded(bursts.logLikelihood)),
          "logLikelihoodIndependent": .plain(rounded(bursts.logLikelihoodIndependent)),
          "frames": .count(bursts.count),
        ])
      },
      "warnings": .texts(fit.warnings),
    ])
  }

  private static func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }

  private static func decimal(_ value: Double, _ places: Int) -> String {
    TraceValue.number(min(max(value, -1e11), 1e11), places: places).jsonText
  }
}
