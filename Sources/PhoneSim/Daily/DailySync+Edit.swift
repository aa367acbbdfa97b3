import CoachProtocol
import Link

/// Changes of a meal that is stored.
extension DailySync {
  /// The meal eaten last, of several in one second the one stored last; nil without meals.
  var newestMeal: NutritionEntry? {
    record.meals.enumerated().max { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }?.element
  }

  /// Replaces a meal, which keeps its identifier, its time and its day.
  mutating func change(_ known: NutritionEntry, _ edit: MealEdit, into orders: inout Orders) {
    var entry = known
    entry.name = edit.name ?? known.name
    entry.calories = edit.calories ?? known.calories
    entry.protein = edit.protein ?? known.protein
    entry.carbs = edit.carbs ?? known.carbs
    entry.fat = edit.fat ?? known.fat
    commit(.logged(entry), into: &orders)
    orders.events.append(MealEdited(entry))
  }
}

/// The loss of the phone.
extension DailySync {
  mutating func backUp(into orders: inout Orders) {
    commit(.backedUp, into: &orders)
    var event = MealsBackedUp()
    event.meals = Int64(record.meals.count)
    orders.events.append(event)
  }

  /// Gives the app the meals of the last backup, and forgets what the server has confirmed; returns why not, or nil.
  mutating func restoreBackup(into orders: inout Orders) -> String? {
    guard let kept = record.backup.meals else { return "there is no backup" }
    var event = MealsRestored()
    for meal in record.meals where !kept.contains(where: { $0.id == meal.id }) {
      event.lost += 1
      commit(.removed(meal.id, meal.day), into: &orders)
      var removed = MealRemoved(meal)
      removed.lost = true
      orders.events.append(removed)
    }
    for meal in kept {
      let known = record.meals.first { $0.id == meal.id }
      guard known != meal else { continue }
      commit(.logged(meal), into: &orders)
      orders.events.append(
        known == nil ? MealLogged(meal, eatenAt: meal.date &- startSeconds &* 1_000_000_000) : MealEdited(meal))
    }
    // The lost phone's request is not this one's.
    forgetAttempt(into: &orders)
    if let store = record.state.store { commit(.storeReplaced(store, holding: []), into: &orders) }
    event.meals = Int64(record.meals.count)
    orders.events.append(event)
    return nil
  }
}

extension MealLogged {
  /// - Parameter eatenAt: In nanoseconds since the run's start.
  init(_ entry: NutritionEntry, eatenAt: Int64) {
    self.init()
    (id, day, date) = (entry.id, entry.day.text, LocalDay.dateText(entry.date))
    (self.eatenAt, name) = (eatenAt, entry.name)
    (calories, protein) = (Int64(entry.calories), Int64(entry.protein))
    (carbs, fat) = (Int64(entry.carbs), Int64(entry.fat))
  }
}

extension MealEdited {
  init(_ entry: NutritionEntry) {
    self.init()
    (id, day, name) = (entry.id, entry.day.text, entry.name)
    (calories, protein) = (Int64(entry.calories), Int64(entry.protein))
    (carbs, fat) = (Int64(entry.carbs), Int64(entry.fat))
  }
}

extension MealRemoved {
  init(_ entry: NutritionEntry) {
    self.init()
    (id, day) = (entry.id, entry.day.text)
  }
}
