import Link
import Testing

@testable import PhoneSim
@testable import Simulator

/// What the trace says of the nights.
@Suite struct NightReportsTests {
  private func scenario(_ phone: String) -> Scenario {
    let text = """
      { scenario: "x", startedAt: "2026-05-10T23:30:00Z", timeZone: "Europe/Berlin", duration: "97h", seed: 70,
        uplink: {}, phone: { \(phone) } }
      """
    return Scenario.read(Array(text.utf8), file: "x.json5", folder: "/").0
  }

  private func reports(_ phone: String) throws -> [(at: VirtualTime, night: HealthSlept)] {
    var nights = try #require(NightReports(scenario(phone)))
    var all: [(at: VirtualTime, night: HealthSlept)] = []
    while let at = nights.nextAt, at <= .start + .hours(97) { all += nights.takeDue(at: at).map { (at, $0) } }
    return all
  }

  @Test func `each night of the run is reported when it is over`() throws {
    let all = try reports("ingestion: {}")
    #expect(all.map(\.night.day) == ["2026-05-10", "2026-05-11", "2026-05-12", "2026-05-13"])
    for (at, night) in all {
      #expect(at.nanoseconds == night.to && night.from < night.to && (5...9).contains(night.hours))
    }
    #expect(all[0].night.from < 0)
    // Whoever asks: they are those of the seed.
    #expect(try reports("daily: {}").map(\.night.hours) == all.map(\.night.hours))
  }

  @Test func `a corrected night is reported again, and once more when the correction is gone`() throws {
    let plain = try reports("ingestion: {}")
    let failures =
      "{ do: \"delete\", type: \"sleep\", at: \"10h\", for: \"2h\" }, { do: \"correct\", type: \"calories\" }"
    let all = try reports("ingestion: { failures: [\(failures)] }")
    #expect(all.map(\.night.day).prefix(4) == ["2026-05-10", "2026-05-10", "2026-05-10", "2026-05-11"])
    #expect(all[1].at == .start + .hours(10) && all[2].at == .start + .hours(12) && all.count == plain.count + 2)
    #expect(all[1].night.hours < all[0].night.hours && all[2].night.hours == all[0].night.hours)
  }

  @Test func `without a reader nothing is reported`() { #expect(NightReports(scenario("")) == nil) }
}
