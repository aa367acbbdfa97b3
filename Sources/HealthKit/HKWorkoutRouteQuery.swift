public import CoreLocation
import DeviceClient
import Foundation
import HealthSim

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
