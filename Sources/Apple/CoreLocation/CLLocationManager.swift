import DeviceClient
import Dispatch
public import Foundation
import HealthSim
import Link

/// What an app may do with positions; the raw values are the framework's.
public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined = 0, restricted, denied, authorizedAlways, authorizedWhenInUse

  init(_ permission: Int64) {
    self =
      switch permission {
      case 1: .denied
      case 2: .authorizedWhenInUse
      case 3: .authorizedAlways
      default: .notDetermined
      }
  }
}

/// Whether an app gets positions as exact as they are; the raw values are the framework's.
public enum CLAccuracyAuthorization: Int, Sendable { case fullAccuracy = 0, reducedAccuracy }

/// What the athlete is about to do; the raw values are the framework's.
public enum CLActivityType: Int, Sendable {
  case other = 1, automotiveNavigation, fitness, otherNavigation, airborne
}

/// What a manager tells, on the run loop of the thread that made it.
public protocol CLLocationManagerDelegate: AnyObject {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
}

/// The methods that a delegate may leave out.
extension CLLocationManagerDelegate {
  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
  public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
  public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}
  public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { false }
  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
  public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
}

/// Follows the position of this device.
public class CLLocationManager: NSObject, @unchecked Sendable {
  let number: Int64
  private let lock = NSLock()
  private let place = DelegatePlace()
  private weak var listener: (any CLLocationManagerDelegate)?
  private var known: CLLocation?
  private var knownHeading: CLHeading?

  public override init() {
    number = DeviceClient.shared.next()
    super.init()
    LocationFeed.shared.add(self)
    // Each new manager calls its delegate with the state, a turn later, when it may have one.
    changeAuthorization()
  }

  deinit {
    if !isIdle { DeviceClient.shared.send("location.stop", ["manager": .integer(number)]) }
    if followsHeading { stopUpdatingHeading() }
  }

  /// A weak reference.
  public weak var delegate: (any CLLocationManagerDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }

  /// Not used: positions are as exact as the device has them.
  public var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
  /// Metres between two positions that the delegate gets; used from the next start on.
  public var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
  public var activityType = CLActivityType.other
  /// An app's property list is not read: a device ends an app that sets this without the background mode.
  public var allowsBackgroundLocationUpdates = false
  /// Not used: no update is paused.
  public var pausesLocationUpdatesAutomatically = true
  public var showsBackgroundLocationIndicator = false
  /// The last position that this manager was told; nil before.
  public var location: CLLocation? { lock.withLock { known } }

  // MARK: Access

  public var authorizationStatus: CLAuthorizationStatus {
    CLAuthorizationStatus(DeviceClient.shared.permission(.location))
  }
  public class func authorizationStatus() -> CLAuthorizationStatus {
    CLAuthorizationStatus(DeviceClient.shared.permission(.location))
  }
  public var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
  public class func locationServicesEnabled() -> Bool { DeviceClient.shared.isInRun }
  public class func headingAvailable() -> Bool { DeviceClient.shared.isInRun }
  public class func significantLocationChangeMonitoringAvailable() -> Bool { false }

  public func requestWhenInUseAuthorization() { DeviceClient.shared.ask(for: .location) { _ in } }
  public func requestAlwaysAuthorization() { DeviceClient.shared.ask(for: .location, wanted: 3) { _ in } }

  // MARK: Positions

  private var isIdle = true

  /// Positions, each second once the satellites are found.
  ///
  /// Without an answer of the user they begin with it.
  public func startUpdatingLocation() {
    isIdle = false
    start("location.start")
  }
  public func stopUpdatingLocation() {
    isIdle = true
    DeviceClient.shared.send("location.stop", ["manager": .integer(number)])
  }
  /// One position, or an error after 10 s.
  public func requestLocation() { start("location.once") }

  private func start(_ call: String) {
    let metres = distanceFilter.isFinite ? max(0, min(distanceFilter, 1e6)) : 0
    DeviceClient.shared.send(call, ["manager": .integer(number), "filter": .integer(Int64(metres * 1_000))])
  }

  // MARK: Headings

  /// Degrees between two headings that the delegate gets.
  public var headingFilter: CLLocationDegrees = 1
  /// Not used: the top of the device points where its athlete goes.
  public var headingOrientation = CLDeviceOrientation.portrait
  /// The last heading that the delegate got; nil before.
  public var heading: CLHeading? { lock.withLock { knownHeading } }
  private var followsHeading = false

  /// The compass, each second once the athlete has moved; needs no access.
  public func startUpdatingHeading() { followHeading(true) }
  public func stopUpdatingHeading() { followHeading(false) }
  /// Nothing to do: no compass asks to be calibrated.
  public func dismissHeadingCalibrationDisplay() {}

  private func followHeading(_ isOn: Bool) {
    followsHeading = isOn
    DeviceClient.shared.send("location.compass", ["manager": .integer(number), "isOn": .flag(isOn)])
  }

  public func startMonitoringSignificantLocationChanges() {
    Self.reportMissing("startMonitoringSignificantLocationChanges")
  }
  public func stopMonitoringSignificantLocationChanges() {
    Self.reportMissing("stopMonitoringSignificantLocationChanges")
  }

