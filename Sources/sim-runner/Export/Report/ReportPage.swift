import Link

/// The page of a report: markup, style, data and script in one file that fetches nothing.
enum ReportPage {
  /// Appends the page.
  ///
  /// - Parameters:
  ///   - title: Plain text.
  ///   - data: JSON without a bare `<`.
  static func append(title: String, data: [UInt8], to bytes: inout [UInt8]) {
    bytes += head.replacing("TITLE", with: Markup.escaped(title)).utf8
    bytes += "<style>\n\(ReportStyle.text)\n</style>\n</head>\n".utf8
    bytes += body.utf8
    bytes += "<script type=\"application/json\" id=\"data\">".utf8
    bytes += data
    bytes += "</script>\n<script>\n\"use strict\";\n(() => {\n".utf8
    for part in ReportScript.parts { bytes += part.utf8 }
    bytes += "\n})();\n</script>\n</body>\n</html>\n".utf8
  }

  /// The policy forbids every request, so that a report can be opened anywhere without being heard of.
  private static let head = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
    <link rel="icon" href="data:,">
    <title>TITLE</title>

    """

  private static let body = """
    <body>
    <a class="skip" href="#story">Skip to the story</a>
    <header class="top">
      <div class="titles"><h1 id="scenario">Report</h1><p id="verdict" class="verdict"></p></div>
      <dl id="facts" class="facts"></dl>
      <div class="again"><code id="command"></code><button type="button" id="copy">Copy</button></div>
      <div id="notices"></div>
    </header>
    <noscript><p class="notice">This report draws itself with JavaScript, which is off.</p></noscript>
    <main>
    <section id="findings" aria-label="What went wrong" hidden></section>
    <section aria-labelledby="timeline-title">
      <div class="bar">
        <h2 id="timeline-title">Timeline</h2>
        <div class="tools" role="toolbar" aria-label="Timeline">
          <button type="button" id="earlier" aria-label="Earlier" title="Earlier (&larr;)">&larr;</button>
          <button type="button" id="later" aria-label="Later" title="Later (&rarr;)">&rarr;</button>
          <button type="button" id="out" aria-label="Zoom out" title="Zoom out (-)">&minus;</button>
          <button type="button" id="in" aria-label="Zoom in" title="Zoom in (+)">+</button>
          <button type="button" id="fit" title="The whole run (0)">All</button>
        </div>
        <output id="range" aria-live="polite"></output>
      </div>
      <canvas id="overview" aria-hidden="true"></canvas>
      <div id="timeline" tabindex="0" role="application" aria-roledescription="timeline"
        aria-label="Timeline of the run" aria-describedby="keys">
        <canvas id="canvas" aria-hidden="true"></canvas>
      </div>
      <p id="keys" class="hint">Drag to move, pinch or Ctrl and wheel to zoom, click for details. Keys: arrows move,
      + and &minus; zoom, Home and End jump, 0 shows all, [ and ] go from event to event, Enter says what is there.</p>
      <div id="detail" role="status" aria-live="polite"></div>
    </section>
    <div class="columns">
    <section id="story" aria-labelledby="story-title" tabindex="-1">
      <div class="bar"><h2 id="story-title">What happened</h2>
        <input id="filter" type="search" placeholder="Find" aria-label="Find in the story"></div>
      <ol id="lines"></ol>
      <p id="none" class="hint" hidden>Nothing in the story says that.</p>
    </section>
    <div class="side">
    <section aria-labelledby="summary-title"><h2 id="summary-title">In numbers</h2><dl id="summary"></dl></section>
    <section id="expected" aria-labelledby="expected-title" hidden>
      <h2 id="expected-title">Expected</h2><ul id="expectations"></ul></section>
    <section id="planned" aria-labelledby="plan-title" hidden>
      <h2 id="plan-title">Faults</h2><ul id="plan"></ul></section>
    <details id="near"><summary>Frames in view, as a table</summary>
      <p id="near-note" class="hint"></p>
      <div class="scroll" tabindex="0" role="region" aria-label="Frames in view"><table id="frames-table">
      <thead><tr><th>sent</th><th>frame</th><th>from</th><th>what became of it</th><th>line</th></tr></thead>
      <tbody></tbody></table></div></details>
    </div>
    </div>
    </main>
    <footer id="foot"></footer>

    """
}
