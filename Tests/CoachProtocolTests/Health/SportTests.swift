import CoachProtocol
import Testing

@Suite struct SportTests {
  private static let names: [(String, Sport)] = [
    ("running", .running), ("street_running", .running), ("VirtualRun", .running),
    ("cross country running", .running), ("hiking", .walking), ("speed_walking", .walking), ("cycling", .cycling),
    ("EBikeRide", .cycling), ("Biking", .cycling), ("swimming", .swimming), ("lap_swimming", .swimming),
    ("stand up paddleboarding", .paddling), ("rowing", .paddling), ("inline_skating", .skating),
    ("cross country skiing", .nordicSkiing), ("NordicSki", .nordicSkiing), ("alpine skiing", .downhillSkiing),
    ("snowboarding", .downhillSkiing), ("yoga", .other), ("", .other), ("unknown", .other), ("trunk", .other),
  ]

  @Test(arguments: names)
  func `a sport is found by the name that a recorder gives it`(name: String, sport: Sport) {
    #expect(Sport(named: name) == sport)
  }

  @Test func `no name is another sport`() { #expect(Sport(named: nil) == .other) }

  @Test func `a run allows 12 metres a second`() { #expect(Sport.running.speedMax == 12) }

  @Test(arguments: Sport.allCases)
  func `energy grows with what counts and never overflows`(sport: Sport) {
    #expect(sport.activeDecikilocalories(millimetres: 0, milliseconds: 0) == 0)
    let hour = sport.activeDecikilocalories(millimetres: 10_000_000, milliseconds: 3_600_000)
    #expect((2_000...10_000).contains(hour), "200 to 1,000 kcal for an hour, or for 10 km")
    let least = sport.activeDecikilocalories(millimetres: .min, milliseconds: .min)
    #expect(least == 0)
    #expect(sport.activeDecikilocalories(millimetres: 10_000_000_000, milliseconds: 1_000_000_000_000) > hour)
  }
}
