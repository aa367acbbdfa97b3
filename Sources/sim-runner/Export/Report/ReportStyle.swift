/// How a report looks: two sets of colours, one measure, and as little else as possible.
enum ReportStyle {
  static let text = #"""
    :root {
      --paper: #fbfbfa; --card: #ffffff; --ink: #1d2430; --soft: #566070; --line: #dfe3e8; --grid: #eceff2;
      --accent: #245f9e; --good: #2b7a3d; --bad: #b3261e; --warn: #9a5b00; --speech: #17636c;
      --band-good: #d5ead9; --band-plain: #e4e8ee; --band-quiet: #ecebe4; --band-trouble: #f6d5d1;
      --band-speech: #cfe6ea; --band-fault: #f7e3c4; --frame: #2f6fb2; --frame-ack: #7b94ae; --select: #ffd84d;
      --heard: #2f6fb2; --published: #8893a0; --mark: #a87700;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #12161c; --card: #181d25; --ink: #e4e9f0; --soft: #a3aebc; --line: #2c3440; --grid: #212832;
        --accent: #7fb4ea; --good: #7fd092; --bad: #f28b82; --warn: #e6b163; --speech: #7fd0d8;
        --band-good: #1e3f2a; --band-plain: #2a323e; --band-quiet: #33332c; --band-trouble: #57292a;
        --band-speech: #1c424a; --band-fault: #4c3a1a; --frame: #76aee6; --frame-ack: #5b7693; --select: #c9a227;
        --heard: #76aee6; --published: #6c7888; --mark: #c9a227;
      }
    }
    * { box-sizing: border-box }
    html { -webkit-text-size-adjust: 100% }
    body {
      margin: 0 auto; padding: 20px 24px 48px; max-width: 1360px; background: var(--paper); color: var(--ink);
      font: 15px/1.45 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
    }
    h1 { font-size: 24px; line-height: 1.2; margin: 0; overflow-wrap: anywhere }
    h2 { font-size: 15px; margin: 0; letter-spacing: .01em }
    p { margin: 0 }
    .skip { position: absolute; left: -999px }
    .skip:focus { left: 12px; top: 8px; background: var(--card); padding: 6px 10px; z-index: 2 }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
    .top { margin-bottom: 18px }
    .titles { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: baseline }
    .verdict { font-weight: 600 }
    .verdict b { text-transform: uppercase; letter-spacing: .05em; margin-right: 8px }
    .pass b { color: var(--good) } .fail b { color: var(--bad) } .unknown b, .stopped b { color: var(--warn) }
    .verdict span { font-weight: 400; color: var(--soft) }
    .facts { display: flex; flex-wrap: wrap; gap: 2px 22px; margin: 8px 0 10px }
    .facts div { display: flex; gap: 7px; min-width: 0 }
    dt { color: var(--soft) } dd { margin: 0; min-width: 0; overflow-wrap: anywhere }
    .facts dd, code, .mono { font-variant-numeric: tabular-nums }
    code, .mono {
      font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px;
    }
    .again { display: flex; align-items: center; gap: 8px; max-width: 100% }
    .again code {
      overflow-x: auto; white-space: nowrap; padding: 5px 9px; background: var(--card); border: 1px solid var(--line);
      border-radius: 6px; min-width: 0;
    }
    button, input {
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
    }
    ::placeholder { color: var(--soft); opacity: 1 }
    button { cursor: pointer; padding: 3px 10px; min-height: 32px }
    button:hover { border-color: var(--soft) }
    .notice { margin-top: 10px; padding: 8px 12px; border-left: 3px solid var(--warn); background: var(--card) }
    section { margin-bottom: 22px }
    .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 14px; margin-bottom: 8px }
    .tools { display: flex; gap: 4px } .tools button { min-width: 36px }
    #range { color: var(--soft); font-variant-numeric: tabular-nums; margin-left: auto }
    #overview, #canvas { display: block; width: 100% }
    #overview { height: 22px; margin-bottom: 6px; border-radius: 4px; background: var(--card); cursor: pointer }
    #timeline {
      background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden;
      touch-action: pan-y; cursor: grab; user-select: none; -webkit-user-select: none;
    }
    #timeline.moving { cursor: grabbing }
    .hint { color: var(--soft); font-size: 13px; margin-top: 6px }
    #detail { min-height: 46px; margin-top: 8px; overflow-wrap: anywhere }
    #detail .head { font-weight: 600 } #detail .more { color: var(--soft); font-size: 13px }
    .columns { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 40px }
    ol, ul { list-style: none; margin: 0; padding: 0 }
    #filter { padding: 4px 9px; width: 170px; margin-left: auto }
    #lines { max-height: 560px; overflow-y: auto; border-top: 1px solid var(--line); overscroll-behavior: contain }
    #lines li { content-visibility: auto; contain-intrinsic-size: auto 34px; border-bottom: 1px solid var(--grid) }
    .row {
      display: grid; grid-template-columns: 62px 52px minmax(0, 1fr); gap: 10px; width: 100%; text-align: left;
      border: 0; border-radius: 0; background: none; padding: 6px 6px; min-height: 34px;
    }
    .row:hover { background: var(--grid) }
    .row:focus-visible { outline-offset: -2px }
    .row[aria-current="true"] { background: color-mix(in srgb, var(--select) 28%, transparent) }
    .row .at { text-align: right; color: var(--soft); font-variant-numeric: tabular-nums }
    .row .who { color: var(--soft) }
    .speech .what { color: var(--speech) } .trouble .what { color: var(--bad) }
    .relief .what { color: var(--good) } .quiet .what { color: var(--soft) }
    #summary { margin: 8px 0 0; display: grid; grid-template-columns: 70px minmax(0, 1fr); gap: 5px 12px }
    #findings { border: 1px solid var(--bad); border-radius: 8px; padding: 12px 14px; background: var(--card) }
    #findings h2 { color: var(--bad); margin-bottom: 6px }
    .finding { display: block; width: 100%; text-align: left; border: 0; background: none; padding: 6px; }
    .finding:hover { background: var(--grid) }
    .finding b { font-weight: 600 } .finding span { display: block; color: var(--soft) }
    #expectations li, #plan li { padding: 5px 0; border-bottom: 1px solid var(--grid); overflow-wrap: anywhere }
    #expectations .ok { color: var(--good) } #expectations .no { color: var(--bad) }
    #plan button { border: 0; background: none; text-align: left; padding: 2px 4px; width: 100% }
    .side > section, .side > details { margin-bottom: 22px }
    summary { cursor: pointer; font-weight: 600; padding: 4px 0 }
    .scroll { overflow-x: auto; max-height: 360px }
    table { border-collapse: collapse; font-size: 13px; width: 100%; font-variant-numeric: tabular-nums }
    th { text-align: left; color: var(--soft); font-weight: 500 }
    th, td { padding: 3px 10px 3px 0; border-bottom: 1px solid var(--grid); vertical-align: top }
    .lost { color: var(--bad) }
    footer { color: var(--soft); font-size: 13px }
    @media (max-width: 900px) { .columns { grid-template-columns: minmax(0, 1fr) } }
    @media (max-width: 560px) {
      body { padding: 14px 14px 40px }
      h1 { font-size: 20px }
      #timeline, #overview { margin-left: -14px; margin-right: -14px; border-radius: 0 }
      #timeline { border-left: 0; border-right: 0 }
      #overview { width: calc(100% + 28px) }
      #range { margin-left: 0; width: 100% }
      button { min-height: 40px } .tools button { min-width: 44px }
      .row { grid-template-columns: 54px 42px minmax(0, 1fr); gap: 8px; padding: 6px 0 }
      .row .who { font-size: 13px; line-height: 22px }
      #lines { max-height: none }
    }
    @media print { .tools, #filter, .hint, .again button { display: none } #lines { max-height: none } }
    """#
}
