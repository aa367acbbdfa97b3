import Link

/// What a server should say of the days that were posted to it.
struct PostedSummary {
  private var days: Int64 = 0
  private var nutritionDays: Int64 = 0
  private var sums: [String: Double] = [:]
  private var stepDays: Int64 = 0

  /// - Parameter totals: Each day's totals as JSON text.
  init(_ totals: some Sequence<String>) {
    for text in totals {
      days += 1
      guard let node = try? JSONParser.parse(text, dialect: .json) else { continue }
      if let nutrition = node["nutrition"], let calories = nutrition["calories"]?.double, calories > 0 {
        nutritionDays += 1
        for key in ["calories", "protein", "carbs", "fat"] { sums[key, default: 0] += nutrition[key]?.double ?? 0 }
      }
      if let steps = node["health"]?["steps"]?.double, steps > 0 {
        stepDays += 1
        sums["steps", default: 0] += steps
      }
    }
  }

  /// Why what the server says cannot be; nil if it can: a server may have days from before, whose averages are its own.
  func difference(from context: ServerContext) -> String? {
    if context.nutritionDays < nutritionDays {
      return "the server has meals of \(context.nutritionDays) days, and \(nutritionDays) were posted"
    }
    if context.days < days { return "the server has \(context.days) days, and \(days) were posted" }
    guard context.days == days, context.nutritionDays == nutritionDays else { return nil }
    let said = [
      ("calories", context.calories, nutritionDays), ("protein", context.protein, nutritionDays),
      ("carbs", context.carbs, nutritionDays), ("fat", context.fat, nutritionDays), ("steps", context.steps, stepDays),
    ]
    for (key, average, count) in said {
      let posted = (sums[key] ?? 0) / Double(max(1, count))
      // Servers round.
      guard abs(Double(average) - posted) > 1 else { continue }
      return "the server has \(key) of \(average) on average, and \((posted * 10).rounded() / 10) were posted"
    }
    return nil
  }
}
