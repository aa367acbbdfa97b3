import CoachProtocol
import Link

@testable import PhoneSim

extension PhoneChangeSource {
  /// A change of meals or aggregates.
  mutating func dailyChange() -> DailyChange {
    let day = LocalDay(Int64(20_000 + random.below(5)))
    switch random.below(12) {
    case 0, 1, 2:
      meals.append((Identifier(high: 4, low: random.next()), day))
      return .logged(
        NutritionEntry(
          id: meals[meals.count - 1].id, date: Int64(random.below(1_000_000_000)), day: day, name: line(),
          calories: random.below(2_000), protein: random.below(200),
          carbs: random.below(300), fat: random.below(100)))
    case 3:
      guard !meals.isEmpty else { return .removed(Identifier(high: 4, low: 1), day) }
      let meal = meals.remove(at: random.below(meals.count))
      return .removed(meal.id, meal.day)
    case 4: return .mealsDrawn(through: VirtualTime(nanoseconds: now))
    case 5: return .queried(day)
    case 6: return .synced([DayRevision(day: day, revision: random.below(9))])
    case 7:
      return .chatWritten(ChatEntry(date: Int64(random.below(1_000_000_000)), text: "x\(random.below(1_000))"))
    case 8: return .chatDrawn(through: VirtualTime(nanoseconds: now))
    case 9: return .chatRead(through: random.below(50))
    case 10:
      return .storeReplaced(
        Identifier(high: 5, low: random.next()), holding: [DayRevision(day: day, revision: random.below(9))])
    default:
      var health = HealthSnapshot()
      if random.percent(70) { (health.steps, health.weight) = (random.below(30_000), Double(random.below(900)) / 10) }
      return .aggregated(
        DailyAggregate(
          day: day, revision: 1 + random.below(9), syncedRevision: random.below(9),
          nutrition: random.percent(50)
            ? nil : NutritionSnapshot(calories: random.below(5_000), protein: 1, entryCount: 2),
          health: health.isEmpty ? nil : health))
    }
  }
}
