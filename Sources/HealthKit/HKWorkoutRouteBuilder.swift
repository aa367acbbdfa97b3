public import CoreLocation
import DeviceClient
public import Foundation
package import HealthSim

/// Builds a series of samples.
public class HKSeriesBuilder: NSObject, @unchecked Sendable {
  /// Forgets what was inserted.
  public func discard() {}
}

/// Builds a workout's route.
///
/// One of a workout builder is finished by that one's `finishWorkout`; one of its own keeps its points in the process,
/// and saves them with a workout that is saved.
public final class HKWorkoutRouteBuilder: HKSeriesBuilder, @unchecked Sendable {
  private enum State { case open, finished, discarded }

  private let workoutBuilder: HKWorkoutBuilder?
  private let lock = NSLock()
  private var inserted: [DeviceValue] = []
  private var state = State.open

  public init(healthStore: HKHealthStore, device: HKDevice?) { workoutBuilder = nil }
  init(of builder: HKWorkoutBuilder) { workoutBuilder = builder }

  /// Adds points, each with the fields of a location.
  package func insert(_ points: [DeviceValue], _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    guard let workoutBuilder else {
      let isOpen = lock.withLock { () -> Bool in
        guard state == .open else { return false }
        inserted += points
        return true
      }
      return HealthClient.shared.answers.async {
        completion(isOpen, isOpen ? nil : healthError(3, "This route builder is finished or discarded"))
      }
    }
    HealthClient.shared.call("builder.addRoute", [workoutBuilder.session, DeviceField("points", .list(points))]) {
      completion($0.code == 0, $0.error)
    }
  }

  /// Adds positions, in any order.
  public func insertRouteData(
    _ routeData: [CLLocation], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let points = routeData.map { location in
      DeviceValue.record([
        DeviceField("at", .integer(location.timestamp.nanoseconds)),
        DeviceField("latitude", .number(location.coordinate.latitude)),
        DeviceField("longitude", .number(location.coordinate.longitude)),
        DeviceField("altitude", .number(location.altitude)), DeviceField("speed", .number(location.speed)),
        DeviceField("course", .number(location.course)),
        DeviceField("horizontalAccuracy", .number(location.horizontalAccuracy)),
        DeviceField("verticalAccuracy", .number(location.verticalAccuracy)),
      ])
    }
    insert(points, completion)
  }
  public func insertRouteData(_ routeData: [CLLocation]) async throws {
    try await throwing { done in self.insertRouteData(routeData) { done($0, $1) } }
  }

  /// Saves the route with a workout.
  ///
  /// Fails for a builder of a workout builder, whose route is saved nevertheless, for one without positions, and for a
  /// workout that the store does not have.
  public func finishRoute(
    with workout: HKWorkout, metadata: [String: Any]?,
    completion: @escaping @Sendable (HKWorkoutRoute?, (any Error)?) -> Void
  ) {
    guard workoutBuilder == nil else {
      let text = "This route builder is attached to a workout builder and will be finished with the workout builder"
      return HealthClient.shared.answers.async { completion(nil, healthError(3, text)) }
    }
    let points = lock.withLock { () -> [DeviceValue]? in
      guard state == .open else { return nil }
      state = .finished
      return inserted
    }
    guard let points else {
      let text = "This route builder is finished or discarded"
      return HealthClient.shared.answers.async { completion(nil, healthError(3, text)) }
    }
    HealthClient.shared.call(
      "builder.saveRoute",
      [
        DeviceField("workout", .identifier(.init(workout.uuid))), DeviceField("points", .list(points)),
        DeviceField("metadata", .record(Metadata.fields(metadata ?? [:]))),
      ]
    ) { reply in
      completion(reply.fields["route"].map { HKWorkoutRoute(HealthSample($0)) }, reply.error)
    }
  }

  @discardableResult
  public func finishRoute(with workout: HKWorkout, metadata: [String: Any]?) async throws -> HKWorkoutRoute {
    let added = Unsent(metadata)
    return try await withCheckedThrowingContinuation { continuation in
      finishRoute(with: workout, metadata: added.value) { route, error in
        if let route {
          continuation.resume(returning: route)
        } else {
          continuation.resume(throwing: error ?? healthError(3, "the route is not saved"))
        }
      }
    }
  }

  /// Forgets what was inserted; every later call fails.
  public override func discard() {
    lock.withLock {
      guard state == .open else { return }
      (state, inserted) = (.discarded, [])
    }
  }
}

/// Reads the positions of a workout's route.
public final class HKWorkoutRouteQuery: HKQuery, @unchecked Sendable {
  private let route: HKWorkoutRoute
  private let handler: @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void

  /// - Parameter dataHandler: Gets all positions at once, in the order of time; the flag says that they are the last.
  public init(
    route workoutRoute: HKWorkoutRoute,
    dataHandler: @escaping @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void
  ) {
    route = workoutRoute
    handler = dataHandler
    super.init(workoutRoute.sampleType, nil)
  }

  override func execute() {
    let locations = route.stored.details.list("points").map { Self.location($0.fields) }
      .sorted { $0.timestamp < $1.timestamp }
    HealthClient.shared.answers.async { [self] in
      if !isStopped { handler(self, locations, true, nil) }
    }
  }

  private static func location(_ fields: [DeviceField]) -> CLLocation {
    CLLocation(
      coordinate: CLLocationCoordinate2D(
        latitude: fields.number("latitude"), longitude: fields.number("longitude")),
      altitude: fields.number("altitude"), horizontalAccuracy: fields.number("horizontalAccuracy"),
      verticalAccuracy: fields.number("verticalAccuracy"), course: fields.number("course"),
      speed: fields.number("speed"), timestamp: Date(nanoseconds: fields.integer("at")))
  }
}
