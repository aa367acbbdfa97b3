import Console
import Foundation
import Link
import LinkTestSupport
import PairScreen
import Simulator
import Testing

/// The page's session: time, touches, branches, from the page's own words.
@Suite struct `Pair session` {
  private let session: PairSession
  private let savePath = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString).json5")
    .path

  init() throws {
    let folder = PackageRoot.url.appending(path: "scenarios").path
    let scenario = try Scenario.load("\(folder)/demo.json5")
    session = PairSession(
      PairLane(try PairDocument(scenario, folder: folder)), speed: 1, isPlaying: false, savePath: savePath)
  }

  private func make() throws {
    try waitUntil("the run") {
      session.advance(to: .now)
      return !session.isMaking
    }
  }

  @discardableResult
  private func act(_ json: String) -> String {
    let (isRefused, answer) = session.act(Array(json.utf8))
    return (isRefused ? "refused " : "") + String(decoding: answer, as: UTF8.self)
  }

  private func part(_ name: String) throws -> JSONNode {
    let json = try #require(session.parts().first { $0.name == name }?.json)
    return try JSONParser.parse(json, dialect: .json)
  }

  @Test func `a touch is shown, written down, and saved as the run that the page shows`() throws {
    try make()
    act(#"{"do":"seek","t":300.25}"#)
    act(#"{"do":"fault","fault":{"disconnect":{}},"text":"link cut"}"#)
    try make()
    act(#"{"do":"seek","t":312}"#)
    #expect(try part("link.0")["up"]?.boolean == false)
    #expect(try part("phone.0")["silent"]?.boolean == true)
    act(#"{"do":"endFault","id":"touch-1"}"#)
    try make()
    #expect(try part("run.0")["touches"]?.elements.map { $0["text"]?.text } == ["link cut", "disconnect ends"])
    let digest = try #require(session.lanes[0].ending?.digest)
    defer { try? FileManager.default.removeItem(atPath: savePath) }
    #expect(act(#"{"do":"save"}"#).contains(digest.prefix(16)))
    var options = RunOptions()
    options.output = { _ in }
    let outcome = try ScenarioRun.run(try Scenario.load(savePath), options)
    #expect(outcome.traceDigest == digest)
  }

  @Test func `undo gives the run without the touch`() throws {
    try make()
    let before = session.lanes[0].ending?.digest
    act(#"{"do":"seek","t":100}"#)
    act(#"{"do":"event","on":"watch","event":{"do":"pause"},"text":"pause"}"#)
    try make()
    #expect(session.lanes[0].ending?.digest != before)
    act(#"{"do":"undo"}"#)
    try make()
    #expect(session.lanes[0].ending?.digest == before)
    #expect(act(#"{"do":"undo"}"#).hasPrefix("refused"))
  }

  @Test func `two futures differ where they decide otherwise, and one is kept`() throws {
    try make()
    // Just before the coach speaks at the first kilometre, which it does not hear of in time.
    act(#"{"do":"seek","t":300}"#)
    act(#"{"do":"branch","fault":{"for":"20s","disconnect":{}},"text":"link cut for 20 s"}"#)
    try make()
    session.advance(to: .now)
    let difference = try #require(session.difference)
    #expect(difference.at.nanoseconds / 1_000_000_000 == 304)
    #expect(difference.texts[0].contains("script.dispatch"))
    #expect(act(#"{"do":"fault","fault":{"disconnect":{}}}"#).hasPrefix("refused"))
    act(#"{"do":"keep","lane":1}"#)
    #expect(session.lanes.count == 1)
    #expect(try part("run.0")["touches"]?.elements.count == 1)
  }

  @Test func `time passes at its pace, steps and ends with the run`() throws {
    try make()
    let begin = ContinuousClock.now
    session.advance(to: begin)
    act(#"{"do":"speed","factor":10}"#)
    act(#"{"do":"play"}"#)
    session.advance(to: begin + .milliseconds(500))
    #expect(session.now == VirtualTime(nanoseconds: 5_000_000_000))
    act(#"{"do":"step","to":"sentence"}"#)
    #expect(!session.isPlaying)
    #expect(session.now > VirtualTime(nanoseconds: 5_000_000_000))
    act(#"{"do":"speed","factor":null}"#)
    act(#"{"do":"play"}"#)
    session.advance(to: begin + .seconds(1))
    #expect(session.now == session.lanes[0].timeline.end)
    #expect(!session.isPlaying)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"do":"fly"}"#, #"{"do":"seek"}"#, #"{"do":"seek","t":-1}"#, #"{"do":"speed","factor":0}"#,
    #"{"do":"fault"}"#, #"{"do":"fault","fault":{"loss":7}}"#, #"{"do":"event","on":"edge","event":{"do":"x"}}"#,
    #"{"do":"event","on":"phone","event":{"do":"explode"}}"#, #"{"do":"keep","lane":1}"#,
    #"{"do":"endFault","id":"x"}"#,
    #"{"do":"act","on":"watch","event":{"do":"tap"}}"#,
  ])
  func `an act that cannot be done is refused and changes nothing`(json: String) throws {
    try make()
    let before = session.lanes[0].ending?.digest
    #expect(act(json).hasPrefix("refused"))
    try make()
    #expect(session.lanes[0].ending?.digest == before)
    #expect(session.lanes[0].document?.touches.isEmpty == true)
  }

  @Test func `the page is small, its script parses, and no text of a run becomes markup`() throws {
    let files = ["", "style.css", "script.js"].compactMap { session.file($0)?.bytes }
    #expect(files.count == 3)
    #expect(files.reduce(0) { $0 + $1.count } <= 150_000)
    let script = String(decoding: files[2], as: UTF8.self)
    for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
      #expect(!script.contains(word), "\(word)")
    }
    let page = String(decoding: files[0], as: UTF8.self)
    #expect(!page.contains("://") && !String(decoding: files[1], as: UTF8.self).contains("url("))
    #expect(session.file("../Package.swift") == nil)
  }
}
