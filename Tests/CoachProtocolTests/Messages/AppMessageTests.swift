import CoachProtocol
import Foundation
import Link
import Testing

@Suite struct `App messages` {
  /// Every kind once with all its fields, and again with the optional ones left out.
  static let samples: [AppMessage] = AppMessage.Kind.allCases.map(\.example) + bare

  static var bare: [AppMessage] {
    let id = Identifier(high: 0x1122_3344_5566_4788, low: 0x99AA_BBCC_DDEE_FF00)
    let time = WatchTime(nanoseconds: 1_776_000_000_123_456_789)
    let states = WorkoutState.allCases.map { state in
      AppMessage.liveMetrics(LiveMetrics(workoutId: id, sentAt: time, elapsed: 0, distance: 0, state: state))
    }
    return states + [
      .workoutEnded(WorkoutEnded(workoutId: id, healthKitWorkoutUUID: nil, sentAt: time)), .endWorkout(EndWorkout()),
      .workoutStarted(WorkoutStarted(workoutId: id, startedAt: time, sentAt: time, discipline: .swimming)),
    ]
  }

  @Test(arguments: AppMessage.Kind.allCases)
  func `an example is of its kind, and every kind has one`(kind: AppMessage.Kind) {
    #expect(kind.example.kind == kind)
    #expect(kind.example.channel == kind.channel)
  }

  @Test(arguments: samples)
  func `what was written is read back`(message: AppMessage) {
    #expect(AppMessage.reading(message.encoded) == .success(message))
    #expect(message.encoded == message.encoded)
  }

  @Test func `workout events are queued, everything else is a message`() {
    let queued = AppMessage.Kind.allCases.filter { $0.channel == .userInfo }
    #expect(queued == [.workoutStarted, .workoutPaused, .workoutResumed, .workoutEnded, .sessionReport])
    #expect(AppMessage.Kind.allCases.allSatisfy { $0.channel == .userInfo || $0.channel == .message })
  }

  @Test(arguments: samples)
  func `Foundation reads the same dictionary`(message: AppMessage) throws {
    let read = try PropertyListSerialization.propertyList(from: Data(message.encoded), format: nil)
    let dictionary = try #require(read as? [String: Any])
    #expect(dictionary["kind"] as? String == message.kind.rawValue)
    #expect(dictionary["v"] as? Int == 1)
    if case .liveMetrics(let metrics) = message {
      #expect(dictionary["workoutId"] as? String == metrics.workoutId.text)
      #expect(dictionary["sentAt"] as? Int64 == metrics.sentAt.nanoseconds)
      #expect(dictionary["elapsed"] as? Double == metrics.elapsed)
      #expect(dictionary["distance"] as? Double == metrics.distance)
      #expect(dictionary["currentPaceSecPerKm"] as? Double == metrics.currentPaceSecPerKm)
      #expect(dictionary["avgPaceSecPerKm"] as? Double == metrics.avgPaceSecPerKm)
      #expect(dictionary["currentHR"] as? Int == metrics.currentHR)
      #expect(dictionary["energyKcal"] as? Double == metrics.energyKcal)
      #expect(dictionary["cadence"] as? Int == metrics.cadence)
      #expect(dictionary["state"] as? String == metrics.state.text)
      let split = dictionary["lastSplit"] as? [String: Any]
      #expect(split?["kmIndex"] as? Int == metrics.lastSplit?.kmIndex)
      #expect(split?["avgHeartRate"] as? Int == metrics.lastSplit?.avgHeartRate)
    }
  }

  @Test func `a snapshot reads as one, and nothing else does`() {
    for message in Self.samples {
      if case .liveMetrics(let metrics) = message {
        #expect(LiveMetrics(encoded: message.encoded) == metrics)
        #expect(metrics.encoded == message.encoded)
      } else {
        #expect(LiveMetrics(encoded: message.encoded) == nil)
      }
    }
    #expect(LiveMetrics(encoded: []) == nil)
  }

  @Test func `a line about a transfer says the kind, and names and times of workout events`() {
    func keys(_ kind: AppMessage.Kind) -> [String] {
      var event = TransferQueued()
      event.details = kind.example.eventDetails
      return event.fields.map(\.key).filter { !["transfer", "channel"].contains($0) }
    }
    #expect(keys(.workoutStarted) == ["kind", "workoutId", "startedAt", "sentAt"])
    #expect(keys(.workoutPaused) == ["kind", "workoutId", "sentAt"])
    #expect(keys(.workoutEnded) == ["kind", "workoutId", "healthKitWorkoutUUID", "sentAt"])
    #expect(keys(.hapticCue) == ["kind"])
  }
}
