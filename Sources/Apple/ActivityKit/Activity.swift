@_exported public import AppleFoundation
import DeviceClient
import Foundation
import HealthSim
import Link
import WatchConnectivity

/// What a Live Activity shows: what stays, and what changes.
public protocol ActivityAttributes: Decodable, Encodable {
  associatedtype ContentState: Decodable & Encodable & Hashable
}

/// A state, until when it holds, and how important it is.
public struct ActivityContent<State: Decodable & Encodable & Hashable>: Hashable {
  public var state: State
  public var staleDate: Date?
  public var relevanceScore: Double

  public init(state: State, staleDate: Date?, relevanceScore: Double = 0) {
    self.state = state
    self.staleDate = staleDate
    self.relevanceScore = relevanceScore
  }
}

extension ActivityContent: Sendable where State: Sendable {}

/// Where an activity is in its life.
public enum ActivityState: Int, Codable, Hashable, Sendable { case active = 0, ended, dismissed, stale, pending }

/// When an activity that has ended leaves the lock screen: four hours later at the latest.
public struct ActivityUIDismissalPolicy: Equatable, Sendable {
  /// Nanoseconds from now; negative for the latest.
  fileprivate var wait: @Sendable () -> Int64
  private let name: String

  public static let `default` = Self(wait: { -1 }, name: "default")
  public static let immediate = Self(wait: { 0 }, name: "immediate")
  public static func after(_ date: Date) -> Self {
    Self(wait: { Int64(max(0, min(date.timeIntervalSinceNow, 1e6)) * 1e9) }, name: "\(date)")
  }
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
}

/// How the system draws attention to an update; without effect.
public struct AlertConfiguration: Sendable {
  public var title: LocalizedStringResource
  public var body: LocalizedStringResource
  public var sound: AlertSound

  public struct AlertSound: Sendable {
    public static let `default` = AlertSound()
    public static func named(_ name: String) -> AlertSound { AlertSound() }
  }

  public init(title: LocalizedStringResource, body: LocalizedStringResource, sound: AlertSound) {
    (self.title, self.body, self.sound) = (title, body, sound)
  }
}

/// Updates by a server, which no run has.
public struct PushType: Sendable, Equatable {
  public static let token = PushType()
}

/// Why an activity does not begin.
public enum ActivityAuthorizationError: Int, LocalizedError, Sendable {
  case attributesTooLarge, denied, globalMaximumExceeded, malformedActivityIdentifier, missingProcessIdentifier
  case persistenceFailure, reconnectNotPermitted, targetMaximumExceeded, unentitled, unsupported, unsupportedTarget
  case visibility

  public var errorDescription: String? {
    switch self {
    case .visibility: "Target is not foreground"
    default: "\(self)"
    }
  }
}

/// Whether the user allows activities.
public final class ActivityAuthorizationInfo: Sendable {
  public init() {}
  public var areActivitiesEnabled: Bool { ActivityFeed.shared.areAllowed }
  public var frequentPushesEnabled: Bool { false }
  public var activityEnablementUpdates: AsyncStream<Bool> {
    let isAllowed = areActivitiesEnabled
    return AsyncStream { $0.yield(isAllowed) }
  }
}

/// A Live Activity of the phone: it outlives the app, and is active for eight hours at most.
public final class Activity<Attributes: ActivityAttributes>: Identifiable, @unchecked Sendable {
  public typealias ContentState = Attributes.ContentState

  public let id: String
  public let attributes: Attributes
  private let lock = NSLock()
  private var shown: ActivityContent<ContentState>

  fileprivate init(_ id: String, _ attributes: Attributes, _ content: ActivityContent<ContentState>) {
    self.id = id
    self.attributes = attributes
    shown = content
  }

  public var content: ActivityContent<ContentState> { lock.withLock { shown } }
  public var activityState: ActivityState { ActivityFeed.shared.state(of: id) }
  public var pushToken: Data? { nil }
  public var pushTokenUpdates: AsyncStream<Data> {
    DeviceClient.reportMissing("activityKit", "Activity.pushTokenUpdates")
    return AsyncStream { $0.finish() }
  }
  /// Each new state, until the last one.
  public var activityStateUpdates: AsyncStream<ActivityState> { ActivityFeed.shared.updates(of: id) }

  /// All of these attributes, also from before this start of the app.
  public static var activities: [Activity<Attributes>] {
    ActivityFeed.shared.all(of: "\(Attributes.self)").compactMap { fields in
      let decoder = JSONDecoder()
      guard let attributes = try? decoder.decode(Attributes.self, from: Data(fields.bytes("attributes"))),
        let state = try? decoder.decode(ContentState.self, from: Data(fields.bytes("content")))
      else { return nil }
      return Activity(fields.text("activity"), attributes, ActivityContent(state: state, staleDate: nil))
    }
  }

