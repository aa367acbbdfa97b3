import Foundation
import Link
import Testing

@testable import PhoneSim

@Suite struct ScriptModelTests {
  private func read(_ text: String) throws -> (script: Script?, problems: [String]) {
    let collector = DiagnosticsCollector(file: "s.json")
    let script = Script(JSONValueReader(try JSONParser.parse(text, dialect: .json), into: collector))
    return (script, collector.diagnostics.list.map { $0.rendered(file: "s.json") })
  }

  private func messages(_ triggerSpec: String, _ rest: String = "") -> String {
    #"{"messages":[{"id":"m","triggerSpec":\#(triggerSpec),"text":"Go on."\#(rest)}]}"#
  }

  @Test func `a whole script is read and written back`() throws {
    let text = """
      {"id":"s","runId":"r","personality":"calm","generatedAt":"2026-04-12T06:00:00Z","model":"m",\
      "inputDigest":"d","branchPolicy":"branched","grace":{"meters":100,"seconds":30.5},"messages":[\
      {"id":"a","triggerSpec":{"type":"distance","atMeters":1000},"text":"One \\"km\\".","branchKey":"x",\
      "prerenderedAudioPath":"a.m4a","priority":80,"playOnce":true},\
      {"id":"b","triggerSpec":{"type":"distance","everyMeters":1609.344},\
      "text":"Mile.","priority":50,"playOnce":false},\
      {"id":"c","triggerSpec":{"type":"time","atSeconds":1800},"text":"T","priority":50,"playOnce":true},\
      {"id":"d","triggerSpec":{"type":"halfway"},"text":"H","priority":50,"playOnce":true},\
      {"id":"e","triggerSpec":{"type":"near_finish","remainingMeters":500},"text":"N","priority":50,"playOnce":true},\
      {"id":"f","triggerSpec":{"type":"condition","expression":"hr > 1","branchKey":"x","cooldownSeconds":240},\
      "text":"C","priority":50,"playOnce":false},\
      {"id":"g","triggerSpec":{"type":"fatigue_zone","expression":"hr_zone >= 4"},\
      "text":"F","priority":-3,"playOnce":true}]}
      """
    let (script, problems) = try read(text)
    #expect(problems == [])
    let read = try #require(script)
    #expect(read.canonicalText == text)
    #expect(read.messages.count == 7 && read.messages[0].text == "One \"km\"." && read.grace.seconds == 30.5)
    #expect(try self.read(read.canonicalText).script == read)
  }

