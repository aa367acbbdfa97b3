import DeviceClient
import Dispatch
public import Foundation
import HealthSim
import Link
import WatchConnectivity

/// The domain of the errors of notifications: 1 for an app that may not have any.
public let UNErrorDomain = "UNErrorDomain"

/// What the centre tells, on the main queue.
public protocol UNUserNotificationCenterDelegate: AnyObject {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void)
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions
}

/// The methods that a delegate may leave out: a notification is not shown over the app in front.
extension UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    let handler = Unsent(completionHandler)
    let call = Unsent((self, center, notification))
    Task { @MainActor in
      let (delegate, center, notification) = call.value
      handler.value(await delegate.userNotificationCenter(center, willPresent: notification))
    }
  }
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) { completionHandler() }
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [] }
}

/// Notifications of this app on its device.
///
/// They are shown whether the app runs or not; its completions come on a private queue.
public final class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  private static let only = UNUserNotificationCenter()
  public class func current() -> UNUserNotificationCenter { only }

  private let lock = NSLock()
  private weak var listener: (any UNUserNotificationCenterDelegate)?

  private override init() {
    super.init()
    DeviceClient.shared.listen(to: ["notice"]) { [unowned self] message in
      let message = Unsent(message)
      DispatchQueue.main.async { [self] in fire(message.value.fields) }
    }
  }

  /// A weak reference.
  public weak var delegate: (any UNUserNotificationCenterDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }
  public var supportsContentExtensions: Bool { false }

  // MARK: Access

  /// A second request is answered without a question.
  public func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { DeviceClient.shared.ask(for: .notifications) { completionHandler($0 >= 2, nil) } }

  @discardableResult
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    await withCheckedContinuation { continuation in
      requestAuthorization(options: options) { isAllowed, _ in continuation.resume(returning: isAllowed) }
    }
  }

  public func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
    DeviceClient.shared.answers.async {
      completionHandler(UNNotificationSettings(DeviceClient.shared.permission(.notifications)))
    }
  }
  public func notificationSettings() async -> UNNotificationSettings {
    UNNotificationSettings(DeviceClient.shared.permission(.notifications))
  }

  // MARK: Requests

  /// Schedules one; beyond 64 that wait it is lost without an error.
  public func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    func nanoseconds(_ seconds: TimeInterval) -> DeviceValue { .integer(Int64(max(0, min(seconds, 4e8)) * 1e9)) }
    let values = request.content.values
    let fields = [
      DeviceField("notice", .text(request.identifier)), DeviceField("title", .text(values.title)),
      DeviceField("content", .bytes(Array((try? JSONEncoder().encode(values)) ?? Data()))),
      DeviceField("wait", nanoseconds(request.trigger?.wait() ?? 0)),
      DeviceField("every", nanoseconds(request.trigger?.interval() ?? 0)),
    ]
    DeviceClient.shared.call("notice.add", fields) { completionHandler?($0.error(UNErrorDomain)) }
  }

  public func add(_ request: UNNotificationRequest) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      add(request) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    DeviceClient.shared.send("notice.remove", ["ids": .texts(identifiers)])
  }
  public func removeAllPendingNotificationRequests() {
    DeviceClient.shared.send("notice.remove", ["all": .flag(true)])
  }
  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    DeviceClient.shared.send("notice.clear", ["ids": .texts(identifiers)])
  }
  public func removeAllDeliveredNotifications() { DeviceClient.shared.send("notice.clear", ["all": .flag(true)]) }

  public func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) { list(isDelivered: false) { completionHandler($0) } }
  public func pendingNotificationRequests() async -> [UNNotificationRequest] {
    await withCheckedContinuation { continuation in
      getPendingNotificationRequests { continuation.resume(returning: $0) }
    }
  }
  public func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
    list(isDelivered: true) { completionHandler($0.map { UNNotification($0, Date()) }) }
  }
  public func deliveredNotifications() async -> [UNNotification] {
    await withCheckedContinuation { continuation in
      getDeliveredNotifications { continuation.resume(returning: $0) }
    }
  }

  private func list(isDelivered: Bool, _ completion: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
    DeviceClient.shared.call("notice.list", [DeviceField("isDelivered", .flag(isDelivered))]) { reply in
      completion(reply.fields.list("list").map { Self.request($0.fields) })
    }
  }

  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {}
  public func setBadgeCount(
    _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    DeviceClient.record("badge", json: "{\"count\":\(newBadgeCount)}")
    DeviceClient.shared.answers.async { completionHandler?(nil) }
  }
  public func setBadgeCount(_ newBadgeCount: Int) async throws {
    DeviceClient.record("badge", json: "{\"count\":\(newBadgeCount)}")
  }

  // MARK: Messages

  private static func request(_ fields: [DeviceField]) -> UNNotificationRequest {
    let content = UNNotificationContent()
    let data = Data(fields.bytes("content"))
    content.take((try? JSONDecoder().decode(UNNotificationContent.Values.self, from: data)) ?? .init())
    return UNNotificationRequest(identifier: fields.text("id"), content: content, trigger: nil)
  }

  /// The app in front decides; behind, the notification is shown.
  private func fire(_ fields: [DeviceField]) {
    let number = fields.integer("number")
    func answer(_ isShown: Bool) {
      DeviceClient.shared.send("notice.answer", ["number": .integer(number), "isShown": .flag(isShown)])
    }
    // An app without a delegate of its life is in front for as long as it runs.
    guard AppLife.shared.isInFront else { return answer(true) }
    guard let delegate else { return answer(false) }
    delegate.userNotificationCenter(self, willPresent: UNNotification(Self.request(fields), Date())) { options in
      answer(!options.isDisjoint(with: [.alert, .banner, .list]))
    }
  }
}
