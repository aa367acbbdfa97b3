package import Link

extension Plants {
  package static let secondAthlete = Plants(bit: 72)
}

extension Plant {
  package static let secondAthlete = Plant(
    "second-athlete", .secondAthlete, in: [.phone],
    happened:
      "On one day the posted totals said 755 kcal and 8.2 hours of sleep, the app's own screen 2,973 kcal and 4.6 hours.",
    wrong:
      "The daily totals are those of another athlete, without the workouts of the watch.",
    right:
      "Every part of the app reads one health store.",
    caughtBy: ["health-agrees"], sweptIn: "field/second-athlete")
}

extension PhoneNode.Setup {
  /// The store of another athlete, without workouts.
  var secondStore: PhoneHealth {
    PhoneHealth(seed: seed ^ 1, startedAt: startedAt, offsets: utcOffsets)
  }
}
