import Link

/// Appointments and reminders of a device.
struct CalendarState: Sendable {
  struct Entry: Sendable {
    var id: String
    var isReminder: Bool
    var fields: [DeviceField]

    var encoded: DeviceValue {
      .record([DeviceField("id", .text(id)), DeviceField("isReminder", .flag(isReminder))] + fields)
    }
  }

  var entries: [Entry] = []

  init() {}

  /// What the athlete has before the run.
  init(_ setup: HealthSetup) {
    func date(_ time: VirtualTime) -> DeviceValue { .integer(setup.startedAt &+ (time - .start).nanoseconds) }
    let names = RandomStream(seed: setup.seed, name: "eventkit")
    for (index, appointment) in setup.system.appointments.enumerated() {
      entries.append(
        Entry(
          id: Identifier(names, for: UInt64(index)).text, isReminder: false,
          fields: [
            DeviceField("title", .text(appointment.title)), DeviceField("calendar", .text(appointment.calendar)),
            DeviceField("start", date(appointment.at)), DeviceField("end", date(appointment.at + appointment.length)),
            DeviceField("isAllDay", .flag(appointment.isAllDay)),
          ]))
    }
    for (index, reminder) in setup.system.reminders.enumerated() {
      var fields = [
        DeviceField("title", .text(reminder.title)), DeviceField("calendar", .text("Reminders")),
        DeviceField("isDone", .flag(reminder.isDone)), DeviceField("priority", .integer(reminder.priority)),
      ]
      if let due = reminder.due { fields.append(DeviceField("due", date(due))) }
      if reminder.isDone { fields.append(DeviceField("doneAt", date(.start))) }
      entries.append(
        Entry(id: Identifier(names, for: UInt64(index) | 1 << 32).text, isReminder: true, fields: fields))
    }
  }
}

/// EventKit.
extension HealthDaemon {
  mutating func carryOutCalendar(_ request: DeviceMessage) {
    let id = request.fields.text("id")
    let isReminder = request.fields.flag("isReminder")
    // The app has refused what its access does not allow: a fault may have come in between.
    let access = permission(isReminder ? .reminders : .events)
    switch request.name {
    case "calendar.save" where access >= 2:
      let entry = CalendarState.Entry(id: id, isReminder: isReminder, fields: request.fields.fields("entry"))
      if let index = system.calendar.entries.firstIndex(where: { $0.id == id }) {
        system.calendar.entries[index] = entry
      } else {
        system.calendar.entries.append(entry)
      }
      recordCalendar(.saved, entry)
      tellCalendar(isChange: true)
    case "calendar.remove" where access == 2:
      guard let index = system.calendar.entries.firstIndex(where: { $0.id == id }) else { return }
      recordCalendar(.removed, system.calendar.entries.remove(at: index))
      tellCalendar(isChange: true)
    case "calendar.save", "calendar.remove":
      recordRefusal("EKEventStore.\(request.name.dropFirst(9))", "the access was taken away")
    case "calendar.refused":
      recordRefusal(request.fields.text("call"), code: request.fields.integer("code"), request.fields.text("text"))
    default: recordRefusal(request.name, "no call of that name")
    }
  }

  private mutating func recordCalendar(_ to: DeviceCalendarChanged.State, _ entry: CalendarState.Entry) {
    record(DeviceCalendarChanged.self) {
      $0.to = to
      $0.id = entry.id
      $0.title = entry.fields.text("title")
      $0.reminder = entry.isReminder
    }
  }

  /// Tells the app what it may read: its store reads without waiting.
  mutating func tellCalendar(isChange: Bool = false) {
    let (events, reminders) = (permission(.events) == 2, permission(.reminders) >= 2)
    let entries = system.calendar.entries.filter { $0.isReminder ? reminders : events }
    tell(
      DeviceMessage("calendar.entries", ["entries": .list(entries.map(\.encoded)), "isChange": .flag(isChange)]))
  }
}
