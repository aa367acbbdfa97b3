import CoachProtocol
import Link
import Testing

/// The form of days and answers that public servers of this kind have.
@Suite struct FlatDayTests {
  private static func read(_ text: String) -> InsightsSyncResponse? { try? .reading(Array(text.utf8)) }

  @Test func `a day is flat, in pounds, with zeros for what is missing`() throws {
    var health = HealthSnapshot()
    (health.steps, health.weight, health.sleepHours) = (9_000, 70.5, 7.25)
    let day = DailySyncData(
      date: "2026-03-28", revision: 4,
      nutrition: NutritionSnapshot(calories: 2_100, protein: 120, carbs: 230, fat: 70, entryCount: 4), health: health)
    let text = String(decoding: InsightsSyncRequest(store: nil, days: [day]).flatBytes, as: UTF8.self)
    #expect(
      text == """
        {"days":[{"date":"2026-03-28","calories":2100,"protein":120,"carbs":230,"fat":70,"nutrition_entries":4,\
        "steps":9000,"active_calories":0,"weight_lbs":155.4,"sleep_hours":7.25,"revision":4}]}
        """)
    guard case .object(let members) = DailySyncData(date: "2026-03-29", revision: 1).flat else {
      Issue.record("found no object")
      return
    }
    let measured = ["weight_lbs", "sleep_hours", "hrv_ms"]
    #expect(members.map(\.key) == DailySyncData.flatKeys.filter { !measured.contains($0) })
  }

  @Test func `an answer names its days; another status, or days that are no texts, are no answer`() {
    let answer = Self.read(#"{"status":"synced","dates_synced":["2026-03-28","2026-03-29"],"count":2,"took":0.5}"#)
    #expect(answer?.syncedDates == ["2026-03-28", "2026-03-29"])
    #expect(answer?.store == InsightsSyncResponse.namelessStore)
    #expect(Self.read(#"{"status":"synced","dates_synced":[],"count":0}"#)?.syncedDates == [])
    #expect(Self.read(#"{"status":"queued","dates_synced":["2026-03-28"]}"#) == nil)
    #expect(Self.read(#"{"dates_synced":["2026-03-28"]}"#) == nil)
    #expect(Self.read(#"{"status":"synced","dates_synced":7}"#) == nil)
    #expect(Self.read(#"{"status":"synced","dates_synced":[7]}"#) == nil)
    #expect(Self.read(#"{"status":"synced","count":1}"#) == nil)
  }

  @Test func `what a server says that it has is read in whole units`() throws {
    let node = try JSONParser.parse(
      #"{"period_days":7,"nutrition_days":3,"avg_calories":1999.6,"avg_protein":80,"avg_carbs":1,"avg_fat":2}"#,
      dialect: .json)
    let context = try #require(InsightsContext(node))
    #expect((context.days, context.nutritionDays, context.calories, context.steps) == (7, 3, 2_000, 0))
    #expect(InsightsContext(try JSONParser.parse("{\"avg_calories\":1}", dialect: .json)) == nil)
  }
}
