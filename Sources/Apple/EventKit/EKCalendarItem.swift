@_exported public import AppleFoundation
import DeviceClient
public import Foundation
import HealthSim
import Link

/// Appointments or reminders; the raw values are the framework's.
public enum EKEntityType: UInt, Sendable { case event = 0, reminder }
public struct EKEntityMask: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let event = Self(rawValue: 1)
  public static let reminder = Self(rawValue: 2)
}

/// What a change of one appointment of a series means for the others; there are no series.
public enum EKSpan: Int, Sendable { case thisEvent = 0, futureEvents }
public enum EKEventStatus: Int, Sendable { case none = 0, confirmed, tentative, canceled }
public enum EKEventAvailability: Int, Sendable { case notSupported = -1, busy, free, tentative, unavailable }
public enum EKParticipantStatus: Int, Sendable {
  case unknown = 0, pending, accepted, declined, tentative, delegated, completed, inProcess
}
public enum EKCalendarType: Int, Sendable { case local = 0, calDAV, exchange, subscription, birthday }
public enum EKReminderPriority: UInt, Sendable { case none = 0, high = 1, medium = 5, low = 9 }

/// The domain of EventKit's errors.
public let EKErrorDomain = "EKErrorDomain"

/// An error of EventKit; the raw values are the framework's.
public struct EKError: CustomNSError, Equatable, Hashable {
  public enum Code: Int, Sendable {
    case eventNotMutable = 0, noCalendar, noStartDate, noEndDate, datesInverted, internalFailure, calendarReadOnly
    case durationGreaterThanRecurrence, alarmGreaterThanRecurrence, startDateTooFarInFuture
    case startDateCollidesWithOtherOccurrence, objectBelongsToDifferentStore, invitesCannotBeMoved, invalidSpan
    case eventStoreNotAuthorized = 29
  }

  public let code: Code
  public init(_ code: Code) { self.code = code }
  public static var errorDomain: String { EKErrorDomain }
  public var errorCode: Int { code.rawValue }
}

/// A calendar or a list of reminders.
public final class EKCalendar: NSObject, @unchecked Sendable {
  public let title: String
  public let allowedEntityTypes: EKEntityMask
  public var calendarIdentifier: String { "\(allowedEntityTypes.rawValue).\(title)" }
  public var allowsContentModifications: Bool { true }
  public var isSubscribed: Bool { false }
  public var isImmutable: Bool { false }
  public var type: EKCalendarType { .calDAV }
  public var source: EKSource? { EKSource() }

  init(_ title: String, _ mask: EKEntityMask) {
    self.title = title
    allowedEntityTypes = mask
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? EKCalendar)?.calendarIdentifier == calendarIdentifier
  }
  public override var hash: Int { calendarIdentifier.hashValue }
}

/// Where calendars come from: one account.
public final class EKSource: NSObject, @unchecked Sendable {
  public var title: String { "iCloud" }
  public var sourceIdentifier: String { "iCloud" }
}

/// A person who is invited; simulated appointments have none.
public final class EKParticipant: NSObject, @unchecked Sendable {
  public let name: String?
  public var participantStatus: EKParticipantStatus { .accepted }
  init(name: String) { self.name = name }
}

/// What appointments and reminders have in common; optional as the framework declares it.
public class EKCalendarItem: NSObject, @unchecked Sendable {
  let store: EKEventStore
  var identifier: String
  var isSaved = false

  public var calendarItemIdentifier: String { identifier }
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  public var title: String!
  public var notes: String?
  public var location: String?
  public var url: URL?
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  public var calendar: EKCalendar!
  public var timeZone: TimeZone?
  public var attendees: [EKParticipant]? { nil }
  public var hasAttendees: Bool { false }
  public var hasNotes: Bool { notes != nil }
  public var hasRecurrenceRules: Bool { false }
  public var hasAlarms: Bool { false }
  public var creationDate: Date? { nil }
  public var lastModifiedDate: Date? { nil }

