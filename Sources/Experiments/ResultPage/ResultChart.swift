import Console
import Foundation
import TraceTools

/// The share of failures over the history's commits, as a drawing: a point for each, a line for its interval.
struct ResultChart {
  /// Consecutive runs of one command on one commit.
  struct Point {
    var commit: String
    var at: String
    var runs: Int
    var failed: Int

    var interval: ClosedRange<Double> { SweepConfidence.interval(failed: failed, of: max(runs, 1)) }
    var rate: Double { Double(failed) / Double(max(runs, 1)) }
  }

  private(set) var points: [Point] = []

  private static let pointsMax = 60
  private static let (width, height, left, bottom, top) = (900.0, 190.0, 52.0, 40.0, 10.0)

  /// - Parameter entries: All runs, the oldest first; those of other commands than the last one's are left out.
  init(_ entries: [ResultHistory.Entry]) {
    for entry in entries where entry.command == entries.last?.command && entry.runs > 0 {
      let (runs, failed) = (Int(clamping: min(entry.runs, 1 << 50)), Int(clamping: min(entry.failed, 1 << 50)))
      if let commit = entry.commit, let last = points.last, last.commit == commit {
        points[points.count - 1].runs += runs
        points[points.count - 1].failed += failed
        points[points.count - 1].at = entry.at
      } else {
        points.append(Point(commit: entry.commit ?? "", at: entry.at, runs: runs, failed: failed))
      }
    }
    points = Array(points.suffix(Self.pointsMax))
  }

  /// The drawing; empty for fewer than two points.
  var html: String {
    guard points.count > 1 else { return "" }
    let most = min(1, max(points.map(\.interval.upperBound).max() ?? 1, 0.001))
    let y = { (rate: Double) in Self.top + (1 - rate / most) * (Self.height - Self.top - Self.bottom) }
    let step = (Self.width - Self.left - 40) / Double(points.count - 1)
    var text = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Failures by commit\">"
    text += "<svg class=\"chart\" viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" role=\"img\" "
    text += "aria-label=\"Share of failures by commit, oldest first, with 95 % intervals\">\n"
    for part in [0, 0.5, 1] {
      let line = number(y(most * part))
      text += "<line class=\"grid\" x1=\"\(number(Self.left))\" x2=\"\(number(Self.width))\" "
      text += "y1=\"\(line)\" y2=\"\(line)\"/>"
      text += "<text x=\"\(number(Self.left - 6))\" y=\"\(number(y(most * part) + 4))\" text-anchor=\"end\">"
      text += "\(RateText.percent(most * part))</text>\n"
    }
    // Names that would lie over each other are left out; the last one is always there.
    let every = Int((62 / step).rounded(.up))
    for (index, point) in points.enumerated() {
      let x = number(Self.left + 10 + step * Double(index)), kind = point.failed > 0 ? " failed" : ""
      let commit = point.commit.isEmpty ? "commit unknown" : point.commit
      let title = "\(point.at), \(commit): \(RateText.sentence(failed: point.failed, of: point.runs))"
      text += "<g><title>\(Markup.escaped(title))</title><line class=\"range\(kind)\" x1=\"\(x)\" x2=\"\(x)\" "
      text +=
        "y1=\"\(number(y(point.interval.lowerBound)))\" y2=\"\(number(y(min(point.interval.upperBound, most))))\"/>"
      text += "<circle class=\"\(kind.dropFirst())\" cx=\"\(x)\" cy=\"\(number(y(point.rate)))\" r=\"4\"/></g>"
      if (points.count - 1 - index).isMultiple(of: max(every, 1)) {
        let label = point.commit.isEmpty ? String(point.at.prefix(10)) : String(point.commit.prefix(7))
        text += "<text x=\"\(x)\" y=\"\(number(Self.height - 14))\" text-anchor=\"middle\">"
        text += "\(Markup.escaped(label))</text>"
      }
      text += "\n"
    }
    return text + "</svg></div>\n<p class=\"hint\">Share of failures by commit; the lines are 95 % intervals.</p>\n"
  }

  private func number(_ value: Double) -> String { String(format: "%.1f", value) }
}

/// Rates of failures for readers.
enum RateText {
  /// `0.4 %`: two digits that count.
  static func percent(_ share: Double) -> String {
    let percent = share * 100
    if percent == 0 || percent >= 99.95 { return "\(Int(percent.rounded())) %" }
    return String(format: percent < 0.1 ? "%.3f %%" : percent < 10 ? "%.1f %%" : "%.0f %%", percent)
  }

  /// `2 of 40 failed, 5 % (95 % interval: 1.4 % to 17 %)`.
  static func sentence(failed: Int, of runs: Int) -> String {
    let count = "\(StoryText.count(failed)) of \(StoryText.count(runs)) failed"
    guard runs > 0, failed <= runs else { return count }
    return "\(count), \(rate(failed: failed, of: runs))"
  }

  /// `5 % (95 % interval: 1.4 % to 17 %)`.
  static func rate(failed: Int, of runs: Int) -> String {
    let range = SweepConfidence.interval(failed: failed, of: runs)
    return "\(percent(Double(failed) / Double(runs))) (95 % interval: \(percent(range.lowerBound)) to "
      + "\(percent(range.upperBound)))"
  }
}
