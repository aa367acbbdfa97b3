import Console
import Link
import Simulator
import TraceTools

/// Which faults met which channels in which phases of the run, as a table: a row for each fault and channel.
struct ResultMatrix {
  let title: String
  let coverage: FaultCoverage
  /// The kinds of faults of the scenario, by index.
  let kinds: [Int]
  /// How many seeds were run.
  let seeds: Int

  /// The section; empty without faults.
  var html: String {
    guard !kinds.isEmpty, seeds > 0 else { return "" }
    var (rows, all, never) = ("", 0, 0)
    for kind in kinds {
      let channels = FaultCoverage.channels(of: kind)
      for (index, channel) in channels.enumerated() {
        rows += "<tr\(index == 0 ? " class=\"first\"" : "")>"
        let name = Markup.escaped(FaultCoverage.kinds[kind])
        if index == 0 { rows += "<th scope=\"rowgroup\" rowspan=\"\(channels.count)\">\(name)</th>" }
        rows += "<th scope=\"row\">\(Markup.escaped(channel.text))</th>"
        for phase in RunPhase.allCases {
          let count = coverage[kind, channel, phase]
          all += 1
          never += count == 0 ? 1 : 0
          rows += count == 0 ? "<td class=\"never\">never</td>" : cell(count)
        }
        rows += "</tr>\n"
      }
    }
    let heads = RunPhase.allCases.map { "<th scope=\"col\">\($0.text)</th>" }.joined()
    let name = Markup.escaped(title)
    return """
      <section>
      <h2>\(name)</h2>
      <p class="hint">In how many of \(StoryText.count(seeds, "seed")) a frame of the channel was sent under the fault, by the \
      phase of the run: \(StoryText.count(all - never)) of \(StoryText.count(all)) met, \(StoryText.count(never)) never.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="\(name)"><table class="matrix">
      <thead><tr><th scope="col">fault</th><th scope="col">channel</th>\(heads)</tr></thead>
      <tbody>
      \(rows)</tbody></table></div>
      </section>

      """
  }

  private func cell(_ count: Int) -> String {
    let hundredths = min(100, count * 100 / max(seeds, 1))
    return "<td class=\"met\" style=\"--share: \(Double(hundredths) / 100)\">\(StoryText.count(count))</td>"
  }
}
