import Foundation
import Link
import Testing

@testable import Console
@testable import Simulator

/// The comparison that a sweep of an app makes by itself.
@Suite struct `a comparison by the sweep itself` {
  private func read(_ checks: String) -> (Scenario, [String]) {
    let text = "{ scenario: \"app\", phone: { command: \"/bin/true\" }, checks: { \(checks) } }"
    let (scenario, found) = Scenario.read(Array(text.utf8), file: "s.json5", folder: "/")
    return (scenario, found.flatMap(\.lines))
  }

  @Test func `is added where the scenario says nothing, and is in no trace`() {
    var (scenario, found) = read("")
    #expect(found.isEmpty)
    let header = scenario.header.extra("checks")
    let isNew = scenario.addSameAsIdeal(isImplied: true)
    #expect(isNew)
    #expect(scenario.madeChecks.map(\.kind) == [.sameAsIdeal])
    #expect(scenario.header.extra("checks") == header)
    // What is saved to repeat a failure names it.
    var saved = read("").0
    saved.addSameAsIdeal(isImplied: false)
    #expect(SavedScenario.text(saved, in: "/").contains("sameAsIdeal: {}"))
  }

  @Test(arguments: [
    "sameAsIdeal: false", "sameAsIdeal: { lasting: ['lap'] }", "sameAsIdeal: { except: ['hint', 'lap.at'] }",
  ])
  func `is the scenario's own where it has one`(_ check: String) {
    var (scenario, found) = read(check)
    #expect(found.isEmpty)
    let isNew = scenario.addSameAsIdeal(isImplied: true)
    #expect(!isNew)
    #expect(scenario.madeChecks.isEmpty == check.hasSuffix("false"))
    let text = SavedScenario.text(scenario, in: "/")
    let (again, _) = Scenario.read(Array(text.utf8), file: "s.json5", folder: "/")
    #expect(again.checks == scenario.checks)
  }

  @Test func `is not made without an app, and not switched on by true`() {
    var plain = Scenario()
    let isNew = plain.addSameAsIdeal(isImplied: true)
    #expect(!isNew)
    #expect(read("sameAsIdeal: true").1.first?.contains("expected an object, or false") == true)
    #expect(read("lateCopy: false").1.count == 1)
  }
}
