import Link
import Testing

@testable import PhoneSim

@Suite struct ScriptValidatorTests {
  private let plan = Plan(distance: 5000, time: 1650)

  private func validate(_ text: String, _ plan: Plan? = nil) -> [String] {
    ScriptValidator.validate(Array(text.utf8), file: "s.json", plan: plan).description.split(separator: "\n").map(
      String.init)
  }

  private func warnings(_ messages: [ScriptMessage], policy: BranchPolicy = .linear, plan: Plan?) -> [String] {
    let script = Script(branchPolicy: policy, messages: messages)
    let found = ScriptValidator.validate(Array(script.canonicalText.utf8), file: "s", plan: plan)
    #expect(!found.hasErrors, "\(found)")
    return found.list.map(\.message)
  }

  @Test func `bad JSON is one error with its place`() {
    #expect(validate("{\n  \"messages\": [,]\n}").map { $0.prefix(18) } == ["s.json:2:16: error"])
    #expect(validate("").count == 1)
    #expect(validate("[]").first?.contains("expected an object") == true)
    #expect(validate("{// no\n}").count == 1, "a script's file is JSON, not JSON5")
  }

  @Test func `every problem is reported at once, in the order of the text`() {
    let text = """
      {
        "messages": [
          { "id": "a", "triggerSpec": { "type": "pace" }, "text": "x" },
          { "id": "b", "triggerSpec": { "type": "time", "atSeconds": -5 }, "text": " " },
          { "id": "b", "triggerSpec": { "type": "condition", "expression": "speed > 1" }, "texts": "x" },
          { "triggerSpec": { "type": "halfway" }, "text": "x" }
        ],
        "mood": 5
      }
      """
    #expect(
      validate(text).map { $0.split(separator: ": ", maxSplits: 2).prefix(2).joined(separator: ": ") } == [
        "s.json:3:43: error", "s.json:4:64: error", "s.json:4:78: error", "s.json:5:5: error", "s.json:5:13: error",
        "s.json:5:70: error", "s.json:5:85: error", "s.json:6:5: error", "s.json:8:3: error",
      ])
    let all = validate(text).joined()
    for part in [
      "messages[0].triggerSpec.type", "messages[1].triggerSpec.atSeconds", "messages[1].text: found an empty text",
      "messages[2]: the key \"text\" is missing", "messages[2].id: found the id \"b\" again",
      "the unknown variable \"speed\"", "messages[3]: the key \"id\" is missing", "unknown key \"mood\"",
    ] {
      #expect(all.contains(part), "\(part)")
    }
  }

  @Test func `a script without messages is an error, one with none is not`() {
    #expect(validate("{}").first?.contains("the key \"messages\" is missing") == true)
    #expect(validate(#"{"messages":[]}"#) == [])
  }

  @Test(arguments: [
    (#""branchPolicy":"tree""#, "branchPolicy"), (#""grace":{"meters":-1}"#, "grace.meters"),
    (#""grace":{"metres":1}"#, "did you mean \"meters\"?"), (#""id":5"#, "id: found number 5"),
  ])
  func `the script's own fields are checked`(field: String, problem: String) {
    let found = validate("{\"messages\":[],\(field)}")
    #expect(found.count == 1 && found[0].contains(problem), "\(found)")
  }

  @Test func `a trigger that can never hold with the plan is warned about`() throws {
    let half = ScriptMessage(id: "h", trigger: HalfwayTrigger(), text: "x")
    let finish = ScriptMessage(id: "f", trigger: NearFinishTrigger(remainingMeters: 500), text: "x")
    #expect(warnings([half, finish], plan: Plan()).count == 2)
    #expect(warnings([half, finish], plan: Plan(time: 600)).count == 1)
    #expect(warnings([half, finish], plan: plan) == [])
    #expect(warnings([half, finish], plan: nil) == [], "without a plan nothing is known of it")
    #expect(warnings([.at("far", 5001)], plan: plan).first?.contains("can never hold") == true)
    #expect(warnings([.at("end", 5000)], plan: plan) == [])
    #expect(warnings([.every("far", 5001)], plan: plan).count == 1)
    #expect(warnings([.time("late", 1651)], plan: plan).count == 1)
    #expect(warnings([finish], plan: Plan(distance: 400)).count == 1)
    #expect(warnings([try .when("c", "distance > 8000")], plan: plan).count == 1)
    #expect(warnings([try .when("c", "distance > 4000")], plan: plan) == [])
  }

  /// At 330 s/km 30 s are 90.9 m.
  @Test func `positional lines within 30 s of each other at the target pace are warned about`() throws {
    #expect(warnings([.at("a", 1000), .at("b", 1090)], plan: plan).count == 1)
    #expect(warnings([.at("a", 1000), .at("b", 1091)], plan: plan) == [])
    #expect(warnings([.at("a", 1000), .time("t", 340)], plan: plan).count == 1)
    #expect(warnings([.time("s", 300), .time("t", 330)], plan: plan) == [], "30 s is enough")
    #expect(warnings([.time("s", 300), .time("t", 329.9)], plan: plan).count == 1)
    #expect(warnings([.every("km", 1000), .at("b", 2990)], plan: plan).count == 1, "one pair, one warning")
    #expect(warnings([.every("km", 1000), .every("mile", 500)], plan: plan).count == 1)
    #expect(warnings([.every("often", 50)], plan: plan).count == 1)
    #expect(warnings([.at("a", 1000), .at("b", 1000)], plan: Plan(distance: 5000)) == [], "no pace, no seconds")
    #expect(warnings([.at("a", 1000), try .when("c", "distance > 1000")], plan: plan) == [])
  }

  @Test func `a line is warned about with its nearest neighbour only`() {
    let found = warnings([.time("a", 300), .time("b", 310), .time("c", 312), .time("d", 318)], plan: plan)
    #expect(found.count == 3, "a with b, b with c, c with d; not a with c, a with d, b with d")
    #expect(warnings((0..<50).map { .time("m\($0)", 300) }, plan: plan).count == 49)
  }

  @Test func `lines of different branches never meet`() {
    let lines: [ScriptMessage] = [.at("a", 1000, branch: "x"), .at("b", 1000, branch: "y")]
    #expect(warnings(lines, policy: .branched, plan: plan) == [])
    #expect(warnings(lines, policy: .linear, plan: plan).count == 1)
    #expect(warnings([lines[0], .at("c", 1000)], policy: .branched, plan: plan).count == 1)
  }

  @Test func `text over 10 s of speech is warned about`() {
    func text(_ words: Int) -> ScriptMessage {
      let text = Array(repeating: "go", count: words).joined(separator: " ")
      return ScriptMessage(id: "m", trigger: HalfwayTrigger(), text: text)
    }
    #expect(warnings([text(24)], plan: nil) == [], "24 words take exactly 10 s")
    #expect(warnings([text(25)], plan: nil) == ["message \"m\": its text takes 10.4 s to say, which is over 10 s"])
  }

  @Test func `a script of absurd size is judged in bounded time`() {
    let lines = (0..<5000).map { ScriptMessage.at("m\($0)", 1000 + Double($0) / 1000) } + [.every("dust", 0.001)]
    let found = ScriptValidator.validate(Array(Script(messages: lines).canonicalText.utf8), file: "s", plan: plan)
    #expect(!found.hasErrors && found.list.count > 2500 && found.list.count <= 5001, "at most one warning a line")
    let many = Script(messages: (0...Script.messageCountMax).map { ScriptMessage.at("m\($0)", 1) })
    #expect(ScriptValidator.validate(Array(many.canonicalText.utf8), file: "s").hasErrors)
  }
}
