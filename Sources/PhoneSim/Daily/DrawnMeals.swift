package import CoachProtocol
import Link

/// Draws the user's meals: a function of the seed and of the local day.
package struct DrawnMeals: Sendable {
  /// A meal at a true time.
  package struct Meal: Sendable, Equatable {
    var id: Identifier
    /// In seconds since 1970.
    package var at: Int64
    var name: String
    package var calories: Int
    package var protein: Int
    /// Carbohydrates.
    package var carbs: Int
    package var fat: Int
  }

  private static let names = [
    "Porridge with berries", "Two boiled eggs", "Lentil soup", "Chicken and rice", "Grilled salmon", "Tofu curry",
    "Spaghetti al pomodoro", "Greek salad", "Protein shake", "Cheese sandwich", "Bean chili", "Yoghurt and nuts",
  ]

  private let random: RandomStream
  private let count: Int

  package init(seed: UInt64, count: Int) {
    random = RandomStream(seed: seed, name: "phone.daily.meals")
    self.count = count
  }

  /// The meals of a local day in their order, between seven and ten at night.
  ///
  /// - Parameter offset: What local time adds to UTC, in seconds, at a local time in seconds.
  package func meals(of day: LocalDay, offset: (Int64) -> Int64) -> [Meal] {
    guard count > 0 else { return [] }
    let step = Int64(15 * 3_600 / count)
    return (0..<count).map { index in
      let key = RandomStream.key(UInt64(bitPattern: day.number), UInt64(index))
      func draw(_ number: UInt64, below bound: UInt64) -> Int {
        Int(random.number(below: bound, for: key, draw: number))
      }
      let local =
        day.number * 86_400 + 7 * 3_600 + Int64(index) * step + Int64(draw(0, below: UInt64(max(1, step / 60)))) * 60
      let calories = 180 + draw(1, below: 700)
      let protein = calories / (12 + draw(3, below: 30))
      // A gram of fat has 9 kcal, one of protein or carbohydrates 4.
      let other = calories - 4 * protein
      let fat = other * (20 + draw(4, below: 30)) / 900
      return Meal(
        id: Identifier(random, for: key), at: local - offset(local), name: Self.names[draw(2, below: 12)],
        calories: calories, protein: protein, carbs: (other - 9 * fat) / 4, fat: fat)
    }
  }
}
