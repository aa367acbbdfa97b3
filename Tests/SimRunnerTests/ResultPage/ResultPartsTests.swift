import Console
import Foundation
import Link
import Testing

@testable import Experiments
@testable import Simulator

/// The parts of the pages of `test` and `sweep`.
@Suite struct ResultPartsTests {
  private static func entry(_ commit: String?, runs: Int64, failed: Int64, command: String = "sweep")
    -> ResultHistory.Entry
  {
    ResultHistory.Entry(
      command: command, at: "2026-04-12T06:30:00Z", commit: commit, runs: runs, failed: failed, seconds: 1)
  }

  @Test func `the chart has a point for each commit, with its interval, and leaves out other commands`() {
    let chart = ResultChart([
      Self.entry("aaaaaaaaaaaa", runs: 20, failed: 0), Self.entry("aaaaaaaaaaaa", runs: 20, failed: 2),
      Self.entry("cccccccccccc", runs: 9, failed: 9, command: "test"), Self.entry("bbbbbbbbbbbb", runs: 40, failed: 0),
    ])
    #expect(chart.points.map(\.commit) == ["aaaaaaaaaaaa", "bbbbbbbbbbbb"])
    #expect(chart.points.map(\.runs) == [40, 40] && chart.points.map(\.failed) == [2, 0])
    let html = chart.html
    #expect(html.components(separatedBy: "<circle").count == 3)
    #expect(html.components(separatedBy: "<circle class=\"failed\"").count == 2)
    #expect(html.contains("2 of 40 failed, 5.0 % (95 % interval: 1.4 % to 17 %)"), "\(html)")
    #expect(html.contains(">aaaaaaa</text>") && html.contains(">bbbbbbb</text>"))
    #expect(ResultChart([Self.entry("aaaaaaaaaaaa", runs: 20, failed: 0)]).html.isEmpty)
  }

  @Test func `runs without a commit are points of their own, and a hostile name is text`() {
    let chart = ResultChart([Self.entry(nil, runs: 1, failed: 1), Self.entry(nil, runs: 1, failed: 0)])
    #expect(chart.points.count == 2)
    let hostile = ResultChart([Self.entry("<b>", runs: 1, failed: 1), Self.entry("\"><script>", runs: 1, failed: 0)])
    #expect(!hostile.html.contains("<b>") && !hostile.html.contains("<script"))
  }

  @Test(arguments: [
    (0.0, "0 %"), (0.0004, "0.040 %"), (0.05, "5.0 %"), (0.168, "17 %"), (0.9999, "100 %"), (1, "100 %"),
  ])
  func `a share has two digits that count`(share: Double, expected: String) {
    #expect(RateText.percent(share) == expected)
  }

  @Test func `the matrix has a row for each fault and channel, a number for what was met, and never for the rest`()
    throws
  {
    let loss = try #require(FaultCoverage.kinds.firstIndex(of: "loss"))
    let first = loss * FaultCoverage.cellsOfKind + RunPhase.running.rawValue
    let coverage = try #require(FaultCoverage("\(first):7"))
    let channel = try #require(Channel.allCases.first { $0.rawValue == 0 })
    #expect(coverage[loss, channel, .running] == 7)
    let html = ResultMatrix(title: "Faults <met>", coverage: coverage, kinds: [loss], seeds: 10).html
    #expect(html.contains("<h2>Faults &lt;met&gt;</h2>"))
    #expect(html.contains("<td class=\"met\" style=\"--share: 0.7\">7</td>"))
    let cells = FaultCoverage.channels(of: loss).count * RunPhase.allCases.count
    #expect(html.components(separatedBy: ">never</td>").count == cells)
    #expect(html.contains("1 of \(cells) met, \(cells - 1) never"))
    #expect(ResultMatrix(title: "", coverage: coverage, kinds: [], seeds: 10).html.isEmpty)
  }
}
