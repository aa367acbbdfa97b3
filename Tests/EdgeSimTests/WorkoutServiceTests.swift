import Foundation
import Link
import Testing

@testable import EdgeSim

/// The external service of workouts, when the server asks it, and what it stores.
@Suite struct WorkoutServiceTests {
  /// 2026-05-09T12:00:00Z.
  private static let noon: Int64 = 1_778_328_000_000_000_000

  private static func setup(_ failures: [ServiceFailure] = []) -> WorkoutSetup {
    var setup = WorkoutSetup()
    setup.failures = failures
    return setup
  }

  private static func failure(_ effect: ServiceFailure.Effect, seconds: Int64) -> ServiceFailure {
    var failure = ServiceFailure(effect)
    failure.length = .seconds(seconds)
    return failure
  }

  /// Lets scheduler and server run until an instant; returns the answers and the reasons of failures.
  private func run(
    _ scheduler: inout WorkoutScheduler, _ server: inout InsightsServer, until end: VirtualTime, remembers: Bool = false
  ) -> (changed: [Int], failures: [String]) {
    var (changed, failures): ([Int], [String]) = ([], [])
    while scheduler.nextDeadline <= end {
      let now = scheduler.nextDeadline
      var orders = InsightsServer.Orders()
      switch scheduler.fire(newest: server.context.workouts.keys.max(), remembers: remembers, at: now) {
      case .fetched(_, let workouts)?: changed.append(server.receive(workouts, into: &orders))
      case .failed(let why, _)?: failures.append(why)
      case nil: break
      }
    }
    return (changed, failures)
  }

  private static func server(_ record: EdgeRecord = EdgeRecord()) -> InsightsServer {
    var orders = InsightsServer.Orders()
    return InsightsServer(seed: 1, restoring: record, plants: [], start: 0, at: .start, into: &orders)
  }

  private static func scheduler(_ setup: WorkoutSetup, newestFetched: String? = nil) -> WorkoutScheduler {
    WorkoutScheduler(setup, seed: 7, startedAt: noon, at: .start, newestFetched: newestFetched)
  }

  @Test func `a workout is listed once it has ended, and never changes`() throws {
    let service = WorkoutService(seed: 7, startedAt: Self.noon, historyDays: 30)
    let first = service.workouts(since: nil, at: .start)
    let later = service.workouts(since: nil, at: .start + .hours(48))
    #expect(first.count > 10 && later.count > first.count && Array(later.prefix(first.count)) == first)
    #expect(Set(later.map(\.id)).count == later.count)
    let since = try #require(first.last?.date)
    #expect(service.workouts(since: since, at: .start).map(\.date) == [since])
    #expect(service.workouts(since: nil, at: .start).allSatisfy { $0.date >= "2026-04-09" && $0.date <= "2026-05-09" })
  }

  @Test func `an empty store gets everything, and a filled one only what is new`() {
    var (scheduler, server) = (Self.scheduler(Self.setup()), Self.server())
    let found = run(&scheduler, &server, until: .start + .hours(5))
    #expect(found.changed.count == 5 && found.failures.isEmpty)
    #expect((found.changed.first ?? 0) > 10 && found.changed.dropFirst().allSatisfy { $0 <= 1 })
    #expect(server.record.files[.exerciseHistory] != nil)
  }

  @Test func `a wiped server has the same workouts and the same history after a fetch`() {
    var (scheduler, server) = (Self.scheduler(Self.setup()), Self.server())
    _ = run(&scheduler, &server, until: .start + .seconds(10))
    let before = server
    var wiped = Self.server()
    var again = Self.scheduler(Self.setup(), newestFetched: scheduler.newestFetched)
    _ = run(&again, &wiped, until: .start + .seconds(10))
    #expect(wiped.context.workouts == before.context.workouts)
    #expect(wiped.record.files[.exerciseHistory] == before.record.files[.exerciseHistory])
    // Planted: the newest day that was fetched outlives the workouts.
    var forgetful = Self.server()
    var planted = Self.scheduler(Self.setup(), newestFetched: scheduler.newestFetched)
    _ = run(&planted, &forgetful, until: .start + .seconds(10), remembers: true)
    #expect(forgetful.context.workouts.count == 1)
  }

  @Test func `the files are read back, and a day may have workouts before the phone's first totals`() {
    var (scheduler, server) = (Self.scheduler(Self.setup()), Self.server())
    _ = run(&scheduler, &server, until: .start + .seconds(10))
    let again = Self.server(server.record)
    #expect(again.context == server.context && again.context.days.isEmpty)
    #expect(!again.context.workouts.isEmpty && again.context.dates == again.context.workouts.keys.sorted())
  }

  @Test func `a lost history is made again of the stored workouts`() {
    var (scheduler, server) = (Self.scheduler(Self.setup()), Self.server())
    _ = run(&scheduler, &server, until: .start + .seconds(10))
    var record = server.record
    record.apply(.tear(.exerciseHistory))
    #expect(record != server.record && Self.server(record).record == server.record)
  }

  @Test(arguments: [
    (ServiceFailure.Effect.error500, "status 500"), (.rateLimited, "status 429"),
    (.malformed, "the answer is not JSON"), (.unavailable, "no answer within 30 s"),
  ])
  func `a failed fetch is repeated later and later, and then succeeds`(effect: ServiceFailure.Effect, why: String) {
    var (scheduler, server) = (Self.scheduler(Self.setup([Self.failure(effect, seconds: 400)])), Self.server())
    let found = run(&scheduler, &server, until: .start + .seconds(1_000))
    #expect(found.failures == [why, why, why])
    #expect(found.changed.count == 1 && !server.context.workouts.isEmpty)
  }

  @Test func `an answer that lists each workout twice, or comes late, changes nothing else`() {
    var (scheduler, server) = (Self.scheduler(Self.setup()), Self.server())
    _ = run(&scheduler, &server, until: .start + .seconds(100))
    for effect in [ServiceFailure.Effect.twice, .late] {
      var (other, second) = (Self.scheduler(Self.setup([Self.failure(effect, seconds: 50)])), Self.server())
      let found = run(&other, &second, until: .start + .seconds(100))
      #expect(found.failures.isEmpty && second.context.workouts == server.context.workouts)
    }
  }
}