  private static func reportMissing(_ call: String) {
    DeviceClient.reportMissing("coreLocation", "CLLocationManager.\(call)")
  }

  // MARK: Messages

  func changeAuthorization() {
    tell { manager, delegate in
      delegate.locationManagerDidChangeAuthorization(manager)
      delegate.locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
  }

  func receive(_ location: CLLocation) {
    lock.withLock { known = location }
    tell { $1.locationManager($0, didUpdateLocations: [location]) }
  }

  func receive(_ heading: CLHeading) {
    let isFar = lock.withLock {
      if let known = knownHeading, headingFilter > 0 {
        let turn = abs(known.magneticHeading - heading.magneticHeading)
        guard min(turn, 360 - turn) >= headingFilter else { return false }
      }
      knownHeading = heading
      return true
    }
    if isFar { tell { $1.locationManager($0, didUpdateHeading: heading) } }
  }

  func fail(_ error: any Error) {
    let error = Unsent(error)
    tell { $1.locationManager($0, didFailWithError: error.value) }
  }

  private func tell(_ call: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
    place.perform { [weak self] in
      guard let self, let delegate else { return }
      call(self, delegate)
    }
  }
}

/// Where a manager's delegate is called: the run loop of the thread that made the manager.
final class DelegatePlace: @unchecked Sendable {
  private let lock = NSLock()
  private var waiting: [@Sendable () -> Void] = []
  /// Nil for the main thread, which need not have a run loop here.
  private let loop: RunLoop?
  /// Keeps the loop going for as long as the manager lives, as an input source of its own would.
  private let keeper: Timer?

  init() {
    // The main queue need not be on the main thread here: `dispatchMain` leaves that one.
    guard !Thread.isMainThread, !Self.isOnMainQueue else {
      (loop, keeper) = (nil, nil)
      return
    }
    let timer = Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }
    RunLoop.current.add(timer, forMode: .default)
    (loop, keeper) = (RunLoop.current, timer)
  }

  deinit { keeper?.invalidate() }

  private static let mainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }

  func perform(_ call: @escaping @Sendable () -> Void) {
    guard let loop else { return DispatchQueue.main.async(execute: call) }
    let isFirst = lock.withLock {
      waiting.append(call)
      return waiting.count == 1
    }
    guard isFirst else { return }
    // A timer wakes the loop, which a block alone does not.
    let timer = Timer(timeInterval: 0, repeats: false) { [self] _ in
      let calls = lock.withLock {
        defer { waiting = [] }
        return waiting
      }
      for call in calls { call() }
    }
    loop.add(timer, forMode: .common)
  }
}

/// What the device says of its position, for the managers of this process.
final class LocationFeed: @unchecked Sendable {
  static let shared = LocationFeed()
  private let lock = NSLock()
  private var managers: [Int64: WeakManager] = [:]
  private var last: CLLocationCoordinate2D?

  private struct WeakManager { weak var manager: CLLocationManager? }

  private init() {
    DeviceClient.shared.observe(.location) { [unowned self] in
      for manager in lock.withLock({ managers.sorted { $0.key < $1.key }.compactMap(\.value.manager) }) {
        manager.changeAuthorization()
      }
    }
    DeviceClient.shared.listen(to: ["location"]) { [unowned self] in receive($0) }
  }

  func add(_ manager: CLLocationManager) {
    lock.withLock {
      managers = managers.filter { $0.value.manager != nil }
      managers[manager.number] = WeakManager(manager: manager)
    }
  }

  private func receive(_ message: DeviceMessage) {
    let fields = message.fields
    func manager(_ number: Int64) -> CLLocationManager? { lock.withLock { managers[number]?.manager } }
    switch message.name {
    case "location.failed":
      let code = CLError.Code(rawValue: Int(fields.integer("code"))) ?? .locationUnknown
      manager(fields.integer("manager"))?.fail(CLError(code))
    case "location.fix":
      let location = location(fields)
      for case .integer(let number) in fields.list("managers") { manager(number)?.receive(location) }
    case "location.heading":
      guard let heading = CLHeading(fields) else { return }
      for case .integer(let number) in fields.list("managers") { manager(number)?.receive(heading) }
    default: break
    }
  }

  private func location(_ fields: [DeviceField]) -> CLLocation {
    let place = CLLocationCoordinate2D(
      latitude: Double(fields.integer("latitudeE7")) / 1e7, longitude: Double(fields.integer("longitudeE7")) / 1e7)
    let accuracy = Double(fields.integer("accuracy"))
    let speed = fields.integer("speed")
    let bare = CLLocation(latitude: place.latitude, longitude: place.longitude)
    let before = lock.withLock { () -> CLLocationCoordinate2D? in
      defer { last = place }
      return last
    }
    // Who stands still has no course.
    let course = speed > 0 ? before.map { bare.direction(from: $0) } ?? -1 : -1
    return CLLocation(
      coordinate: place, altitude: Double(fields.integer("altitude")) / 1_000, horizontalAccuracy: accuracy,
      verticalAccuracy: accuracy * 1.5, course: course, courseAccuracy: course < 0 ? -1 : 20,
      speed: speed < 0 ? -1 : Double(speed) / 1_000, speedAccuracy: speed < 0 ? -1 : 0.5,
      timestamp: Date(nanoseconds: fields.integer("at")))
  }
}