  @Test func `what is left out has its default, which is written out`() throws {
    let (script, problems) = try read(messages(#"{"type":"halfway"}"#))
    #expect(problems == [])
    #expect(
      script?.canonicalText == """
        {"branchPolicy":"linear","grace":{"meters":150,"seconds":45},"messages":[{"id":"m",\
        "triggerSpec":{"type":"halfway"},"text":"Go on.","priority":50,"playOnce":true}]}
        """)
  }

  @Test(arguments: [
    (#"{"type":"distance","everyMeters":1000}"#, false), (#"{"type":"distance","atMeters":1000}"#, true),
    (#"{"type":"condition","expression":"hr > 1"}"#, true),
    (#"{"type":"condition","expression":"hr > 1","cooldownSeconds":0}"#, false),
    (#"{"type":"fatigue_zone","expression":"hr > 1","cooldownSeconds":9}"#, false),
  ])
  func `a line plays once unless its trigger repeats by nature`(spec: String, playOnce: Bool) throws {
    #expect(try read(messages(spec)).script?.messages[0].playOnce == playOnce)
    #expect(try read(messages(spec, #","playOnce":true"#)).script?.messages[0].playOnce == true)
    #expect(try read(messages(spec, #","playOnce":false"#)).script?.messages[0].playOnce == false)
  }

  /// The column is that of the error; the text before the trigger has 37 scalars.
  @Test(arguments: [
    (#"{"type":"pace"}"#, "s.json:1:46: error: messages[0].triggerSpec.type: found \"pace\""),
    (
      #"{"type":"distance","atMetres":1000}"#,
      "messages[0].triggerSpec: unknown key \"atMetres\"; did you mean \"atMeters\"?"
    ),
    (#"{"type":"distance"}"#, "messages[0].triggerSpec: the key \"atMeters\" or \"everyMeters\" is missing"),
    (#"{"type":"distance","atMeters":1,"everyMeters":2}"#, "messages[0].triggerSpec: found both keys"),
    (
      #"{"type":"distance","atMeters":0}"#,
      "messages[0].triggerSpec.atMeters: found number 0, expected a number above 0"
    ),
    (#"{"type":"distance","everyMeters":-1}"#, "messages[0].triggerSpec.everyMeters: found number -1"),
    (
      #"{"type":"distance","atMeters":"1000"}"#,
      "messages[0].triggerSpec.atMeters: found string \"1000\", expected a number"
    ),
    (#"{"type":"time"}"#, "messages[0].triggerSpec: the key \"atSeconds\" is missing"),
    (#"{"type":"time","atSeconds":1e300}"#, "messages[0].triggerSpec.atSeconds"),
    (#"{"type":"halfway","atMeters":5}"#, "messages[0].triggerSpec: unknown key \"atMeters\""),
    (#"{"type":"near_finish","remainingMeters":-5}"#, "messages[0].triggerSpec.remainingMeters"),
    (#"{"type":"condition"}"#, "messages[0].triggerSpec: the key \"expression\" is missing"),
    (
      #"{"type":"condition","expression":"hr >"}"#,
      "messages[0].triggerSpec.expression: column 5 of the expression: found the end"
    ),
    (#"{"type":"condition","expression":"hr > 1","cooldownSeconds":-1}"#, "messages[0].triggerSpec.cooldownSeconds"),
    (
      #"{"type":"condition","expression":"hr > 1","branchKey":""}"#,
      "messages[0].triggerSpec.branchKey: found an empty string"
    ),
    (#"{"type":"condition","expression":"hr > 1","branchkey":"x"}"#, "did you mean \"branchKey\"?"),
    (#"{}"#, "messages[0].triggerSpec: the key \"type\" is missing"),
    (#"5"#, "messages[0].triggerSpec: found number 5, expected an object"),
  ])
  func `a trigger that is none of the seven is refused with the path to it`(spec: String, problem: String) throws {
    let problems = try read(messages(spec)).problems
    #expect(problems.count == 1, "\(problems)")
    #expect(problems.first?.contains(problem) == true, "\(problems)")
  }

  @Test(arguments: TriggerCatalog.all.indices)
  func `every trigger reads back what it writes`(index: Int) throws {
    let kind = TriggerCatalog.all[index]
    func check(_ example: some Trigger) throws {
      let collector = DiagnosticsCollector(file: "t")
      let value = JSONValueReader(JSONNode(example.specification), into: collector)
      let read = try #require(TriggerCatalog.read(value))
      #expect(collector.diagnostics.isEmpty)
      #expect(example.isEqual(to: read))
      #expect(example.whyNever(under: Plan(distance: 42_195, time: 14_400)) == nil)
      #expect(example.form(for: Plan(distance: 42_195, time: 14_400)) != .never)
      if let shapeKey = type(of: example).shapeKey { #expect(example.members.contains { $0.key == shapeKey }) }
      // Any one of its keys gone, it is refused, or means something else.
      for gone in example.members where gone.key != "branchKey" && gone.key != "cooldownSeconds" {
        let rest = [JSONMember("type", .string(type(of: example).type))] + example.members.filter { $0.key != gone.key }
        #expect(TriggerCatalog.read(JSONValueReader(JSONNode(.object(rest)), into: collector)) == nil)
      }
    }
    try check(kind.example)
  }

  @Test func `the catalogue lists what the folder holds`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "Sources/PhoneSim/Script/Triggers").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
    #expect(files.sorted() == TriggerCatalog.all.map { "\($0).swift" }.sorted())
    let shapes = TriggerCatalog.all.map { "\($0.type) \($0.shapeKey ?? "")" }
    #expect(Set(shapes).count == shapes.count)
  }

  @Test func `the trace says the whole script and its source`() throws {
    let script = Script(messages: [.at("a", 5)])
    let event = script.loadedEvent(source: .fallback, at: .start)
    #expect(event.name == "script.loaded" && event.fields.map(\.key) == ["source", "script"])
    #expect(event["source"] == .string("fallback") && event["script"] == .json(script.canonicalText))
  }

  @Test func `the words of a line are those of the text it has now`() {
    var message = ScriptMessage.at("a", 5)
    message.text = "one  two\u{a0}three "
    #expect(message.words == 3)
    message.text = "one"
    #expect(message.words == 1)
  }

  @Test(arguments: FallbackScript.personalities + ["nobody"])
  func `every personality has a script to fall back on`(personality: String) throws {
    let plan = Plan(distance: 5000, time: 1650)
    let script = FallbackScript.make(personality: personality, plan: plan)
    #expect(script.messages.map(\.id) == ["kilometre", "halfway", "finish"])
    #expect(script.personality == personality)
    let found = ScriptValidator.validate(Array(script.canonicalText.utf8), file: "f", plan: plan)
    #expect(found.isEmpty, "\(found)")
  }

  @Test func `a fallback script has no line that its plan leaves no place for`() {
    func ids(_ plan: Plan) -> [String] { FallbackScript.make(personality: "calm", plan: plan).messages.map(\.id) }
    #expect(ids(Plan()) == ["kilometre"])
    #expect(ids(Plan(time: 600)) == ["kilometre", "halfway"])
    #expect(ids(Plan(distance: 800)) == ["kilometre", "halfway"])
    #expect(FallbackScript.personalities.contains("roast_coach"))
    #expect(
      Set(FallbackScript.personalities.map { FallbackScript.make(personality: $0, plan: Plan()).messages[0].text })
        .count == 4)
  }
}
