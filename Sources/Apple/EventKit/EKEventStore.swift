import DeviceClient
import Dispatch
public import Foundation
import HealthSim
import Link

/// What an app may do with a calendar; the raw values are the framework's.
public enum EKAuthorizationStatus: Int, Sendable {
  case notDetermined = 0, restricted, denied, fullAccess, writeOnly
  public static var authorized: Self { .fullAccess }

  init(_ permission: Int64) {
    self =
      switch permission {
      case 1: .denied
      case 2: .fullAccess
      case 3: .writeOnly
      default: .notDetermined
      }
  }
}

extension Notification.Name {
  public static let EKEventStoreChanged = Notification.Name("EKEventStoreChangedNotification")
}

/// The appointments and reminders of the athlete.
///
/// Its completions come on a private queue.
public final class EKEventStore: NSObject, @unchecked Sendable {
  public override init() {
    super.init()
    _ = CalendarFeed.shared
  }

  public var eventStoreIdentifier: String { "device" }
  public var sources: [EKSource] { [EKSource()] }

  // MARK: Access

  public class func authorizationStatus(for entityType: EKEntityType) -> EKAuthorizationStatus {
    EKAuthorizationStatus(DeviceClient.shared.permission(entityType == .event ? .events : .reminders))
  }

  private func ask(
    _ service: DeviceService, _ wanted: Int64, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { DeviceClient.shared.ask(for: service, wanted: wanted) { completion($0 == wanted || $0 == 2, nil) } }

  public func requestFullAccessToEvents(completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    ask(.events, 2, completion)
  }
  public func requestWriteOnlyAccessToEvents(completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    ask(.events, 3, completion)
  }
  public func requestFullAccessToReminders(completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    ask(.reminders, 2, completion)
  }
  /// An app of an older system may only write, and gets `true` as the answer.
  public func requestAccess(
    to entityType: EKEntityType, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { entityType == .event ? ask(.events, 3, completion) : ask(.reminders, 2, completion) }

  @discardableResult
  public func requestFullAccessToEvents() async throws -> Bool { await answer(.events, 2) }
  @discardableResult
  public func requestWriteOnlyAccessToEvents() async throws -> Bool { await answer(.events, 3) }
  @discardableResult
  public func requestFullAccessToReminders() async throws -> Bool { await answer(.reminders, 2) }

  private func answer(_ service: DeviceService, _ wanted: Int64) async -> Bool {
    await withCheckedContinuation { continuation in
      ask(service, wanted) { isAllowed, _ in continuation.resume(returning: isAllowed) }
    }
  }

  /// Reading asks for more where an app may write only, once.
  private func mayReadEvents() -> Bool {
    let state = DeviceClient.shared.permission(.events)
    if state == 3 { DeviceClient.shared.ask(for: .events, wanted: 2) { _ in } }
    return state == 2
  }

  // MARK: Calendars

  public func calendars(for entityType: EKEntityType) -> [EKCalendar] {
    if entityType == .event {
      guard mayReadEvents() else { return [] }
      return CalendarFeed.shared.titles(ofReminders: false).map { EKCalendar($0, .event) }
    }
    guard DeviceClient.shared.permission(.reminders) >= 2 else { return [] }
    return CalendarFeed.shared.titles(ofReminders: true).map { EKCalendar($0, .reminder) }
  }
  public var defaultCalendarForNewEvents: EKCalendar? {
    DeviceClient.shared.permission(.events) >= 2 ? EKCalendar("Home", .event) : nil
  }
  public func defaultCalendarForNewReminders() -> EKCalendar? {
    DeviceClient.shared.permission(.reminders) >= 2 ? EKCalendar("Reminders", .reminder) : nil
  }
  public func calendar(withIdentifier identifier: String) -> EKCalendar? {
    (calendars(for: .event) + calendars(for: .reminder)).first { $0.calendarIdentifier == identifier }
  }

  // MARK: Appointments

  /// Those that overlap an interval; of four years at most.
  public func predicateForEvents(withStart startDate: Date, end endDate: Date, calendars: [EKCalendar]?) -> NSPredicate
  {
    let end = min(endDate, startDate.addingTimeInterval(4 * 365.25 * 86_400))
    return NSPredicate { object, _ in
      guard let event = object as? EKEvent else { return false }
      return event.startDate < end && event.endDate > startDate && (calendars?.contains(event.calendar) ?? true)
    }
  }

  /// In the order of their start.
  ///
  /// Without access to read there are none.
  public func events(matching predicate: NSPredicate) -> [EKEvent] {
    guard mayReadEvents() else { return [] }
    return CalendarFeed.shared.entries(areReminders: false).map { EKEvent($0, in: self) }
      .filter { predicate.evaluate(with: $0) }
      .enumerated().sorted { ($0.element.startDate, $0.offset) < ($1.element.startDate, $1.offset) }.map(\.element)
  }
  public func event(withIdentifier identifier: String) -> EKEvent? {
    events(matching: NSPredicate(value: true)).first { $0.identifier == identifier }
  }
  public func calendarItem(withIdentifier identifier: String) -> EKCalendarItem? {
    event(withIdentifier: identifier)
      ?? CalendarFeed.shared.entries(areReminders: true).map { EKReminder($0, in: self) }
      .first { $0.identifier == identifier }
  }

  public func save(_ event: EKEvent, span: EKSpan) throws { try save(event, span: span, commit: true) }
  public func save(_ event: EKEvent, span: EKSpan, commit: Bool) throws {
    guard event.calendar != nil else { throw refusal("save", .noCalendar) }
    guard let start = event.startDate else { throw refusal("save", .noStartDate) }
    guard let end = event.endDate else { throw refusal("save", .noEndDate) }
    guard start <= end else { throw refusal("save", .datesInverted) }
    guard DeviceClient.shared.permission(.events) >= 2 else { throw refusal("save", .eventStoreNotAuthorized) }
    put(event, isReminder: false)
  }

  public func remove(_ event: EKEvent, span: EKSpan) throws { try remove(event, span: span, commit: true) }
  /// An app that may write only cannot remove even its own.
  public func remove(_ event: EKEvent, span: EKSpan, commit: Bool) throws {
    guard DeviceClient.shared.permission(.events) == 2 else { throw refusal("remove", .eventStoreNotAuthorized) }
    drop(event, isReminder: false)
  }

  // MARK: Reminders

  public func predicateForReminders(in calendars: [EKCalendar]?) -> NSPredicate {
    reminders(calendars) { _ in true }
  }
  public func predicateForIncompleteReminders(
    withDueDateStarting startDate: Date?, ending endDate: Date?, calendars: [EKCalendar]?
  ) -> NSPredicate {
    reminders(calendars) { !$0.isCompleted && Self.isWithin($0.due, startDate, endDate) }
  }
  public func predicateForCompletedReminders(
    withCompletionDateStarting startDate: Date?, ending endDate: Date?, calendars: [EKCalendar]?
  ) -> NSPredicate {
    reminders(calendars) { $0.isCompleted && Self.isWithin($0.completionDate, startDate, endDate) }
  }

  private func reminders(_ calendars: [EKCalendar]?, _ matches: @escaping (EKReminder) -> Bool) -> NSPredicate {
    NSPredicate { object, _ in
      guard let reminder = object as? EKReminder else { return false }
      return (calendars?.contains(reminder.calendar) ?? true) && matches(reminder)
    }
  }
  private static func isWithin(_ date: Date?, _ start: Date?, _ end: Date?) -> Bool {
    guard let date else { return start == nil && end == nil }
    return (start.map { date >= $0 } ?? true) && (end.map { date <= $0 } ?? true)
  }

  /// Nil for an app without access.
  @discardableResult
  public func fetchReminders(
    matching predicate: NSPredicate, completion: @escaping @Sendable ([EKReminder]?) -> Void
  ) -> Any {
    let predicate = Unsent(predicate)
    DeviceClient.shared.answers.async { [self] in
      guard DeviceClient.shared.permission(.reminders) >= 2 else { return completion(nil) }
      completion(
        CalendarFeed.shared.entries(areReminders: true).map { EKReminder($0, in: self) }
          .filter { predicate.value.evaluate(with: $0) })
    }
    return DeviceClient.shared.next()
  }
  public func cancelFetchRequest(_ fetchIdentifier: Any) {
    DeviceClient.reportMissing("eventKit", "EKEventStore.cancelFetchRequest")
  }

  public func save(_ reminder: EKReminder, commit: Bool) throws {
    guard reminder.calendar != nil else { throw refusal("save", .noCalendar) }
    guard DeviceClient.shared.permission(.reminders) >= 2 else { throw refusal("save", .eventStoreNotAuthorized) }
    put(reminder, isReminder: true)
  }
  public func remove(_ reminder: EKReminder, commit: Bool) throws {
    guard DeviceClient.shared.permission(.reminders) >= 2 else { throw refusal("remove", .eventStoreNotAuthorized) }
    drop(reminder, isReminder: true)
  }

  /// All is saved at once, whatever `commit` says.
  public func commit() throws {}
  public func reset() {}
  public func refreshSourcesIfNecessary() {}

  // MARK: Messages

  private func put(_ item: EKCalendarItem, isReminder: Bool) {
    item.isSaved = true
    let entry = [DeviceField("id", .text(item.identifier)), DeviceField("isReminder", .flag(isReminder))]
    CalendarFeed.shared.put(item.identifier, .record(entry + item.fields))
    DeviceClient.shared.send("calendar.save", entry + [DeviceField("entry", .record(item.fields))])
  }

  private func drop(_ item: EKCalendarItem, isReminder: Bool) {
    item.isSaved = false
    CalendarFeed.shared.put(item.identifier, nil)
    DeviceClient.shared.send("calendar.remove", ["id": .text(item.identifier), "isReminder": .flag(isReminder)])
  }

  private func refusal(_ call: String, _ code: EKError.Code) -> EKError {
    DeviceClient.shared.send(
      "calendar.refused",
      [
        "call": .text("EKEventStore.\(call)"), "code": .integer(Int64(code.rawValue)), "text": .text("\(code)"),
      ])
    return EKError(code)
  }
}

/// What the device says of the calendar: an app reads it without waiting.
final class CalendarFeed: @unchecked Sendable {
  static let shared = CalendarFeed()
  private let lock = NSLock()
  private var known: [DeviceValue] = []

  private init() {
    DeviceClient.shared.listen(to: ["calendar"]) { [unowned self] message in
      lock.withLock { known = message.fields.list("entries") }
      guard message.fields.flag("isChange") else { return }
      OperationQueue.main.addOperation { NotificationCenter.default.post(name: .EKEventStoreChanged, object: nil) }
    }
  }

  func entries(areReminders: Bool) -> [DeviceValue] {
    lock.withLock { known.filter { $0.fields.flag("isReminder") == areReminders } }
  }

  func titles(ofReminders: Bool) -> [String] {
    let found = Set(entries(areReminders: ofReminders).map { $0.fields.text("calendar") })
    return (found.union([ofReminders ? "Reminders" : "Home"])).sorted()
  }

  /// Replaces an entry, or removes it, until the device says the same.
  func put(_ id: String, _ entry: DeviceValue?) {
    lock.withLock {
      let index = known.firstIndex { $0.fields.text("id") == id }
      if let index, let entry { known[index] = entry } else if let index { known.remove(at: index) }
      if index == nil, let entry { known.append(entry) }
    }
  }
}