  init(in store: EKEventStore, _ identifier: String) {
    self.store = store
    self.identifier = identifier
    super.init()
    title = ""
  }

  func take(_ fields: [DeviceField], _ mask: EKEntityMask) {
    isSaved = true
    title = fields.text("title")
    calendar = EKCalendar(fields.text("calendar"), mask)
    if fields["notes"] != nil { notes = fields.text("notes") }
    if fields["location"] != nil { location = fields.text("location") }
  }

  var fields: [DeviceField] {
    var fields = [
      DeviceField("title", .text(title ?? "")), DeviceField("calendar", .text(calendar?.title ?? "")),
    ]
    if let notes { fields.append(DeviceField("notes", .text(notes))) }
    if let location { fields.append(DeviceField("location", .text(location))) }
    return fields
  }
}

/// An appointment.
public final class EKEvent: EKCalendarItem, @unchecked Sendable {
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  public var startDate: Date!
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  public var endDate: Date!
  public var isAllDay = false
  public var availability = EKEventAvailability.busy
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  public var eventIdentifier: String! { isSaved ? identifier : nil }
  public var status: EKEventStatus { .confirmed }
  public var isDetached: Bool { false }
  public var organizer: EKParticipant? { nil }

  public init(eventStore: EKEventStore) { super.init(in: eventStore, UUID().uuidString) }

  init(_ value: DeviceValue, in store: EKEventStore) {
    super.init(in: store, value.fields.text("id"))
    take(value.fields, .event)
    startDate = Date(nanoseconds: value.fields.integer("start"))
    endDate = Date(nanoseconds: value.fields.integer("end"))
    isAllDay = value.fields.flag("isAllDay")
  }

  override var fields: [DeviceField] {
    super.fields + [
      DeviceField("start", .integer(startDate?.nanoseconds ?? 0)),
      DeviceField("end", .integer(endDate?.nanoseconds ?? 0)),
      DeviceField("isAllDay", .flag(isAllDay)),
    ]
  }

  public func compareStartDate(with other: EKEvent) -> ComparisonResult {
    let (own, others) = (startDate ?? .distantFuture, other.startDate ?? .distantFuture)
    return own < others ? .orderedAscending : own > others ? .orderedDescending : .orderedSame
  }
  public func refresh() -> Bool { isSaved }
}

/// A reminder.
public final class EKReminder: EKCalendarItem, @unchecked Sendable {
  public var startDateComponents: DateComponents?
  public var dueDateComponents: DateComponents?
  /// 0 none, 1 highest, 9 lowest.
  public var priority = 0
  public var completionDate: Date?
  public var isCompleted: Bool {
    get { completionDate != nil }
    set { completionDate = newValue ? completionDate ?? Date() : nil }
  }

  public init(eventStore: EKEventStore) { super.init(in: eventStore, UUID().uuidString) }

  init(_ value: DeviceValue, in store: EKEventStore) {
    super.init(in: store, value.fields.text("id"))
    take(value.fields, .reminder)
    priority = Int(value.fields.integer("priority"))
    if value.fields["due"] != nil {
      let due = Date(nanoseconds: value.fields.integer("due"))
      dueDateComponents = Calendar.current.dateComponents([.year, .month, .day, .hour, .minute, .second], from: due)
    }
    if value.fields.flag("isDone") { completionDate = Date(nanoseconds: value.fields.integer("doneAt")) }
  }

  var due: Date? { dueDateComponents.flatMap { ($0.calendar ?? .current).date(from: $0) } }

  override var fields: [DeviceField] {
    var fields =
      super.fields + [
        DeviceField("priority", .integer(Int64(priority))), DeviceField("isDone", .flag(isCompleted)),
      ]
    if let due { fields.append(DeviceField("due", .integer(due.nanoseconds))) }
    if let completionDate { fields.append(DeviceField("doneAt", .integer(completionDate.nanoseconds))) }
    return fields
  }
}