  /// Begins one: only from the foreground, or within 10 s of a mirrored workout.
  public static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil
  ) throws -> Activity<Attributes> {
    let (fixed, changing) = (try encode(attributes), try encode(content.state))
    if let error = ActivityFeed.shared.obstacle(bytes: fixed.count + changing.count) {
      DeviceClient.shared.send(
        "activity.refused", ["code": .integer(Int64(error.rawValue)), "text": .text(error.errorDescription ?? "")])
      throw error
    }
    let id = UUID().uuidString
    let type = "\(Attributes.self)"
    ActivityFeed.shared.begin(id, type, fixed, changing)
    DeviceClient.shared.send(
      "activity.request",
      [
        "activity": .text(id), "type": .text(type), "attributes": .bytes(fixed), "content": .bytes(changing),
        "stale": .integer(staleAfter(content)),
      ])
    return Activity(id, attributes, content)
  }

  @available(*, deprecated, renamed: "request(attributes:content:pushType:)")
  public static func request(
    attributes: Attributes, contentState: ContentState, pushType: PushType? = nil
  ) throws -> Activity<Attributes> {
    try request(
      attributes: attributes, content: ActivityContent(state: contentState, staleDate: nil), pushType: pushType)
  }

  public func update(_ content: ActivityContent<ContentState>) async { change("activity.update", content, wait: nil) }
  public func update(_ content: ActivityContent<ContentState>, alertConfiguration: AlertConfiguration?) async {
    change("activity.update", content, wait: nil)
  }
  @available(*, deprecated, renamed: "update(_:)")
  public func update(using contentState: ContentState) async {
    change("activity.update", ActivityContent(state: contentState, staleDate: nil), wait: nil)
  }
  /// Ends it, with a last content if there is one.
  public func end(
    _ content: ActivityContent<ContentState>? = nil, dismissalPolicy: ActivityUIDismissalPolicy = .default
  ) async { change("activity.end", content, wait: dismissalPolicy.wait()) }

  private func change(_ call: String, _ content: ActivityContent<ContentState>?, wait: Int64?) {
    var fields = [DeviceField("activity", .text(id))]
    if let content, let bytes = try? Self.encode(content.state) {
      lock.withLock { shown = content }
      ActivityFeed.shared.keep(id, bytes)
      fields += [
        DeviceField("content", .bytes(bytes)), DeviceField("stale", .integer(Self.staleAfter(content))),
      ]
    }
    if let wait { fields.append(DeviceField("dismiss", .integer(wait))) }
    DeviceClient.shared.send(call, fields)
  }

  private static func staleAfter(_ content: ActivityContent<ContentState>) -> Int64 {
    guard let seconds = content.staleDate?.timeIntervalSinceNow else { return 0 }
    return Int64(max(0.001, min(seconds, 1e6)) * 1e9)
  }

  private static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try encoder.encode(value))
  }
}

/// What the device says of Live Activities.
final class ActivityFeed: @unchecked Sendable {
  static let shared = ActivityFeed()
  /// Of attributes and content together.
  private static let bytesMax = 4_096
  private static let activeMax = 5

  private let lock = NSLock()
  private var shown: [String: [DeviceField]] = [:]
  private var order: [String] = []
  private var states: [String: ActivityState] = [:]
  private var watchers: [String: [AsyncStream<ActivityState>.Continuation]] = [:]
  var areAllowed: Bool {
    let start = DeviceClient.shared.atStart
    return (start.isEmpty || start.flag("activities")) && !DeviceClient.shared.isWatch
  }

  private init() {
    for value in DeviceClient.shared.atStart.list("shown") {
      let id = value.fields.text("activity")
      shown[id] = value.fields
      order.append(id)
      states[id] = ActivityState(rawValue: Int(value.fields.integer("state"))) ?? .active
    }
    DeviceClient.shared.listen(to: ["activity"]) { [unowned self] message in
      let state = ActivityState(rawValue: Int(message.fields.integer("state"))) ?? .active
      set(message.fields.text("activity"), to: state)
    }
  }

  func state(of id: String) -> ActivityState { lock.withLock { states[id] ?? .dismissed } }

  func all(of type: String) -> [[DeviceField]] {
    lock.withLock { order.compactMap { shown[$0] }.filter { $0.text("type") == type } }
  }

  func begin(_ id: String, _ type: String, _ attributes: [UInt8], _ content: [UInt8]) {
    lock.withLock {
      states[id] = .active
      order.append(id)
      shown[id] = [
        DeviceField("activity", .text(id)), DeviceField("type", .text(type)),
        DeviceField("attributes", .bytes(attributes)), DeviceField("content", .bytes(content)),
      ]
    }
  }

  func keep(_ id: String, _ content: [UInt8]) {
    lock.withLock {
      guard let index = shown[id]?.firstIndex(where: { $0.key == "content" }) else { return }
      shown[id]?[index].value = .bytes(content)
    }
  }

  func obstacle(bytes: Int) -> ActivityAuthorizationError? {
    if DeviceClient.shared.isWatch { return .unsupported }
    if !areAllowed { return .denied }
    if bytes > Self.bytesMax { return .attributesTooLarge }
    if lock.withLock({ states.values.count { $0 == .active || $0 == .stale } }) >= Self.activeMax {
      return .targetMaximumExceeded
    }
    return AppLife.shared.isInFront || AppLife.shared.mayShowActivity ? nil : .visibility
  }

  func updates(of id: String) -> AsyncStream<ActivityState> {
    AsyncStream { continuation in
      lock.withLock {
        continuation.yield(states[id] ?? .dismissed)
        watchers[id, default: []].append(continuation)
      }
    }
  }

  private func set(_ id: String, to state: ActivityState) {
    let told = lock.withLock { () -> [AsyncStream<ActivityState>.Continuation] in
      states[id] = state
      if state == .dismissed {
        shown[id] = nil
        order.removeAll { $0 == id }
        return watchers.removeValue(forKey: id) ?? []
      }
      return watchers[id] ?? []
    }
    for watcher in told {
      watcher.yield(state)
      if state == .dismissed { watcher.finish() }
    }
  }
}
