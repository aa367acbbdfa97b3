import Console
import Foundation
import Link
import LinkTestSupport
import PairScreen
import TraceTools

/// The texts of the devices' screens, as the page's own script draws them: in Node.js, without a browser.
enum ScreenTexts {
  /// Elements that only keep their texts.
  private static let elements = """
    const make = (tag) => ({
      tag, children: [], dataset: {}, style: {}, className: "", classList: { contains: () => false, toggle() {} },
      addEventListener(key, does) { this[`on${key}`] = does; }, setAttribute(key, value) { this[key] = value; }, append(...more) { this.children.push(...more); },
      replaceChildren(...more) { this.children = more; }, querySelector: () => null, querySelectorAll: () => [],
      get textContent() { return this.children.map((one) => typeof one === "object" ? one.textContent : String(one)).join(" "); },
      set textContent(text) { this.children = [text]; },
    });
    globalThis.document = { createElement: make, createElementNS: (_, tag) => make(tag), getElementById: () => null };
    const state = { time: {} }, isStill = true, act = () => {}, draw = () => {};

    """

  private static let printing = """

    const lane = JSON.parse(require("fs").readFileSync(0, "utf8"));
    const texts = {};
    for (const [name, screen] of Object.entries(screens)) {
      if (name === "store" || name === "app") continue;
      texts[name] = el("div", {}, ...screen(lane, lane.now, true).make()).textContent;
    }
    // A button that asks once more says what it asks.
    const find = (one) => one.textContent === "Purge" && one.onclick ? one : (one.children || []).map((child) => typeof child === "object" ? find(child) : null).find(Boolean);
    const settings = el("div", {}, ...screens.settings(lane, lane.now, true).make());
    find(settings)?.onclick();
    texts.settings = settings.textContent;
    const watch = new WatchView(false);
    watch.update(lane, lane.now, true);
    texts.watch = watch.root.textContent;
    for (const name of Object.keys(texts)) texts[name] = texts[name].replace(/\\\\s+/g, " ");
    console.log(JSON.stringify(texts));
    """.replacing("\\\\", with: "\\")

  /// The text of each screen, by its name; nil without Node.js.
  ///
  /// - Parameters:
  ///   - trace: A trace's bytes.
  ///   - instant: When it is looked at; nil for its end.
  static func read(_ trace: [UInt8], at instant: VirtualTime? = nil) throws -> [String: String]? {
    let recorded = try RecordedTrace("t", trace)
    var timeline = PairTimeline(header: recorded.header)
    for event in recorded.events { timeline.append(event) }
    timeline.isComplete = true
    let now = instant ?? timeline.end
    let state = timeline.state(at: now)
    let lane: JSONFields = [
      "now": .time(now), "truth": state.truthJSON, "watch": state.watchJSON, "phone": state.phoneJSON,
      "history": state.historyJSON, "training": state.trainingJSON, "health": state.healthJSON,
      "meals": state.mealsJSON,
      "run": .object(
        PairRun.members(recorded.header, at: now) + [JSONMember](["stores": .array([]), "acts": .array([])])),
    ]
    let script = elements + String(decoding: PairDrawing.script, as: UTF8.self) + printing
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "screens.js")
    try Data(script.utf8).write(to: file)
    let input = folder.appending(path: "lane.json")
    try Data(JSONWriter.compact(JSONNode(.fields(lane)))).write(to: input)
    let node = Process()
    node.executableURL = URL(filePath: "/usr/bin/env")
    node.arguments = ["node", file.path()]
    node.standardInput = try FileHandle(forReadingFrom: input)
    let (output, errors) = (Pipe(), Pipe())
    (node.standardOutput, node.standardError) = (output, errors)
    try node.run(killedAfter: 60)
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    node.waitUntilExit()
    // As `env` says that there is no such program.
    if node.terminationStatus == 127 { return nil }
    guard node.terminationStatus == 0 else { throw ScreenError(text: said) }
    return try JSONDecoder().decode([String: String].self, from: bytes)
  }

  struct ScreenError: Error { var text: String }
}
