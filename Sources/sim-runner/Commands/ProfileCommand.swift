import TraceTools
import Console
import Foundation
import Link

/// `sim-runner profile`: fits a link profile to a capture.
enum ProfileCommand: Command {
  static let name = "profile"
  static let about = "fits a link profile to a capture, and rates the fit"
  static let usage = "CAPTURE [--same-clock] [--json]"
  static let options: [Option] = [
    .flag("--same-clock", "one clock took all times: the directions' delays are compared, no difference is corrected"),
    .flag("--json", "one JSON object on standard output"),
  ]
  static let details = """
    CAPTURE is a trace (docs/internals/trace-format.md), an app's recording, or a hand-written file of JSON lines, one
    frame a line (docs/recordings.md): t_send and t_recv in seconds, channel, bytes, result.
    Prints `link` and `faults` to paste into a scenario: latency, jitter and distribution, losses (in bursts if these
    explain them better than chance), bytes a second if longer frames take longer, cuts of the link; then how well each
    part fits, and between which values each lies, 19 times of 20. Directions that differ get their own values. The
    clocks of the devices are compared where both directions are known, and corrected. A capture of few frames gets
    warnings. `profiles` lists the named links.
    Exit status: 0 a profile was fitted; 2 the file is no capture.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the capture")
    let capture = try Capture(path)
    let fit = ProfileFit(capture, isOneClock: arguments.has("--same-clock"))
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
      let at = outage.from -| fit.origin
      return JSONNode(
        .fields([
          "at": .plain(seconds(max(0, at))), "for": outage.length.map { .plain(seconds($0)) },
          "disconnect": .object([]),
        ]))
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> Double { (Double(nanoseconds) / 1e6).rounded() / 1e3 }

  private static func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
}

extension ProfileFit {
  /// What times of cuts are relative to: the first frame if the capture has dates.
  fileprivate var origin: Int64 { begin > 86_400_000_000_000 ? begin : 0 }
}

// MARK: - Text

extension ProfileCommand {
  /// Cuts beyond this many are counted only.
  private static let cutsShown = 20

  private static func rows(_ fit: ProfileFit) -> [[String]] {
    var rows = [["frames", "\(fit.sent) sent while the link was up, \(fit.lost) lost"]]
    rows += clockRows(fit)
    if fit.ways.count == 2 {
      for way in fit.ways { rows.append([way.isToPhone ? "to phone" : "to watch", text(way)]) }
    }
    if let delay = fit.delay {
      let isMean = fit.clocks?.isBothWays == true && !fit.differences.contains(.delay) && fit.ways.count == 2
      rows.append([
        "latency",
        milliseconds(Double(delay.latency), delay.latencyInterval) + (isMean ? ", the mean of both directions" : ""),
      ])
      if let mean = fit.meanLatency {
        rows.append(["", "\(milliseconds(mean.value, mean.interval)), the mean of both directions"])
      }
      rows.append(["jitter", milliseconds(Double(delay.jitter), delay.jitterInterval)])
      rows.append([
        "delay",
        "\(text(delay)): at most \(decimal(delay.distance, 4)) from the capture's shares"
          + " (by chance \(decimal(delay.distanceByChance, 4))), \(delay.count) frames",
      ])
    }
    if let loss = fit.loss { rows += lossRows(loss) }
    if let throughput = fit.throughput {
      rows.append(["throughput", text(throughput)])
    } else {
      rows.append(["throughput", "no limit is visible: longer frames take no longer, or all have similar sizes"])
    }
    if let interval = fit.supervisionInterval {
      rows.append(["supervision", span(fit.profile.supervision.nanoseconds, interval)])
    }
    if let interval = fit.reconnectInterval {
      rows.append(["reconnect", span(fit.profile.reconnect.median.nanoseconds, interval)])
    }
    rows.append(["cuts", fit.outages.isEmpty ? "none" : "\(fit.outages.count)"])
    for outage in fit.outages.prefix(cutsShown) { rows.append(["", text(outage, fit.origin)]) }
    return rows
  }

  private static func clockRows(_ fit: ProfileFit) -> [[String]] {
    guard let clocks = fit.clocks else { return [] }
    var words: [String] = []
    if clocks.isBothWays {
      func text(_ interval: FitInterval) -> String { "\(decimal(interval.low, 4)) to \(decimal(interval.high, 4))" }
      let alike = clocks.offsetIfAlike.map { "\(text($0)) if both directions are alike, " } ?? ""
      words.append(
        "the phone's is \(decimal(clocks.offset, 4)) s ahead (\(alike)\(text(clocks.offsetInterval)) in any case)")
    } else {
      words.append("one direction only: a difference is part of the latency")
    }
    if let interval = clocks.driftInterval {
      words.append(
        "it gains \(decimal(clocks.drift, 1)) ppm (\(decimal(interval.low, 1)) to \(decimal(interval.high, 1)))")
    }
    return [["clocks", words.joined(separator: ", ")]]
  }

  private static func lossRows(_ loss: LossFit) -> [[String]] {
    let share = Double(loss.lost) / Double(max(loss.sent, 1))
    var rows = [
      [
        "loss",
        "\(percent(share)) (\(percent(loss.share.low)) to \(percent(loss.share.high))),"
          + (loss.bursts.isBursty ? " in bursts" : " independent")
          + ": log-likelihood \(decimal(loss.bursts.logLikelihood, 1)) in bursts,"
          + " \(decimal(loss.bursts.logLikelihoodIndependent, 1)) independent",
      ]
    ]
    guard let intervals = loss.intervals else { return rows }
    for (name, value, interval) in [
      ("goodToBad", loss.bursts.goodToBad, intervals.goodToBad),
      ("badToGood", loss.bursts.badToGood, intervals.badToGood),
      ("lossGood", loss.bursts.lossGood, intervals.lossGood), ("lossBad", loss.bursts.lossBad, intervals.lossBad),
    ] {
      rows.append([
        "", "\(name) \(decimal(value, 4)) (\(decimal(interval.low, 4)) to \(decimal(interval.high, 4)))",
      ])
    }
    return rows
  }

  private static func text(_ way: WayFit) -> String {
    var parts = ["\(way.sent) sent, \(way.lost) lost"]
    if let delay = way.delay {
      parts.append("latency \(milliseconds(Double(delay.latency), delay.latencyInterval))")
      parts.append("jitter \(milliseconds(Double(delay.jitter), delay.jitterInterval)), \(delay.distribution.rawValue)")
    }
    parts.append(way.throughput.map { "\($0.bytesPerSecond) bytes a second" } ?? "no limit visible")
    return parts.joined(separator: "; ")
  }

  /// The distribution in words: where it has an edge, from there.
  private static func text(_ delay: DelayFit) -> String {
    guard delay.distribution == .exponential else { return delay.distribution.rawValue }
    return "\(decimal(Double(delay.latency - delay.jitter) / 1e6, 1)) ms + exponential"
      + " \(decimal(Double(delay.jitter) / 1e6, 1)) ms"
  }

  private static func text(_ throughput: ThroughputFit) -> String {
    "\(throughput.bytesPerSecond) bytes a second (\(decimal(throughput.interval.low, 0)) to"
      + " \(decimal(throughput.interval.high, 0))), \(decimal(min(throughput.significance, 1e6), 1)) times its"
      + " uncertainty, \(throughput.count) frames"
  }

  private static func text(_ outage: ProfileFit.Outage, _ origin: Int64) -> String {
    func instant(_ time: Int64) -> String { decimal(seconds(time -| origin), 3) }
    func between(_ bounds: ClosedRange<Int64>) -> String {
      "(\(instant(bounds.lowerBound)) to \(instant(bounds.upperBound)))"
    }
    let begin = "from \(instant(outage.from)) s \(between(outage.beginBounds))"
    guard let length = outage.length, let bounds = outage.endBounds else { return "\(begin) to the end" }
    return "\(begin) to \(instant(outage.from +| length)) s \(between(bounds))"
  }

  private static func milliseconds(_ nanoseconds: Double, _ interval: FitInterval) -> String {
    "\(decimal(nanoseconds / 1e6, 2)) ms (\(decimal(interval.low / 1e6, 2)) to \(decimal(interval.high / 1e6, 2)))"
  }

  private static func span(_ nanoseconds: Int64, _ interval: FitInterval) -> String {
    "\(decimal(seconds(nanoseconds), 3)) s (\(decimal(interval.low / 1e9, 3)) to \(decimal(interval.high / 1e9, 3)))"
  }

  private static func percent(_ share: Double) -> String { "\(decimal(share * 100, 2)) %" }

  private static func decimal(_ value: Double, _ places: Int) -> String {
    TraceValue.number(min(max(value, -1e11), 1e11), places: places).jsonText
  }
}

// MARK: - JSON

extension ProfileCommand {
  /// The fit as JSON members.
  static func members(_ fit: ProfileFit) -> [JSONMember] {
    let differences = ProfileFit.Difference.allCases.filter(fit.differences.contains).map(\.rawValue)
    return .init([
      "link": link(fit), "faults": .array(faults(fit)), "frames": .count(fit.sent), "lost": .count(fit.lost),
      "reordered": .count(fit.reordered), "delay": fit.delay.map(members),
      "meanLatency": fit.meanLatency.map { .plain($0.value / 1e9) },
      "meanLatencyInterval": fit.meanLatency.map { interval($0.interval, 1e9) }, "loss": fit.loss.map(members),
      "throughput": fit.throughput.map(members),
      "supervisionInterval": fit.supervisionInterval.map { interval($0, 1e9) },
      "reconnectInterval": fit.reconnectInterval.map { interval($0, 1e9) },
      "clocks": fit.clocks.map(members), "cuts": .array(fit.outages.map { JSONNode(members($0, fit.origin)) }),
      "directions": .object(fit.ways.map(member)), "differences": .texts(differences),
      "warnings": .texts(fit.warnings),
    ])
  }

  private static func members(_ throughput: ThroughputFit) -> JSONValue {
    .fields([
      "bytesPerSecond": .integer(throughput.bytesPerSecond), "interval": interval(throughput.interval, 1),
      "frames": .count(throughput.count),
    ])
  }

  private static func members(_ clocks: ClockCorrection) -> JSONValue {
    .fields([
      "offset": clocks.isBothWays ? .plain(clocks.offset) : nil,
      "offsetInterval": clocks.isBothWays ? interval(clocks.offsetInterval, 1) : nil,
      "offsetIfAlike": clocks.offsetIfAlike.map { interval($0, 1) },
      "driftPPM": .plain(rounded(clocks.drift)), "driftInterval": clocks.driftInterval.map { interval($0, 1) },
    ])
  }

  private static func members(_ outage: ProfileFit.Outage, _ origin: Int64) -> JSONValue {
    .fields([
      "beginInterval": interval(outage.beginBounds, origin),
      "endInterval": outage.endBounds.map { interval($0, origin) },
    ])
  }

  private static func member(_ way: WayFit) -> JSONMember {
    let direction: Direction = way.isToPhone ? .watchToPhone : .phoneToWatch
    return JSONMember(
      direction.text,
      .fields([
        "frames": .count(way.sent), "lost": .count(way.lost), "delay": way.delay.map(members),
        "loss": way.loss.map(members), "throughput": way.throughput.map(members),
      ]))
  }

  private static func members(_ delay: DelayFit) -> JSONValue {
    .fields([
      "distribution": .string(delay.distribution.rawValue), "latency": .plain(Double(delay.latency) / 1e9),
      "latencyInterval": interval(delay.latencyInterval, 1e9), "jitter": .plain(Double(delay.jitter) / 1e9),
      "jitterInterval": interval(delay.jitterInterval, 1e9), "kolmogorovSmirnov": .plain(rounded(delay.distance)),
      "byChance": .plain(rounded(delay.distanceByChance)), "frames": .count(delay.count),
    ])
  }

  private static func members(_ loss: LossFit) -> JSONValue {
    .fields([
      "share": .plain(rounded(Double(loss.lost) / Double(max(loss.sent, 1)))), "shareInterval": interval(loss.share, 1),
      "isBursty": .bool(loss.bursts.isBursty), "logLikelihood": .plain(rounded(loss.bursts.logLikelihood)),
      "logLikelihoodIndependent": .plain(rounded(loss.bursts.logLikelihoodIndependent)),
      "frames": .count(loss.bursts.count),
      "goodToBadInterval": loss.intervals.map { interval($0.goodToBad, 1) },
      "badToGoodInterval": loss.intervals.map { interval($0.badToGood, 1) },
      "lossGoodInterval": loss.intervals.map { interval($0.lossGood, 1) },
      "lossBadInterval": loss.intervals.map { interval($0.lossBad, 1) },
    ])
  }

  /// Two numbers, in seconds or without a unit.
  private static func interval(_ interval: FitInterval, _ unit: Double) -> JSONValue {
    .array([interval.low, interval.high].map { JSONNode(.plain(($0 / unit * 1e6).rounded() / 1e6)) })
  }

  private static func interval(_ bounds: ClosedRange<Int64>, _ origin: Int64) -> JSONValue {
    .array([bounds.lowerBound, bounds.upperBound].map { JSONNode(.plain(seconds($0 -| origin))) })
  }
}
