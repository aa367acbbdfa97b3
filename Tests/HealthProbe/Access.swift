import Foundation
import HealthKit
import WristwireSupport

/// What both probes ask for.
enum Access {
  static let share: Set<HKSampleType> = [
    HKObjectType.workoutType(), HKQuantityType(.activeEnergyBurned), HKQuantityType(.bodyMass),
  ]
  static let read: Set<HKObjectType> = [
    HKQuantityType(.heartRate), HKQuantityType(.distanceWalkingRunning), HKQuantityType(.activeEnergyBurned),
    HKQuantityType(.stepCount), HKObjectType.workoutType(),
  ]

  static func ask(_ store: HKHealthStore) {
    let before = store.authorizationStatus(for: HKObjectType.workoutType()).rawValue
    store.requestAuthorization(toShare: share, read: read) { isDone, error in
      let after = store.authorizationStatus(for: HKObjectType.workoutType()).rawValue
      Simulation.record(
        "asked",
        [
          "done": isDone, "before": before, "after": after, "code": code(error),
          "heart": store.authorizationStatus(for: HKQuantityType(.heartRate)).rawValue,
        ])
    }
  }

  nonisolated(unsafe) private static var polls: [any DispatchSourceTimer] = []

  /// Registers acts that both probes have.
  static func register(_ store: HKHealthStore) {
    Simulation.onAct("ask") { _ in ask(store) }
    Simulation.onAct("askAgain") { _ in
      Task {
        let status = try await store.statusForAuthorizationRequest(toShare: share, read: read)
        try await store.requestAuthorization(toShare: share, read: read)
        Simulation.record("askedAgain", ["status": status.rawValue])
      }
    }
    Simulation.onAct("save") { act in
      let kilograms = act.number("kg") ?? 70
      let mass = HKQuantitySample(
        type: HKQuantityType(.bodyMass),
        quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms), start: Date(), end: Date(),
        metadata: [HKMetadataKeySyncIdentifier: "mass", HKMetadataKeySyncVersion: act.integer("version") ?? 1])
      store.save(mass) { isDone, error in Simulation.record("saved", ["done": isDone, "code": code(error)]) }
    }
    // Acts each time that its timer fires, and at nothing else.
    Simulation.onAct("poll") { act in
      let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.schedule(deadline: .now(), repeating: act.number("every") ?? 1)
      timer.setEventHandler {}
      timer.resume()
      polls.append(timer)
    }
    Simulation.onAct("read") { act in
      let type = HKQuantityType(.init(rawValue: act.string("type") ?? ""))
      let query = HKSampleQuery(sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil) {
        _, samples, error in
        let values = samples?.compactMap { ($0 as? HKQuantitySample)?.quantity.description } ?? []
        Simulation.record(
          "read",
          ["type": type.identifier, "count": samples?.count ?? -1, "code": code(error), "last": values.last ?? ""])
      }
      store.execute(query)
    }
    Simulation.onAct("sum") { act in
      let type = HKQuantityType(.init(rawValue: act.string("type") ?? ""))
      let query = HKStatisticsQuery(quantityType: type, quantitySamplePredicate: nil, options: .cumulativeSum) {
        _, statistics, error in
        let unit = type == HKQuantityType(.stepCount) ? HKUnit.count() : HKUnit.meter()
        Simulation.record(
          "sum", ["value": statistics?.sumQuantity()?.doubleValue(for: unit) ?? -1, "code": code(error)])
      }
      store.execute(query)
      let raw = HKSampleQuery(sampleType: type, predicate: nil, limit: 0, sortDescriptors: nil) { _, samples, _ in
        let sum = samples?.compactMap { $0 as? HKQuantitySample }.reduce(0) {
          $0 + $1.quantity.doubleValue(for: type == HKQuantityType(.stepCount) ? .count() : .meter())
        }
        Simulation.record("rawSum", ["value": sum ?? -1, "sources": Set(samples?.map(\.source) ?? []).count])
      }
      store.execute(raw)
    }
    // As apps do in their launch: what was enabled once goes on.
    if let way = UserDefaults.standard.string(forKey: "delivery") { deliver(store, completes: way == "completes") }
    Simulation.onAct("deliver") { act in
      let way = act.string("way") ?? "completes"
      UserDefaults.standard.set(way, forKey: "delivery")
      UserDefaults.standard.synchronize()
      store.enableBackgroundDelivery(for: HKQuantityType(.stepCount), frequency: .immediate) { isDone, error in
        Simulation.record("delivers", ["done": isDone, "code": code(error)])
      }
      deliver(store, completes: way == "completes")
    }
    Simulation.onAct("observe") { _ in
      let query = HKAnchoredObjectQuery(
        type: HKObjectType.workoutType(), predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
      ) { _, samples, _, _, error in
        Simulation.record("anchored", ["count": samples?.count ?? -1, "code": code(error), "first": true])
      }
      query.updateHandler = { _, samples, _, _, error in
        for workout in samples?.compactMap({ $0 as? HKWorkout }) ?? [] {
          Simulation.record(
            "workoutSeen",
            [
              "seconds": workout.duration, "metres": workout.totalDistance?.doubleValue(for: .meter()) ?? -1,
              "code": code(error),
            ])
        }
      }
      store.execute(query)
    }
  }
}

extension Access {
  /// Observes steps, and ends each wake, or forgets that.
  private static func deliver(_ store: HKHealthStore, completes: Bool) {
    let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) { _, done, error in
      Simulation.record("changed", ["code": code(error)])
      if completes { done() }
    }
    store.execute(query)
  }
}

/// The number of an error; 0 for none.
func code(_ error: (any Error)?) -> Int { error.map { ($0 as NSError).code } ?? 0 }
