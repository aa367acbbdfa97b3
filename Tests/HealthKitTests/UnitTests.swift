import Link
import HealthSim
import Foundation
import HealthKit
import Testing

/// Units and quantities, without a run.
@Suite struct `Units and quantities` {
  @Test(arguments: [
    (1.0, "km", "m", 1_000.0), (1, "mi", "m", 1_609.344), (120, "count/min", "count/s", 2), (1, "kcal", "kJ", 4.184),
    (100, "degC", "degF", 212), (32, "degF", "degC", 0), (1, "kg", "lb", 2.2046226218), (50, "%", "count", 0.5),
    (3.5, "ml/(kg*min)", "ml/(kg*hr)", 210), (1, "m/s^2", "km/hr^2", 12_960), (2, "hr", "min", 120),
  ])
  func `a quantity is the same in another unit`(value: Double, from: String, to: String, expected: Double) {
    let quantity = HKQuantity(unit: HKUnit(from: from), doubleValue: value)
    #expect(abs(quantity.doubleValue(for: HKUnit(from: to)) - expected) < abs(expected) * 1e-9 + 1e-9)
  }

  @Test(arguments: [("m", "s"), ("count/min", "m"), ("kcal", "kg"), ("ml/(kg*min)", "ml"), ("degC", "count")])
  func `units of different things are not compatible`(one: String, other: String) {
    #expect(!HKQuantity(unit: HKUnit(from: one), doubleValue: 1).is(compatibleWith: HKUnit(from: other)))
    #expect(HKQuantity(unit: HKUnit(from: one), doubleValue: 1).is(compatibleWith: HKUnit(from: one)))
  }

  @Test func `arithmetic of units is that of their texts`() {
    let rate = HKUnit.count().unitDivided(by: .minute())
    #expect(rate == HKUnit(from: "count/min") && rate.unitString == "count/min")
    #expect(HKUnit.meter().unitRaised(toPower: 2) == HKUnit(from: "m*m"))
    #expect(rate.reciprocal() == HKUnit(from: "min/count"))
    #expect(HKUnit.meterUnit(with: .kilo).unitMultiplied(by: .meterUnit(with: .milli)) == HKUnit(from: "m^2"))
  }

  @Test func `incompatible units raise, which ends the app`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKQuantity(unit: .meter(), doubleValue: 1).doubleValue(for: .second())
    }
    await #expect(processExitsWith: .failure) {
      _ = HKQuantitySample(
        type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: .meter(), doubleValue: 1), start: Date(),
        end: Date())
    }
  }

  @Test func `an error is known by its code, also beyond the enumeration`() {
    let known: any Error = HKError(.errorAuthorizationDenied)
    #expect((known as NSError).code == 4 && (known as NSError).domain == "com.apple.healthkit")
    let bridged: any Error = NSError(domain: HKErrorDomain, code: 8)
    #expect((bridged as? HKError)?.code == .errorAnotherWorkoutSessionStarted)
    #expect((NSError(domain: HKErrorDomain, code: 300) as any Error as? HKError) == nil)
  }

  @Test func `without a run there is no health data`() async {
    #expect(!HKHealthStore.isHealthDataAvailable())
    await #expect(throws: HKError.self) { try await HKHealthStore().requestAuthorization() }
    #expect(throws: HKError.self) {
      try HKWorkoutSession(healthStore: HKHealthStore(), configuration: HKWorkoutConfiguration())
    }
  }
}

/// What an app may send its device.
@Suite struct `Requests of an app` {
  private struct StillBody: AthleteBody {
    mutating func reading(atSecond second: Int64) -> BodyReading { BodyReading() }
  }

  @Test func `an app that sends ever more is found`() {
    var platform = HealthPlatform(HealthSetup(seed: 1, startedAt: 0, settings: HealthSettings()), body: StillBody())
    func send(_ bytes: Int64, at now: VirtualTime) {
      for frame in DeviceFrames.make([UInt8](repeating: 0, count: Int(bytes)), number: 1, epoch: Epoch(1)) {
        platform.receive(frame, from: .watch, at: now)
      }
    }
    send(HealthPlatform.bytesAtOnce / 2, at: .start)
    send(HealthPlatform.bytesAtOnce / 4, at: .start)
    #expect(platform.flooder == nil)
    // The same again, once the run's time allows it.
    let later = VirtualTime.start + .seconds(HealthPlatform.bytesAtOnce / HealthPlatform.bytesPerSecond)
    send(HealthPlatform.bytesAtOnce, at: later)
    #expect(platform.flooder == nil)
    send(HealthPlatform.bytesAtOnce / 2, at: later)
    #expect(platform.flooder == .watch)
  }
}
